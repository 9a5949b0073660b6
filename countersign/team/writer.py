"""The writer: makes a report of supported claims, and nothing else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from countersign.platform.threads import RESEARCH
from countersign.sources.library import Catalogue
from countersign.team.calls import Calls
from countersign.team.draft import Draft, assembled, composed
from countersign.team.errors import AnswerCut, AnswerEmpty, NothingSupported, NotInForm, Uncited
from countersign.team.models import CheckedFinding, Report
from countersign.team.questions import question
from countersign.team.roles import WRITER
from countersign.team.wish import Wish


async def write(
    calls: Calls,
    *,
    topic: str,
    findings: Sequence[CheckedFinding],
    library: Catalogue,
    wish: Wish | None = None,
) -> Draft:
    """Write a report; `[n]` in it cites the n-th finding, counted from 1.

    Citations of anything else are dropped, and every sentence that cites nothing is left out. If
    the model writes nothing of use, a first draft consists of the findings as they are.

    Args:
        calls: Makes the calls.
        topic: What the report is on.
        findings: The findings that the fact-checker supports, in order.
        library: Where the quotes are from; their sources' titles are shown to the model.
        wish: What a reviewer wants changed. The report's note says how their comment was taken, and
            its answers what became of their remarks.

    Raises:
        NothingSupported: There are no findings.
        TeamError: The model cannot be asked, or its answer cannot be used (`errors` has each).
    """
    if not findings:
        raise NothingSupported
    asked: dict[str, object] = {
        "topic": topic,
        "claims": [_shown(*item, library) for item in enumerate(findings, start=1)],
    }
    if wish:
        asked |= wish.asked()
    known = _known(findings, library, topic)
    drafts: list[Draft] = []

    def compose(report: Report) -> None:
        told = report if wish else report.model_copy(update={"note": "", "answers": []})
        drafts.append(composed(told, findings, known, topic=topic))

    try:
        await calls.answer(WRITER, question(asked), Report, check=compose)
    except (AnswerCut, AnswerEmpty, NotInForm, Uncited):
        if wish:
            raise
        return await RESEARCH.run(partial(assembled, findings, known, topic=topic))
    return drafts[-1]


def _known(findings: Sequence[CheckedFinding], library: Catalogue, topic: str) -> str:
    """All text that an address in a report may be from."""
    sources = [library.source(each) for each in dict.fromkeys(each.source for each in findings)]
    addresses = [source.url or "" for source in sources]
    return "\n".join([topic, *addresses, *(finding.words for finding in findings)])


def _shown(number: int, finding: CheckedFinding, library: Catalogue) -> Mapping[str, object]:
    return {
        "number": number,
        "subtopic": finding.subtopic,
        "claim": finding.claim,
        "quote": finding.words,
        "source": library.source(finding.source).title,
    }
