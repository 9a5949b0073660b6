"""The proofreader: reads a finished draft, line by line, against the claims that it cites."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from countersign.platform.threads import RESEARCH
from countersign.sources.terms import words
from countersign.team.calls import Calls
from countersign.team.citations import bare, cited
from countersign.team.claims import contradict
from countersign.team.doubts import doubts_about, is_grave
from countersign.team.draft import Draft, all_cited, all_statements, subtopic_of, without
from countersign.team.errors import NothingSupported, Uncited, UnusableAnswer
from countersign.team.models import CheckedFinding, Doubt, LeftOut, Proof, Section, SentenceVerdict
from countersign.team.questions import question
from countersign.team.report import TOPIC
from countersign.team.roles import PROOFREADER

NOT_JUDGED = "The proofreader gave no clear verdict on it."
REFUSED = "The proofreader rejected it."
NOTHING_LEFT = "no sentence of the report was left after it was proofread"

_PLAIN_HEADINGS = frozenset(
    [
        "overview",
        "summary",
        "background",
        "findings",
        "results",
        "conclusion",
        "introduction",
        "überblick",
        "zusammenfassung",
        "ergebnisse",
        "hintergrund",
        "fazit",
        "aperçu",
        "résumé",
        "résultats",
    ]
)


@dataclass(frozen=True, kw_only=True, slots=True)
class DraftLine:
    """A line of a draft that is judged: its title, a heading or a sentence."""

    number: int
    kind: str
    text: str

    @property
    def said(self) -> str:
        """The line without its citations."""
        return bare(self.text)

    @property
    def cites(self) -> list[int]:
        """The findings that it cites; a title or heading cites none."""
        return cited(self.text) if self.kind == "sentence" else []


@dataclass(frozen=True, kw_only=True, slots=True)
class Proofread:
    """A draft after it was read.

    Attributes:
        draft: without what was refused.
        doubts: of each line that is left, what speaks against it.
        contradictions: pairs of findings, by number (from 1), that don't agree.
    """

    draft: Draft
    doubts: Sequence[Doubt]
    contradictions: Sequence[tuple[int, int]]


async def proofread(
    calls: Calls,
    draft: Draft,
    findings: Sequence[CheckedFinding],
    *,
    topic: str,
    titles: Sequence[str],
) -> Proofread:
    """Have every line of a draft judged; what is refused is left out, or replaced by the topic.

    A line that is judged twice, differently, or not at all stays and is in doubt, and so is one in
    which code finds what its quotes don't have.

    Args:
        calls: Makes the calls.
        draft: What was written.
        findings: The supported findings that it cites by number, counted from 1.
        topic: What the report is on.
        titles: Of the sources.

    Raises:
        NothingSupported: Nothing is left.
        TeamError: The model cannot be asked, or its answer cannot be used (`errors` has each).
    """
    lines = list(_lines(draft))
    proofs = [await _proof(calls, batch, findings, topic) for batch in _batches(lines, calls)]
    return await RESEARCH.run(_read, draft, lines, proofs, _Known(findings, topic, titles))


def _read(
    draft: Draft, lines: Sequence[DraftLine], proofs: Sequence[Proof], known: _Known
) -> Proofread:
    verdicts = _verdicts(lines, [verdict for proof in proofs for verdict in proof.verdicts])
    reader = _Reader(verdicts, known)
    try:
        read = reader.read(draft)
    except Uncited:
        raise NothingSupported(NOTHING_LEFT) from None
    told = {(each.one, each.other) for proof in proofs for each in proof.contradictions}
    return Proofread(
        draft=read,
        doubts=[
            doubt
            for line in _lines(read)
            if (doubt := reader.doubt(line, line.cites or all_cited(read.report)))
        ],
        contradictions=_contradictions(known.findings, told),
    )


async def _proof(
    calls: Calls, lines: Sequence[DraftLine], findings: Sequence[CheckedFinding], topic: str
) -> Proof:
    """Return the verdicts on some lines; none, if no answer can be used."""
    numbers = dict.fromkeys(n for line in lines for n in cited(line.text))
    asked = {
        "topic": topic,
        "claims": [_claim(n, findings[n - 1]) for n in numbers or range(1, len(findings) + 1)],
        "lines": [{"line": each.number, "kind": each.kind, "text": each.text} for each in lines],
    }
    numbered = {each.number for each in lines}
    try:
        return await calls.answer(
            PROOFREADER,
            question(asked),
            Proof,
            enough=lambda told: numbered <= {each.line for each in told.verdicts},
        )
    except UnusableAnswer:
        return Proof(verdicts=[])


class _Known:
    """What a draft is read against."""

    def __init__(
        self, findings: Sequence[CheckedFinding], topic: str, titles: Sequence[str]
    ) -> None:
        self.findings, self.topic = findings, topic
        named = [topic, TOPIC.format(topic), *titles]
        self.named = "\n\n".join(named)
        self._names = {*_PLAIN_HEADINGS, *map(_plain, named)}
        self._planned = {_plain(finding.subtopic) for finding in findings}

    def names(self, line: str) -> bool:
        """Return whether a line only says what a person asked for, or what a source is called."""
        return _plain(line) in self._names

    def plans(self, line: str) -> bool:
        """Return whether a line only repeats the plan, which a model wrote without sources."""
        return _plain(line) in self._planned


class _Reader:
    def __init__(self, verdicts: Mapping[str, SentenceVerdict | None], known: _Known) -> None:
        self._verdicts, self._known, self._findings = verdicts, known, known.findings

    def read(self, draft: Draft) -> Draft:
        kept = without(draft, self._refusal)
        left_out = list(kept.left_out)
        title = self._line(kept.report.title, self._known.topic, left_out)
        sections = [self._headed(section, left_out) for section in kept.report.sections]
        report = kept.report.model_copy(update={"title": title, "sections": sections})
        return replace(kept, report=report, left_out=left_out)

    def doubt(self, line: DraftLine, cites: Sequence[int]) -> Doubt | None:
        named = line.kind != "sentence" and self._known.names(line.text)
        known = "" if line.kind == "sentence" else self._known.named
        cited_findings = [self._findings[number - 1] for number in cites]
        reasons = [] if named else doubts_about(line.said, cited_findings, known)
        planned = line.kind != "sentence" and self._known.plans(line.text)
        if planned and not is_grave(reasons):
            reasons = []
        if self._verdicts.get(line.text) is None and not (named or planned):
            reasons = [NOT_JUDGED, *reasons]
        if not reasons:
            return None
        return Doubt(sentence=line.said, reasons=reasons, grave=is_grave(reasons))

    def _refusal(self, text: str) -> LeftOut | None:
        verdict = self._verdicts.get(text)
        if verdict is None or verdict.supported:
            return None
        return LeftOut(text=bare(text), reason=f"{REFUSED} {verdict.note}".strip())

    def _line(self, text: str, instead: str, left_out: list[LeftOut]) -> str:
        kept = self._known.names(text) or self._known.plans(text)
        refusal = None if kept else self._refusal(text)
        if refusal:
            left_out.append(refusal)
        return instead if refusal else text

    def _headed(self, section: Section, left_out: list[LeftOut]) -> Section:
        subtopic = subtopic_of(section, self._findings)
        return section.model_copy(
            update={"heading": self._line(section.heading, subtopic, left_out)}
        )


def _plain(text: str) -> str:
    return " ".join(words(text))


def _lines(draft: Draft) -> Iterator[DraftLine]:
    """Yield the different lines of a draft, numbered from 1."""
    report = draft.report
    kinds = {report.title: "title"}
    kinds |= {section.heading: "heading" for section in report.sections}
    kinds |= dict.fromkeys(all_statements(report), "sentence")
    for number, (text, kind) in enumerate(kinds.items(), start=1):
        yield DraftLine(number=number, kind=kind, text=text)


def _batches(lines: Sequence[DraftLine], calls: Calls) -> Iterator[list[DraftLine]]:
    """Yield the lines, as many at once as one request may show beside their claims."""
    batch, length = list[DraftLine](), 0
    for line in lines:
        if batch and length + len(line.text) > calls.choice.shown_characters // 4:
            yield batch
            batch, length = [], 0
        batch.append(line)
        length += len(line.text)
    yield batch


def _claim(number: int, finding: CheckedFinding) -> Mapping[str, object]:
    passage = finding.passage
    return {
        "number": number,
        "claim": finding.claim,
        "before": passage.before_it if passage else "",
        "quote": finding.words,
        "after": passage.after_it if passage else "",
    }


def _verdicts(
    lines: Sequence[DraftLine], judged: Sequence[SentenceVerdict]
) -> Mapping[str, SentenceVerdict | None]:
    """Return the verdict on each line; None if there is none or verdicts differ."""
    by_number: dict[int, list[SentenceVerdict]] = {}
    for verdict in judged:
        by_number.setdefault(verdict.line, []).append(verdict)
    found: dict[str, SentenceVerdict | None] = {}
    for line in lines:
        given = by_number.get(line.number, [])
        clear = len({verdict.supported for verdict in given}) == 1
        found[line.text] = given[0] if clear else None
    return found


def _contradictions(
    findings: Sequence[CheckedFinding], told: set[tuple[int, int]]
) -> list[tuple[int, int]]:
    """Return the pairs that the model names or that differ only in a number or a "not"."""
    known = range(1, len(findings) + 1)
    pairs = {(min(pair), max(pair)) for pair in told if pair[0] != pair[1]}
    pairs |= {
        (one, other)
        for one in known
        for other in range(one + 1, len(findings) + 1)
        if contradict(findings[one - 1].claim, findings[other - 1].claim)
    }
    return sorted(pair for pair in pairs if pair[0] in known and pair[1] in known)
