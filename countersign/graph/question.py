"""What a person is asked about a version: its text and evidence, never only which version it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from countersign.approvals.operation import Operation, Proposal
from countersign.approvals.quorum import still_needed
from countersign.platform.counted import counted
from countersign.platform.scripts import mixed_words

if TYPE_CHECKING:
    from countersign.reports.evidence import Evidence
    from countersign.services import Services

QUESTION = "approve"

LONGEST_EXCERPT = 20_000
"""Characters of a report in a question; most reports have fewer."""

MOST_NAMED = 20
"""Sources, doubts and lines of a kind that a question names; it counts all of them."""


async def question_about(app: Services, operation: Operation, proposal: Proposal) -> dict[str, Any]:
    """Return the question whether a version may be published, as plain JSON.

    Where `text_complete` is false, `text` is the beginning of the text, and `whole_text` says how
    to read the rest.

    Raises:
        ArtifactError: the text or its evidence is missing or damaged.
    """
    # Imported here because building their models takes longer than most steps.
    from countersign.reports.evidence import evidence_of
    from countersign.reports.report import read_report

    evidence = await evidence_of(app.artifacts, operation, proposal)
    assert evidence is not None  # noqa: S101 - a team's work has evidence
    text = (await read_report(app.artifacts, operation.shelf, proposal.content)).text
    return {
        "question": QUESTION,
        "tenant": operation.tenant,
        "operation_id": operation.id,
        "title": operation.title,
        "requester": operation.requester.name,
        "version": proposal.version,
        "digest": proposal.digest,
        "content": proposal.content,
        "evidence": proposal.evidence,
        "text": text[:LONGEST_EXCERPT],
        "text_characters": len(text),
        "text_complete": len(text) <= LONGEST_EXCERPT,
        "whole_text": f"python -m countersign.graph show {operation.id}",
        "mixed_scripts": _mixed(operation.title, operation.requester.name, text),
        "notes": evidence.notes,
        "evidence_summary": summary_of(evidence),
        "required_role": proposal.required_role,
        "still_to_approve": still_to_approve(proposal),
        "expires_at": proposal.expires_at.isoformat(),
    }


def _mixed(*texts: str) -> str | None:
    """Words whose letters come from more than one script; None if there are none."""
    found = mixed_words(texts)
    return ", ".join(f"{each.word} ({' and '.join(each.scripts)})" for each in found) or None


def summary_of(evidence: Evidence) -> dict[str, Any]:
    """Return how far a text is backed: counts, and the first of what a reviewer has to look at."""
    claims = evidence.claims
    grave = [doubt for doubt in evidence.doubts if doubt.grave]
    return {
        "claims": len(claims),
        "quotes_found": sum(claim.found for claim in claims),
        "supported": sum(claim.supported for claim in claims),
        "used": sum(claim.used for claim in claims),
        "own_text": evidence.own_text,
        "sources": [
            {
                "title": source.title,
                "url": source.url,
                "origin": source.origin.kind if source.origin else None,
            }
            for source in evidence.sources[:MOST_NAMED]
        ],
        "source_count": len(evidence.sources),
        "grave_doubts": [
            {"sentence": doubt.sentence, "reasons": list(doubt.reasons)}
            for doubt in grave[:MOST_NAMED]
        ],
        "grave_doubt_count": len(grave),
        "other_doubt_count": len(evidence.doubts) - len(grave),
        "contradictions": len(evidence.contradictions),
        "gaps": evidence.gaps[:MOST_NAMED],
        "unread": evidence.unread[:MOST_NAMED],
    }


def still_to_approve(proposal: Proposal) -> str | None:
    """Return who has to approve a pending version yet, in words; None if nobody has to or can."""
    if proposal.status != "pending":
        return None
    needed = still_needed(proposal, proposal.approvals)
    return " and ".join(
        f"{counted(each.count, 'person', 'people')} as {' or '.join(each.roles)}" for each in needed
    )
