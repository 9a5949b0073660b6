"""The steps of the team in the order in which the app takes them, with the embedded model."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pytest

from countersign.research.judging import sources_of
from countersign.sources.in_threads import InThreads
from countersign.sources.library import Library
from countersign.team import fact_checker, researcher, writer
from countersign.team.budget import TokenBudget
from countersign.team.calls import Calls
from countersign.team.chat import ModelChoice
from countersign.team.claims import merged
from countersign.team.colophon import colophon
from countersign.team.fact_checker import RoundToJudge
from countersign.team.models import CheckedFinding, Doubt, FactCheckResult
from countersign.team.proofreader import proofread
from countersign.team.quotes import checked
from countersign.team.report import to_markdown
from countersign.team.wish import Wish

CHOICE = ModelChoice(provider="extractive")


@dataclass(frozen=True, kw_only=True)
class Investigation:
    """What came of a topic; there is no report unless the facts were approved."""

    subtopics: Sequence[str]
    findings: Sequence[CheckedFinding]
    result: FactCheckResult
    supported: Sequence[CheckedFinding]
    report: str | None
    note: str
    doubts: Sequence[Doubt]
    tokens: int


async def investigate(
    topic: str,
    library: Library,
    *,
    subtopics: Sequence[str] = (),
    previous: str | None = None,
    comment: str | None = None,
) -> Investigation:
    calls = Calls(CHOICE, TokenBudget(10_000_000))
    if not subtopics:
        plan = await researcher.plan(calls, topic=topic, titles=library.titles())
        subtopics = plan.subtopics
    shelves = InThreads(library)
    found = [
        (each, await researcher.research(calls, topic=topic, subtopic=each, library=shelves))
        for each in subtopics
    ]
    findings = checked(merged(found), library)
    titles = {source.id: source.title for source in sources_of(findings, library)}
    result = await fact_checker.check(
        calls, RoundToJudge(topic=topic, subtopics=subtopics, findings=findings, titles=titles)
    )
    supported = [
        finding
        for finding, verdict in zip(findings, result.verdicts, strict=True)
        if verdict.supported
    ]
    report, note, doubts = None, "", []
    if result.approved:
        draft = await writer.write(
            calls,
            topic=topic,
            findings=supported,
            library=library,
            wish=Wish(previous=previous or "", comment=comment) if comment else None,
        )
        proof = await proofread(calls, draft, supported, topic=topic, titles=list(titles.values()))
        written, doubts = proof.draft.report, proof.doubts
        report, note = to_markdown(written, supported, library, colophon(CHOICE)), written.note
    return Investigation(
        subtopics=subtopics,
        findings=findings,
        result=result,
        supported=supported,
        report=report,
        note=note,
        doubts=doubts,
        tokens=await calls.budget.account.spent(),
    )


@pytest.fixture(name="investigate")
def investigate_fixture() -> Callable[..., object]:
    """Plans, researches, checks and writes."""
    return investigate
