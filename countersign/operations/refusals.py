"""What people and programs are told of each refusal of the domain."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from countersign.approvals.errors import (
    AlreadyDecided,
    DigestMismatch,
    Expired,
    Invalid,
    LastVersion,
    Missing,
    NotAuthorised,
    NotFound,
    OwnRequest,
    PasskeyRefused,
    PasskeyRequired,
    PeopleOnly,
    QuestionOpen,
    QuestionsSpent,
    Refusal,
    Superseded,
)
from countersign.approvals.outcome import Ending
from countersign.operations.wrong_fields import wrong_fields
from countersign.steps.records import Stop

if TYPE_CHECKING:
    from pydantic import ValidationError


@dataclass(frozen=True, kw_only=True, slots=True)
class Explanation:
    """A refusal in words.

    Attributes:
        code: what programs tell the cases apart by.
        detail: a sentence for people.
        facts: what the case names, as JSON.
    """

    code: str
    detail: str
    facts: Mapping[str, Any]


def explain(refusal: Refusal) -> Explanation:  # noqa: C901 - one case for each, in one place
    """Return the one explanation of each refusal."""
    match refusal:
        case NotFound(what=what):
            return _told("not_found", _MISSING[what])
        case NotAuthorised(needs=needs):
            return _told("not_authorised", f"This requires {needs}.", needs=needs)
        case OwnRequest():
            detail = "You requested this yourself, so someone else has to decide."
            return _told("own_request", detail)
        case PeopleOnly():
            detail = "The token belongs to a program, and only a person can decide."
            return _told("people_only", detail)
        case PasskeyRequired():
            detail = "This approval has to be signed with one of your passkeys, on the review page."
            return _told("passkey_required", detail)
        case PasskeyRefused(reason=reason):
            return _told("passkey_refused", reason)
        case AlreadyDecided(by=by, at=at, decision=decision):
            detail = f"{_done(by, decision)} at {at.isoformat()}, and that stands."
            return _told("already_decided", detail, by=by, at=at.isoformat(), decision=decision)
        case Superseded(current=current):
            detail = f"Version {current} has replaced this version."
            return _told("superseded", detail, current=current)
        case Expired(at=at, escalated_to=role):
            went = f"it was escalated to {role}" if role else "it was not escalated"
            detail = f"The deadline passed at {at.isoformat()}; {went}."
            return _told("expired", detail, at=at.isoformat(), escalated_to=role)
        case DigestMismatch(current=digest):
            detail = (
                "The digest is not that of this version. Read the version again before you decide."
            )
            return _told("digest_mismatch", detail, current=digest)
        case Invalid(fields=fields):
            detail = "; ".join(f"{name}: {reason}" for name, reason in fields.items())
            return _told("malformed", f"{detail}.", fields=dict(fields))
        case LastVersion(most=most):
            detail = (
                f"Version {most} is the last one, so it takes no correction. Request changes in"
                " words: then the person who owns the matter has to take over."
            )
            return _told("last_version", detail, most=most)
        case QuestionOpen(question_id=question_id):
            detail = "Your last question has no answer yet. Wait for it before you ask again."
            return _told("question_open", detail, question_id=question_id)
        case QuestionsSpent(most=most):
            detail = f"The limit of {most} questions about this proposal is reached."
            return _told("questions_spent", detail, most=most)


def stopped_by(refusal: Refusal) -> Stop:
    """Return how the operation ends, because the ledger no longer lets the work continue."""
    if isinstance(refusal, AlreadyDecided):
        outcome = _ENDS_AS.get(refusal.decision, "failed")
        return Stop(ends_as=outcome, reason=explain(refusal).detail)
    return Stop(ends_as="failed", reason=f"The step was refused. {explain(refusal).detail}")


def malformed(error: ValidationError) -> Invalid:
    """Which fields can't be taken, and why; what they held is not repeated."""
    return Invalid(fields=wrong_fields(error, whole="answer"))


_MISSING: Mapping[Missing | None, str] = {
    None: "Your tenant has no such operation or version.",
    "operation": "Your tenant has no such operation.",
    "version": "The operation has no such version.",
    "comment": "The version has no such comment.",
    "evidence": "The version has no evidence.",
    "claim": "The version's evidence has no such claim.",
    "question": "No such question about the version has an answer.",
    "quote": "The answer has no such quote.",
    "source": "The source of this quote was not kept.",
}

_DONE = {
    "approve": "approved this version",
    "reject": "rejected this version",
    "revise": "requested changes",
    "withdraw": "withdrew the request",
    "stop": "stopped the operation",
}

_ENDS_AS: Mapping[str, Ending] = {"withdraw": "withdrawn", "stop": "stopped"}
"""How an operation ends that a person ended."""


def _done(by: str, decision: str) -> str:
    """Return the beginning of a sentence about a decision or about an operation's end."""
    done = _DONE.get(decision)
    return f"{by} {done}" if done else f"The operation ended as {decision}"


def _told(code: str, detail: str, **facts: Any) -> Explanation:
    return Explanation(code=code, detail=detail, facts=facts)
