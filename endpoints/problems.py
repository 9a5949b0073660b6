"""Problem documents (RFC 9457): every way in which a request can go wrong."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import azure.functions as func

from countersign.approvals.errors import Invalid, Missing, NotFound, Refusal
from countersign.operations.refusals import explain


class Problem(Exception):
    """A request that is answered with a problem document.

    Attributes:
        code: what programs tell the cases apart by; its record says what the others are.
        detail: a sentence for people.
        facts: the further fields of its record.
        retry_after: seconds after which to try again; None if that changes nothing.
    """

    def __init__(self, code: str, detail: str, **facts: Any) -> None:
        super().__init__(detail)
        self.code, self.detail, self.facts = code, detail, facts
        self.retry_after = RETRY_AFTER_SECONDS.get(code)

    def response(self) -> func.HttpResponse:
        """Return the answer that says so."""
        # Imported here because its models would slow every start of the app down.
        from endpoints.answers.problems import document, status_of

        said = document(self.code, self.detail, self.facts)
        headers = {"Cache-Control": "no-store"}
        if self.code in CHALLENGES:
            headers["WWW-Authenticate"] = CHALLENGES[self.code]
        if self.retry_after is not None:
            headers["Retry-After"] = str(self.retry_after)
        return func.HttpResponse(
            json.dumps(said.model_dump(mode="json", exclude_unset=True)),
            status_code=status_of(type(said)),
            mimetype="application/problem+json",
            headers=headers,
        )


CHALLENGES = {
    "unauthenticated": "Bearer",
    "insufficient_scope": 'Bearer error="insufficient_scope"',
}
"""What a better token would mend (RFC 6750, section 3)."""

RETRY_AFTER_SECONDS = {"busy": 2, "keys_unavailable": 10, "store_unavailable": 10}
"""What passes, and when to try again."""


def not_found(what: Missing) -> Problem:
    """Return the problem of a request that names something which the caller's tenant lacks."""
    return refused(NotFound(what=what))


def malformed(fields: Mapping[str, str]) -> Problem:
    """Return the problem of a request with wrong fields; each is named with its reason."""
    return refused(Invalid(fields=fields))


def refused(refusal: Refusal) -> Problem:
    """Return the one answer to each refusal of the domain."""
    told = explain(refusal)
    return Problem(told.code, told.detail, **told.facts)
