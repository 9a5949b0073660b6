"""Problem documents (RFC 9457): every way in which a request can go wrong, with its status."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import azure.functions as func

from countersign.approvals.errors import Invalid, NotFound, Refusal
from countersign.operations.refusals import explain


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
        if self.code in CHALLENGES:
            headers["WWW-Authenticate"] = CHALLENGES[self.code]
        if self.code in RETRY_AFTER_SECONDS:
            headers["Retry-After"] = str(RETRY_AFTER_SECONDS[self.code])
        return func.HttpResponse(
            json.dumps(document),
            status_code=self.status,
            mimetype="application/problem+json",
            headers=headers,
        )


STATUSES = {
    "not_found": 404,
    "not_authorised": 403,
    "own_request": 403,
    "people_only": 403,
    "already_decided": 409,
    "superseded": 409,
    "expired": 410,
    "digest_mismatch": 409,
    "malformed": 422,
    "question_open": 409,
    "questions_spent": 409,
}
"""The HTTP status of each refusal."""


CHALLENGES = {
    "unauthenticated": "Bearer",
    "insufficient_scope": 'Bearer error="insufficient_scope"',
}
"""What a better token would mend (RFC 6750, section 3)."""

RETRY_AFTER_SECONDS = {"busy": 2, "keys_unavailable": 10, "store_unavailable": 10}
"""What passes, and when to try again."""


def not_found() -> Problem:
    """There is no such thing in the caller's tenant, and nothing more is told."""
    return refused(NotFound())


def malformed(fields: Mapping[str, str]) -> Problem:
    """The request has fields that can't be taken; each is named with its reason."""
    return refused(Invalid(fields=fields))


def refused(refusal: Refusal) -> Problem:
    """The one answer to each refusal of the domain."""
    told = explain(refusal)
    return Problem(STATUSES[told.code], told.code, told.detail, **told.facts)
