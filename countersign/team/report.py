"""Make the text of a report: Markdown, in which all citations and quotes come from code.

Code also says which subtopics have no confirmed claim, marks a title that only repeats the topic,
and escapes untrusted text, so that Markdown takes none of it for markup.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Sequence
from typing import Final

from countersign.sources.library import Catalogue, Source
from countersign.sources.origin import HANDED_OVER, Origin
from countersign.sources.reading import printable
from countersign.sources.terms import words
from countersign.team.citations import cited, paragraphs
from countersign.team.claims import near_duplicates
from countersign.team.context import sentence_of
from countersign.team.draft import all_cited
from countersign.team.models import CheckedFinding, Finding, Report, Section, SubtopicFinding
from countersign.team.quotes import stands_in
from countersign.team.wording import asks

# Written text is escaped first, so these are citations of claims and nothing else.
_ESCAPED_CITATIONS = re.compile(r"(?:\s*\\\[\d+\\\])+")
_MAKES_A_LINK = re.compile(r"\](?=[(:])")
_LINKABLE = re.compile(r"https?://[^\s<>]+")


def to_markdown(
    report: Report,
    findings: Sequence[CheckedFinding],
    library: Catalogue,
    colophon: str,
    gaps: Sequence[str] = (),
) -> str:
    """Return the report: title, summary, sections with their quotes, gaps, sources, colophon.

    The report's note is for the reviewer who asked for a change, and is no part of the text.

    Sources are numbered by first citation. A quote is shown, in its source's own words, under the
    section that cites it, unless the section's own text already has them; if it is a part of a
    sentence, the sentence is shown at the end. A title or heading that only repeats what somebody
    calls a document that they handed over stands in quotation marks.

    Args:
        report: As `writer.write` returns it.
        findings: The supported findings that the report cites by number.
        library: Where the quotes are from.
        colophon: The last line, which says how the text came about.
        gaps: A sentence for each subtopic that the report has nothing on.

    Raises:
        UnknownSource: A cited source is no longer in the library.
    """
    numbering = _Numbering(report, findings)
    stated = _stated_titles(map(library.source, numbering.sources))
    blocks = [
        f"# {_headline(report.title, stated)}",
        *numbering.shown(report.summary),
        *_quotes(_only_in_summary(report), report.summary, numbering),
        *(block for section in report.sections for block in _section(section, numbering, stated)),
        *map(plain, gaps),
        "## Sources",
        "\n".join(
            f"{number}. {_described(library.source(source))}"
            for number, source in enumerate(numbering.sources, start=1)
        ),
        *_notes(report, numbering),
        f"*{plain(colophon)}*",
    ]
    return "\n\n".join(blocks) + "\n"


class _Numbering:
    """Turns citations of claims into citations of the numbered sources."""

    def __init__(self, report: Report, findings: Sequence[CheckedFinding]) -> None:
        self._findings = dict(enumerate(findings, start=1))
        sources = (finding.source for finding in self.findings(all_cited(report)))
        self.sources = list(dict.fromkeys(sources))

    def findings(self, numbers: Iterable[int]) -> list[CheckedFinding]:
        return [self._findings[number] for number in numbers if number in self._findings]

    def mark(self, findings: Sequence[CheckedFinding]) -> str:
        numbers = dict.fromkeys(self.sources.index(finding.source) + 1 for finding in findings)
        return "".join(f" [{number}]" for number in numbers)

    def shown(self, text: str) -> Iterator[str]:
        """Yield the paragraphs of a text as the reader sees them."""
        for paragraph in paragraphs(text):
            marked = _ESCAPED_CITATIONS.sub(self._mark, plain(paragraph))
            yield _MAKES_A_LINK.sub(r"]\\", marked)

    def _mark(self, citations: re.Match[str]) -> str:
        return self.mark(self.findings(cited(citations.group().replace("\\", ""))))


def _stated_titles(sources: Iterable[Source]) -> Container[str]:
    return {
        " ".join(words(source.title))
        for source in sources
        if source.origin and source.origin.kind in HANDED_OVER
    }


def _headline(text: str, stated: Container[str]) -> str:
    """Return a title or heading, as a quote if it is only a document's own title."""
    shown = plain(text)
    return f"\u201c{shown}\u201d" if " ".join(words(text)) in stated else shown


def _section(section: Section, numbering: _Numbering, stated: Container[str]) -> Iterator[str]:
    yield f"## {_headline(section.heading, stated)}"
    yield from numbering.shown(section.body)
    yield from _quotes(cited(section.body), section.body, numbering)


def _only_in_summary(report: Report) -> list[int]:
    """Return the numbers that no section cites, so that their quotes would be shown nowhere."""
    in_sections = {number for section in report.sections for number in cited(section.body)}
    return [number for number in cited(report.summary) if number not in in_sections]


