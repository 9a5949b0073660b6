"""Problem documents (RFC 9457): every way in which a request can go wrong, with its status."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import azure.functions as func

from countersign.approvals.errors import (
    AlreadyDecided,
    DigestMismatch,
    Expired,
    Invalid,
    NotAuthorised,
    NotFound,
    OwnRequest,
    QuestionOpen,
    QuestionsSpent,
    Refusal,
    Superseded,
)


class Problem(Exception):
    """A request that is answered with a problem document.

    Attributes:
        status: the HTTP status.
        code: what programs tell the cases apart by.
        detail: a sentence for people.
        facts: further members of the document.
    """

    def __init__(self, status: int, code: str, detail: str, **facts: Any) -> None:
        super().__init__(detail)
        self.status, self.code, self.detail, self.facts = status, code, detail, facts

    def response(self) -> func.HttpResponse:
        """The answer that says so."""
        document = {
            "type": f"urn:countersign:problem:{self.code}",
            "title": self.code.replace("_", " ").capitalize(),
            "status": self.status,
            "detail": self.detail,
            "code": self.code,
            **self.facts,
        }
        headers = {"Cache-Control": "no-store"}
        if self.status == 401:
            headers["WWW-Authenticate"] = "Bearer"
        return func.HttpResponse(
            json.dumps(document),
            status_code=self.status,
            mimetype="application/problem+json",
            headers=headers,
        )


def not_found() -> Problem:
    """There is no such thing in the caller's tenant, and nothing more is told."""
    return Problem(404, "not_found", "There is no such operation or version in your tenant.")


def malformed(fields: Mapping[str, str]) -> Problem:
    """The request has fields that can't be taken; each is named with its reason."""
    detail = "; ".join(f"{name}: {reason}" for name, reason in fields.items())
    return Problem(422, "malformed", f"{detail}.", fields=dict(fields))


def refused(refusal: Refusal) -> Problem:  # noqa: C901 - one case for each refusal, in one place
    """The one answer to each refusal of the domain."""
    match refusal:
        case NotFound():
            return not_found()
        case NotAuthorised(needs=needs):
            return Problem(403, "not_authorised", f"This needs {needs}.", needs=needs)
        case OwnRequest():
            return Problem(
                403, "own_request", "You asked for this yourself, so somebody else has to decide."
            )
        case AlreadyDecided(by=by, at=at, decision=decision):
            detail = f"{by} recorded {decision} at {at.isoformat()}, and that stands."
            facts = {"by": by, "at": at.isoformat(), "decision": decision}
            return Problem(409, "already_decided", detail, **facts)
        case Superseded(current=current):
            detail = f"Version {current} has taken this version's place."
            return Problem(409, "superseded", detail, current=current)
        case Expired(at=at, escalated_to=role):
            went = f"it was escalated to {role}" if role else "it was not escalated"
            detail = f"The time to decide ended at {at.isoformat()}; {went}."
            return Problem(410, "expired", detail, at=at.isoformat(), escalated_to=role)
        case DigestMismatch(current=digest):
            detail = "The digest is not that of this version: look at it again before deciding."
            return Problem(409, "digest_mismatch", detail, current=digest)
        case Invalid(fields=fields):
            return malformed(fields)
        case QuestionOpen(question_id=question_id):
            detail = "Your last question has no answer yet: ask again once it has."
            return Problem(409, "question_open", detail, question_id=question_id)
        case QuestionsSpent(most=most):
            detail = f"{most} questions were asked about this, and it takes no more."
            return Problem(409, "questions_spent", detail, most=most)
