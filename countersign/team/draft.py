"""A draft, sentence by sentence: what cites no supported claim is left out, and that is kept."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass, replace

from countersign.team.citations import bare, cited, only_known, paragraphs
from countersign.team.claims import near_duplicates
from countersign.team.errors import Uncited
from countersign.team.folded import FoldedText
from countersign.team.models import CheckedFinding, LeftOut, Report, Section
from countersign.team.sentences import sentences
from countersign.team.wording import quoted

UNCITED = "It cites no supported claim."
FOREIGN_QUOTE = "It contains words in quotation marks that are in no quote."
NO_SUCH_ADDRESS = "It contains an address that is in no source."

MOST_IN_SUMMARY = 3

_ADDRESS = re.compile(
    r"\b(?:https?://|www\.)[^\s<>\"')\]]+"
    r"|[\w.+-]+@[\w-]+(?:\.[\w-]+)+"
    r"|\b(?:[\w-]+\.)+(?:com|org|net|edu|gov|info|io|ai|app|dev|eu|de|fr|uk|ch|at|es|it|nl|cn|jp|ru"
    r"|example)\b(?:/[^\s<>\"')\]]*)?",
    re.IGNORECASE,
)
_INSIDE_QUOTES = re.compile(
    r"\u201c[^\u201c\u201d]*\u201d|\u201e[^\u201e\u201c\u201d]*[\u201c\u201d]|\u00ab[^\u00ab\u00bb]*\u00bb"
)
_STOP = re.compile(r"[.!?\u3002\uff01\uff1f](?=.*\w)", re.DOTALL)


@dataclass(frozen=True, kw_only=True, slots=True)
class Draft:
    """A report of which every sentence cites a finding, and what was left out to make it so.

    `assembled`: it consists of the findings as they are, for the writer's own draft was of no use.
    """

    report: Report
    left_out: Sequence[LeftOut] = ()
    assembled: bool = False


def statements(text: str) -> list[list[str]]:
    """Return the sentences of each paragraph; what stands in quotation marks is never cut."""
    return [
        [paragraph[start:end] for start, end in sentences(_without_stops(paragraph))]
        for paragraph in paragraphs(text)
    ]


def all_statements(report: Report) -> Iterator[str]:
    """Yield the sentences of a report's summary and sections, in order."""
    for text in (report.summary, *(section.body for section in report.sections)):
        for paragraph in statements(text):
            yield from paragraph


def all_cited(report: Report) -> list[int]:
    """Return the numbers that a report cites, in order of first citation."""
    return cited("\n\n".join([report.summary, *(section.body for section in report.sections)]))


def composed(
    report: Report, findings: Sequence[CheckedFinding], known: str, *, topic: str
) -> Draft:
    """Keep what cites findings by number, counted from 1, and what says the same as a finding.

    A sentence that repeats a finding or a sentence that is cited elsewhere gets its citation. A
    summary of which nothing is left is made of the first sentences of the sections. A title or
    heading with an address that isn't known gives way to the topic, or the subtopic.

    Args:
        report: as a model wrote it.
        findings: what it may cite.
        known: all text that an address may be from.
        topic: what the report is on.

    Raises:
        Uncited: no section has a sentence that cites a finding.
    """
    composer = _Composer(findings, known)
    sections = [composer.section(section) for section in report.sections]
    kept = [section for section in sections if section]
    if not kept:
        raise Uncited
    return Draft(
        report=report.model_copy(
            update={
                "title": composer.line(report.title) or topic,
                "summary": composer.text(report.summary) or first_sentences(kept),
                "sections": kept,
            }
        ),
        left_out=composer.left_out,
    )


def assembled(findings: Sequence[CheckedFinding], known: str, *, topic: str) -> Draft:
    """Return a report of nothing but findings, those of each subtopic together.

    Args:
        findings: what it cites.
        known: as for `composed`.
        topic: what the report is on.

    Raises:
        Uncited: no finding is left.
    """
    bodies: dict[str, list[str]] = {}
    for number, finding in enumerate(findings, start=1):
        claim = f"{finding.claim.rstrip()}".rstrip(".")
        bodies.setdefault(finding.subtopic, []).append(f"{bare(claim)} [{number}].")
    sections = [Section(heading=subtopic, body=" ".join(body)) for subtopic, body in bodies.items()]
    report = Report(title=topic, summary=first_sentences(sections), sections=sections)
    return replace(composed(report, findings, known, topic=topic), assembled=True)


