"""The writer: makes a report of supported claims, and nothing else."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence

from countersign.sources.library import Catalogue
from countersign.team.answers import answer
from countersign.team.calls import Calls
from countersign.team.citations import only_cited
from countersign.team.errors import NothingSupported, Uncited
from countersign.team.models import CheckedFinding, Report, Section
from countersign.team.questions import question
from countersign.team.roles import WRITER


async def write(
    calls: Calls,
    *,
    topic: str,
    findings: Sequence[CheckedFinding],
    library: Catalogue,
    previous: str | None = None,
    comment: str | None = None,
) -> Report:
    """Write a report; `[n]` in it cites the n-th finding, counted from 1.

    Citations of anything else are dropped, and so is every paragraph that cites nothing.

    Args:
        calls: Makes the calls.
        topic: What the report is on.
        findings: The findings that the fact-checker supports, in order.
        library: Where the quotes are from; their sources' titles are shown to the model.
        previous: The text that a reviewer sent back.
        comment: What the reviewer wants changed. The report's note says how it was taken.

    Raises:
        NothingSupported: There are no findings.
        TeamError: See `errors`.
    """
    if not findings:
        raise NothingSupported
    asked: dict[str, object] = {
        "topic": topic,
        "claims": [_shown(*item, library) for item in enumerate(findings, start=1)],
    }
    if comment:
        asked |= {"previous": previous or "", "comment": comment}
    numbers = range(1, len(findings) + 1)

    def check(report: Report) -> None:
        _well_cited(report, numbers)

    report = await answer(calls, WRITER, question(asked), Report, check=check)
    return _well_cited(report.model_copy(update={} if comment else {"note": ""}), numbers)


def _shown(number: int, finding: CheckedFinding, library: Catalogue) -> Mapping[str, object]:
    return {
        "number": number,
        "subtopic": finding.subtopic,
        "claim": finding.claim,
        "quote": finding.quote,
        "source": library.source(finding.source).title,
    }


def _well_cited(report: Report, numbers: Container[int]) -> Report:
    summary = only_cited(report.summary, numbers)
    bodies = [(section.heading, only_cited(section.body, numbers)) for section in report.sections]
    sections = [Section(heading=heading, body=body) for heading, body in bodies if body]
    if not summary or not sections:
        raise Uncited
    return report.model_copy(update={"summary": summary, "sections": sections})