def _quotes(numbers: Iterable[int], text: str, numbering: _Numbering) -> Iterator[str]:
    for finding in numbering.findings(numbers):
        if not stands_in(finding.words, text):
            shown = finding.passage.cut if finding.passage else finding.quote
            yield f"> \u201c{plain(shown)}\u201d{numbering.mark([finding])}{_where(finding)}"


def _where(finding: CheckedFinding) -> str:
    where = finding.passage.where if finding.passage else ""
    return f", {plain(where)}" if where else ""


def _notes(report: Report, numbering: _Numbering) -> Iterator[str]:
    """Yield the sentences that quotes are cut from, since the rest may change the sense."""
    around = [
        f"- \u201c{plain(sentence_of(finding.passage))}\u201d{numbering.mark([finding])}"
        for finding in numbering.findings(all_cited(report))
        if finding.passage and finding.passage.is_cut
    ]
    if around:
        yield "## Quotes in their sentences"
        yield (
            "Quotes with \u201c\u2026\u201d are parts of sentences. "
            "Here they are with what stands around them."
        )
        yield "\n".join(dict.fromkeys(around))


def _described(source: Source) -> str:
    """Return a source and where it came from. What somebody says of it is marked as their word."""
    title, origin = plain(source.title), source.origin
    if origin is None:
        return f"{title} ({plain(source.id)}; its origin was not recorded).{_address(source)}"
    if origin.kind == "fetched":
        return f"{title}. {_fetched(source, origin)}"
    if origin.kind == "library":
        return f"{title}. From the library ({plain(source.id)}).{_address(source)}"
    stated = f"Stated title, not checked: \u201c{title}\u201d."
    return f"{_brought(source, origin)} {stated}{_address(source)}"


def _brought(source: Source, origin: Origin) -> str:
    if origin.kind == "service":
        return f"A document that {plain(origin.service)} provided on {_moment(origin)}."
    who = plain(origin.by) or "the requester"
    return f"A document that {who} sent with the request ({plain(source.id)})."


def _fetched(source: Source, origin: Origin) -> str:
    address = source.url or ""
    # An address that is a link here is one that was read.
    shown = f"<{address}>" if _LINKABLE.fullmatch(address) else plain(address)
    found = f", found by {plain(origin.service)}" if origin.service else ""
    return f"Fetched by Countersign on {_moment(origin)} from {shown}{found}."


def _moment(origin: Origin) -> str:
    return f"{plain(origin.at[:10])} at {plain(origin.at[11:16])} UTC"


def _address(source: Source) -> str:
    return f" Stated address, not checked: {plain(source.url)}." if source.url else ""


NOTHING_FOUND = "Nothing was found on: {}."
NOTHING_CONFIRMED = "Nothing of what was found could be confirmed on: {}."


def gaps(
    found: Iterable[tuple[str, Sequence[Finding]]],
    supported: Sequence[SubtopicFinding],
    *,
    topic: str,
) -> list[str]:
    """Return a sentence for each subtopic without a supported claim.

    A finding that repeats a claim made for another subtopic counts, for it is kept there.

    Args:
        found: pairs of a subtopic and all that was found for it, in the order of the plan.
        supported: the supported findings.
        topic: what the report is on; as one of its own subtopics it is never missing.
    """
    said: list[str] = []
    for subtopic, findings in found:
        kept = any(
            claim.subtopic == subtopic
            or any(near_duplicates(each.claim, claim.claim) for each in findings)
            for claim in supported
        )
        if subtopic != topic and not kept:
            sentence = NOTHING_CONFIRMED if findings else NOTHING_FOUND
            said.append(sentence.format(subtopic))
    return said


TOPIC: Final = "Topic: {}"
"""A topic may claim what no source says, so it says what it is."""


def titled(title: str, topic: str) -> str:
    """Return a title that claims nothing by being a topic; a question claims nothing anyway."""
    return TOPIC.format(title) if words(title) == words(topic) and not asks(topic) else title


# Many readers make a link of a bare address, too: https://github.github.com/gfm/#autolinks-extension-
_ADDRESS = r"(?<=http):(?=//)|(?<=https):(?=//)|(?<=ftp):(?=//)|(?<=www)\."
_INLINE = re.compile(
    rf"[\\`*\[\]<>|~]|(?<![^\W_])_|_(?![^\W_])|&(?=#?\w+;)|!(?=\[)|{_ADDRESS}", re.IGNORECASE
)
_LINE_START = re.compile(r"^(#{1,6}(?=\s|$)|[-+=](?=[\s=-]|$)|\d{1,9}(?=[.)](?:\s|$)))")


def plain(text: str) -> str:
    """Return the text on one line, with every mark that Markdown would act on escaped.

    Addresses in it become no links.
    """
    escaped = _INLINE.sub(lambda mark: "\\" + mark.group(), " ".join(printable(text).split()))
    return _LINE_START.sub(_disarmed, escaped)


def _disarmed(start: re.Match[str]) -> str:
    mark = start.group()
    return f"{mark}\\" if mark.isdigit() else f"\\{mark}"
