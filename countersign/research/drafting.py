"""A draft of a report as the team hands it over: written from what is proved, then proofread."""

from __future__ import annotations

from dataclasses import dataclass

from countersign.research.evidence import Evidence
from countersign.team import writer
from countersign.team.calls import Calls
from countersign.team.proofreader import Proofread, proofread


@dataclass(frozen=True, kw_only=True, slots=True)
class Wanted:
    """What is to be written.

    Attributes:
        topic: what the report is on.
        previous: the text that a reviewer sent back; None for a first draft.
        comment: what the reviewer wants changed.
    """

    topic: str
    previous: str | None = None
    comment: str | None = None


async def drafted(calls: Calls, wanted: Wanted, evidence: Evidence) -> Proofread:
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
        previous=wanted.previous,
        comment=wanted.comment,
    )
    titles = [source.title for source in evidence.sources]
    return await proofread(calls, draft, findings, topic=wanted.topic, titles=titles)
