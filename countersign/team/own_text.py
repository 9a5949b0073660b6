"""A reviewer's own text, line by line: what the sources say of each, and what the fact-checker.

Quotes are looked up by code; what is stated beside them goes to the fact-checker with the words of
a source that come nearest to it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, ConfigDict

from countersign.platform.threads import RESEARCH
from countersign.sources.library import Library, UnknownSource
from countersign.sources.terms import words
from countersign.team import fact_checker
from countersign.team.calls import Calls
from countersign.team.citations import bare
from countersign.team.doubts import doubts_about, is_grave
from countersign.team.fact_checker import RoundToJudge
from countersign.team.folded import FoldedText
from countersign.team.look_ups import LONGEST_QUERY
from countersign.team.meant import HARDLY_TOLD, Passages, SourceWords, share_told
from countersign.team.models import CheckedFinding, SubtopicFinding, Verdict
from countersign.team.questions import Shown
from countersign.team.quotes import checked
from countersign.team.sentences import sentences
from countersign.team.wording import quoted

WORD_FOR_WORD = "It is word for word in its source."
MISQUOTED = "The source has different words."
NOT_QUOTED = "No source has these words."
NOTHING_ON_IT = "No source says anything like it."
NOT_JUDGED = "The fact-checker has not judged it."

FEWEST_WORDS = 3
"""Words that stand between quotation marks in a quote, and not in a name or a term."""

LineState = Literal["holds", "altered", "unproven"]


@dataclass(frozen=True, kw_only=True, slots=True)
class OwnLine:
    """What is looked at: a sentence, or words that are given as a source's own."""

    kind: Literal["sentence", "quote"]
    text: str


class CheckedLine(BaseModel):
    """A line with what the sources say of it.

    `altered`: a source says something near to it, but not this. `unproven`: none does. `finding`
    has the words of the source that come nearest, if there are any.
    """

    model_config = ConfigDict(strict=True, frozen=True, defer_build=True)

    kind: Literal["sentence", "quote"]
    text: str
    state: LineState
    reasons: list[str]
    finding: CheckedFinding | None = None


def lines_in(block: str, *, quotation: bool = False) -> Iterator[OwnLine]:
    """Yield the quotes of a block of prose and its sentences, without citations.

    Args:
        block: its words.
        quotation: whether it is set as words of somebody else.
    """
    marked = [each for each in quoted(block) if len(words(each)) >= FEWEST_WORDS]
    for quote in marked or ([bare(block)] if quotation else []):
        yield OwnLine(kind="quote", text=quote)
    if not quotation:
        said = (bare(block[start:end]) for start, end in sentences(block))
        # A single word states nothing.
        yield from (OwnLine(kind="sentence", text=each) for each in said if len(words(each)) > 1)


async def compare(
    lines: Sequence[OwnLine], library: Library, known: Sequence[Shown], topic: str
) -> list[CheckedLine]:
    """Put beside each line the words of a source that it has, or that come nearest to it.

    No model is asked: a sentence holds if a source has it word for word.

    Args:
        lines: what is looked at.
        library: where to look.
        known: passages that the version rests on, besides those that a search finds.
        topic: what the report is on.

    Raises:
        SourceError: the library can't be read.
    """
    return await RESEARCH.run(_compared, lines, library, known, topic)


async def judge(
    calls: Calls, lines: Sequence[CheckedLine], library: Library, topic: str
) -> list[CheckedLine]:
    """Have the fact-checker say which sentences the words beside them support.

    Args:
        calls: makes the calls.
        lines: as `compare` returns them.
        library: says what the sources are called.
        topic: what the report is on.

    Raises:
        TeamError: the model cannot be asked, or its answer cannot be used.
    """
    findings = [each.finding for each in lines if each.kind == "sentence" and each.finding]
    sources = {each.source for each in findings}
    titles = await RESEARCH.run(lambda: {each: library.source(each).title for each in sources})
    asked = RoundToJudge(topic=topic, subtopics=[], findings=findings, titles=titles, last=True)
    verdicts = iter((await fact_checker.check(calls, asked)).verdicts if findings else ())
    return [
        _judged(each, each.finding, next(verdicts), topic)
        if each.kind == "sentence" and each.finding
        else each
        for each in lines
    ]


def _compared(
    lines: Sequence[OwnLine], library: Library, known: Sequence[Shown], topic: str
) -> list[CheckedLine]:
    found = (each for line in lines for each in library.search(line.text[:LONGEST_QUERY]))
    shown = [*known, *(Shown(each.source.id, each.source.title, each.text) for each in found)]
    beside = _Beside(list(dict.fromkeys(shown)), library, topic)
    return [beside.checked(line) for line in lines]


class _Beside:
    """Finds what the sources have beside a line."""

    def __init__(self, shown: Sequence[Shown], library: Library, topic: str) -> None:
        self._library, self._topic = library, topic
        self._texts = dict(_texts({each.source for each in shown}, library))
        self._passages = Passages([each for each in shown if each.source in self._texts])

    def checked(self, line: OwnLine) -> CheckedLine:
        holder = next((each for each, text in self._texts.items() if text.has(line.text)), None)
        words = SourceWords(holder, line.text) if holder else self._nearest(line.text)
        finding = self._finding(line, words) if words else None
        return CheckedLine(
            kind=line.kind,
            text=line.text,
            state="holds" if holder else _nearness(line.text, finding),
            reasons=[_reason(line, stands=bool(holder), near=bool(finding))],
            finding=finding,
        )

    def _nearest(self, said: str) -> SourceWords | None:
        passages = self._passages
        return passages.copied(said) or passages.saying(said) or passages.nearest(said)

    def _finding(self, line: OwnLine, words: SourceWords) -> CheckedFinding:
        finding = SubtopicFinding(
            claim=line.text, quote=words.text, source=words.source, subtopic=self._topic
        )
        return checked([finding], self._library)[0]


def _texts(sources: Iterable[str], library: Library) -> Iterator[tuple[str, FoldedText]]:
    """Yield the texts of the sources that the library still has."""
    for source in sources:
        with suppress(UnknownSource):
            yield source, FoldedText(library.text(source))


def _reason(line: OwnLine, *, stands: bool, near: bool) -> str:
    if stands:
        return WORD_FOR_WORD
    if line.kind == "quote":
        return MISQUOTED if near else NOT_QUOTED
    return NOT_JUDGED if near else NOTHING_ON_IT


def _judged(
    line: CheckedLine, finding: CheckedFinding, verdict: Verdict, topic: str
) -> CheckedLine:
    doubts = doubts_about(line.text, [finding], topic)
    holds = verdict.supported and not is_grave(doubts)
    state: LineState = "holds" if holds else _nearness(line.text, finding)
    reasons = [*filter(None, [verdict.note]), *doubts]
    return line.model_copy(update={"state": state, "reasons": reasons})


def _nearness(said: str, finding: CheckedFinding | None) -> LineState:
    near = finding is not None and share_told(said, finding.words) >= HARDLY_TOLD
    return "altered" if near else "unproven"
