"""What a report says of the subtopics that it can say nothing about."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from countersign.team.claims import near_duplicates
from countersign.team.models import Finding, SubtopicFinding

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