def without(draft: Draft, refused: Callable[[str], LeftOut | None]) -> Draft:
    """Return a draft without the sentences that are refused.

    Raises:
        Uncited: no section is left.
    """
    left_out = list(draft.left_out)

    def kept(text: str) -> str:
        return _joined(_unrefused(paragraph) for paragraph in statements(text))

    def _unrefused(paragraph: Sequence[str]) -> str:
        reasons = [(sentence, refused(sentence)) for sentence in paragraph]
        left_out.extend(reason for _, reason in reasons if reason)
        return " ".join(sentence for sentence, reason in reasons if not reason)

    report = draft.report
    bodies = [
        section.model_copy(update={"body": kept(section.body)}) for section in report.sections
    ]
    sections = [section for section in bodies if section.body]
    if not sections:
        raise Uncited
    summary = kept(report.summary) or first_sentences(sections)
    report = report.model_copy(update={"summary": summary, "sections": sections})
    return replace(draft, report=report, left_out=left_out)


def first_sentences(sections: Sequence[Section]) -> str:
    """Return a summary made of the first sentences of sections."""
    firsts = [statements(section.body)[0][0] for section in sections]
    return " ".join(dict.fromkeys(firsts[:MOST_IN_SUMMARY]))


def subtopic_of(section: Section, findings: Sequence[CheckedFinding]) -> str:
    """Return the subtopic of the first finding that a section cites."""
    return findings[cited(section.body)[0] - 1].subtopic


class _Composer:
    def __init__(self, findings: Sequence[CheckedFinding], known: str) -> None:
        self.left_out: list[LeftOut] = []
        self._findings, self._known = findings, known.casefold()
        self._quotes = [FoldedText(finding.words) for finding in findings]
        self._said: list[tuple[str, list[int]]] = [
            (finding.claim, [n]) for n, finding in enumerate(findings, start=1)
        ]

    @property
    def _numbers(self) -> Container[int]:
        return range(1, len(self._findings) + 1)

    def section(self, section: Section) -> Section | None:
        body = self.text(section.body)
        if not body:
            return None
        kept = section.model_copy(update={"body": body})
        heading = self.line(section.heading) or subtopic_of(kept, self._findings)
        return kept.model_copy(update={"heading": heading})

    def line(self, text: str) -> str:
        """Return a title or heading; nothing if it has an address that no source has."""
        return "" if self._is_left_out(text, self._strange(text)) else text

    def text(self, text: str) -> str:
        known = only_known(text, self._numbers)
        return _joined(
            " ".join(filter(None, map(self._kept, paragraph))) for paragraph in statements(known)
        )

    def _kept(self, sentence: str) -> str:
        numbers = cited(sentence) or self._repeated(bare(sentence))
        reason = self._strange(sentence) or ("" if numbers else UNCITED)
        if self._is_left_out(bare(sentence), reason):
            return ""
        self._said.append((bare(sentence), numbers))
        return sentence if cited(sentence) else sentence + "".join(f" [{n}]" for n in numbers)

    def _repeated(self, sentence: str) -> list[int]:
        """Return the numbers cited by a finding or sentence that says the same."""
        said = (numbers for said, numbers in self._said if near_duplicates(sentence, said))
        return next(said, list[int]())

    def _strange(self, text: str) -> str:
        addresses = (found.group().rstrip(".,;:!?").casefold() for found in _ADDRESS.finditer(text))
        if not all(each in self._known for each in addresses):
            return NO_SUCH_ADDRESS
        # A word in quotation marks may be one that is not meant as such; several are a quote.
        several = (each for each in quoted(text) if " " in each.strip())
        return "" if all(map(self._is_quoted, several)) else FOREIGN_QUOTE

    def _is_quoted(self, text: str) -> bool:
        return any(quote.has(text) for quote in self._quotes)

    def _is_left_out(self, text: str, reason: str) -> bool:
        if reason and any(map(str.isalnum, text)):
            self.left_out.append(LeftOut(text=text, reason=reason))
        return bool(reason)


def _joined(kept: Iterator[str]) -> str:
    return "\n\n".join(filter(None, kept))


def _without_stops(paragraph: str) -> str:
    """Return a paragraph with no end of a sentence inside quotation marks but the last in each."""
    return _INSIDE_QUOTES.sub(lambda quote: _STOP.sub("\u00b7", quote.group()), paragraph)
