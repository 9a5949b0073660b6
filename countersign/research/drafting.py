"""A draft of a report as the team hands it over: written from what is proved, then proofread.

What a reviewer wants and no claim has is researched before, between two versions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from countersign.reports.evidence import Evidence
from countersign.research.judging import added, judge
from countersign.retrieval.collection import Collection
from countersign.team import researcher, writer
from countersign.team.calls import Calls
from countersign.team.claims import merged
from countersign.team.fact_checker import RoundToJudge, nothing_found
from countersign.team.proofreader import Proofread, proofread
from countersign.team.researcher import Earlier
from countersign.team.wish import Wish


@dataclass(frozen=True, kw_only=True, slots=True)
class Further:
    """What is known after a wish was looked into.

    Attributes:
        evidence: all that is known now.
        note: a sentence on what was looked up and what came of it; empty if nothing was.
    """

    evidence: Evidence
    note: str = ""


async def look_into(
    calls: Calls, *, topic: str, comment: str, evidence: Evidence, collection: Collection
) -> Further:
    """Look up the facts that a comment asks for and no claim has, if it asks for any.

    Args:
        calls: makes the calls.
        topic: what the report is on.
        comment: what a reviewer wants.
        evidence: what is known so far.
        collection: where to look.

    Raises:
        TeamError: it can't be done.
        SourceError: the library can't be read.
    """
    proved = [claim.claim for claim in evidence.supported()]
    wanted = await researcher.wanted(calls, topic=topic, claims=proved, comment=comment)
    if not wanted.look_up:
        return Further(evidence=evidence)
    subtopic = wanted.subtopic or wanted.look_up[0]
    found = await researcher.research(
        calls,
        topic=topic,
        subtopic=subtopic,
        library=collection,
        earlier=Earlier(proved=proved, notes=comment),
        queries=wanted.look_up,
    )
    new = merged([(subtopic, found)], proved)
    library = await collection.library()
    asked = RoundToJudge(
        topic=topic, subtopics=[subtopic], nothing=nothing_found([found]), last=True
    )
    judged = await judge(calls, new, library, asked)
    known = added(evidence, judged.claims, judged.sources, evidence.notes)
    return Further(
        evidence=known.also_unread(collection.unread),
        note=_told(found.looked_up or (), sum(claim.supported for claim in judged.claims)),
    )


def _told(looked_up: Sequence[str], proved: int) -> str:
    searches = ", ".join(f"\u201c{each}\u201d" for each in looked_up)
    if not proved:
        return f"Looked up for this: {searches}. Nothing that could be proved was found."
    claims = "1 claim was" if proved == 1 else f"{proved} claims were"
    return f"Looked up for this: {searches}. {claims} found and proved."


@dataclass(frozen=True, kw_only=True, slots=True)
class Assignment:
    """What is to be written.

    Attributes:
        topic: what the report is on.
        wish: what a reviewer wants instead of their text; None for a first draft.
    """

    topic: str
    wish: Wish | None = None


async def drafted(calls: Calls, wanted: Assignment, evidence: Evidence) -> Proofread:
    """Write a draft from the supported claims, and have every line of it proofread.

    Raises:
        NothingSupported: there is no claim to write about, or nothing is left of the draft.
        TeamError: it can't be done.
    """
    findings = [claim.finding() for claim in evidence.supported()]
    draft = await writer.write(
        calls,
        topic=wanted.topic,
        findings=findings,
        library=evidence,
        wish=wanted.wish,
    )
    titles = [source.title for source in evidence.sources]
    return await proofread(calls, draft, findings, topic=wanted.topic, titles=titles)
