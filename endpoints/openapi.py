"""The description of the API (OpenAPI 3.1), made from the models that read its bodies."""

from __future__ import annotations

from functools import cache
from typing import Any

from pydantic.json_schema import models_json_schema

from countersign.commands.bodies import QuestionBody, StrictBody, WithdrawBody
from countersign.operations.summary import STATES
from countersign.purchases.order_bodies import OrderDecisionBody, OrderRequestBody
from countersign.research.report_bodies import ReportDecisionBody, ReportRequestBody
from endpoints.links import ROOT

_ID = {
    "name": "id",
    "in": "path",
    "required": True,
    "schema": {"type": "string", "pattern": "^[a-z]+-[0-9a-f]{24}$"},
}
_VERSION = {
    "name": "version",
    "in": "path",
    "required": True,
    "schema": {"type": "integer", "minimum": 1},
}
_KEY = {
    "name": "Idempotency-Key",
    "in": "header",
    "schema": {"type": "string", "pattern": "^[\\x21-\\x7e]{1,200}$"},
    "description": "The same key and body again get the same operation.",
}

_LIMIT = {
    "name": "limit",
    "in": "query",
    "schema": {"type": "integer", "minimum": 1, "maximum": 100, "default": 20},
}
_CURSOR = {
    "name": "cursor",
    "in": "query",
    "schema": {"type": "string"},
    "description": "The cursor of the page before; a made-up one is malformed.",
}

_SINCE = {
    "name": "since",
    "in": "query",
    "schema": {"type": "integer", "minimum": 1},
    "description": "Show the changes since this version; without it, since the one before.",
}
_FILE_NAME = {
    "name": "X-File-Name",
    "in": "header",
    "required": True,
    "schema": {"type": "string"},
    "description": "The file's name in UTF-8, percent-encoded; its ending says how it is read.",
}
_FILE = {
    "name": "file",
    "in": "path",
    "required": True,
    "schema": {"type": "string"},
}

_BODIES: tuple[type[StrictBody], ...] = (
    ReportRequestBody,
    OrderRequestBody,
    ReportDecisionBody,
    OrderDecisionBody,
    WithdrawBody,
    QuestionBody,
)

_PROBLEMS = {
    "401": "unauthenticated: no token, or one that proves nobody",
    "403": "not_authorised: with the roles that this needs; own_request or forgery_suspected;"
    " people_only: the token belongs to a program; insufficient_scope: it is for something else",
    "404": "not_found: no such thing in your tenant; not_published, no_report or report_missing",
    "409": "already_decided, superseded, digest_mismatch, idempotency_conflict, report_altered,"
    " ledger_broken, question_open, questions_spent or another_person: X-Countersign names somebody"
    " else",
    "410": "expired: with the role that it was escalated to",
    "411": "length_required",
    "413": "too_large",
    "415": "unsupported_type: with the endings of files that are read",
    "422": "malformed: with the fields; or unreadable: a file that no text can be had from",
    "503": "keys_unavailable, not_configured, store_unavailable or busy",
}


@cache
def description() -> dict[str, Any]:
    """The whole description, as JSON."""
    from countersign.research.evidence import Evidence

    _, schemas = models_json_schema(
        [*((body, "validation") for body in _BODIES), (Evidence, "serialization")],
        ref_template="#/components/schemas/{model}",
    )
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Countersign",
            "version": "1",
            "description": "Agents and people prepare; a named person answers for what goes out."
            " Research reads only what it is given: the operator's library, or the documents of a"
            " request. `GET /sources` says where else it may look, if anywhere.",
        },
        "servers": [{"url": ROOT}],
        "security": [{"token": []}],
        "paths": _paths(),
        "components": {
            "schemas": {**schemas["$defs"], "Problem": _PROBLEM},
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"}
            },
        },
    }


_PROBLEM = {
    "type": "object",
    "description": "RFC 9457; `code` tells the cases apart, and each has facts of its own.",
    "required": ["type", "title", "status", "detail", "code"],
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "code": {"type": "string"},
    },
}


_VERSION_VIEW = {
    "type": "object",
    "description": "A version; of a report with what it can be checked against.",
    "properties": {
        "evidence": {"anyOf": [{"$ref": "#/components/schemas/Evidence"}, {"type": "null"}]}
    },
}


def _paths() -> dict[str, Any]:
    one = "/operations/{id}"
    version = f"{one}/proposals/{{version}}"
    return {
        "/me": {"get": _call("Who am I, and what may I do?", problems="401 503")},
        "/documents": {
            "get": _call("Which documents are read", problems="401 403 503"),
            "post": _call(
                "Read a document as text; nothing is kept",
                parameters=[_FILE_NAME],
                body=bytes,
                problems="401 403 409 411 413 415 422 503",
            ),
        },
        "/sources": {
            "get": _call("Where research can look", problems="401 403 503"),
        },
        "/research": {
            "post": _call(
                "Ask for a report",
                {"202": "accepted", "200": "accepted before"},
                parameters=[_KEY],
                body=ReportRequestBody,
                problems="401 403 409 411 413 422 503",
            )
        },
        "/purchases": {
            "post": _call(
                "Ask for an order",
                {"202": "accepted", "200": "accepted before"},
                parameters=[_KEY],
                body=OrderRequestBody,
                problems="401 403 409 411 413 422 503",
            )
        },
        "/operations": {
            "get": _call(
                "List operations",
                parameters=[_query("state", enum=list(STATES)), _LIMIT, _CURSOR],
                problems="401 403 422 503",
            )
        },
        one: {"get": _call("Look at an operation", parameters=[_ID])},
        f"{one}/history": {"get": _call("Read an operation's ledger", parameters=[_ID])},
        f"{one}/report": {
            "get": _call(
                "Read the published report",
                parameters=[_ID],
                media="text/markdown",
                problems="401 403 404 409 503",
            )
        },
        f"{one}/proof": {
            "get": _call(
                "Take the operation's signed proof away, see docs/proof.md",
                parameters=[_ID],
                problems="401 403 404 409 503",
            )
        },
        "/proof-key": {
            "get": _call("The public key of proofs", problems="503", public=True),
        },
        f"{one}/withdraw": {
            "post": _call(
                "Take a request back",
                parameters=[_ID],
                body=WithdrawBody,
                problems="401 403 404 409 410 411 413 422 503",
            )
        },
        f"{one}/retry": {
            "post": _call(
                "Have work tried again now that waits for an operator",
                parameters=[_ID],
                problems="401 403 404 409 503",
            )
        },
        "/proposals": {
            "get": _call(
                "List what waits for you",
                parameters=[
                    _query("status", const="pending"),
                    _query("operation"),
                    _LIMIT,
                    _CURSOR,
                ],
                problems="401 403 404 422 503",
            )
        },
        version: {
            "get": _call(
                "Look at a version",
                parameters=[_ID, _VERSION, _SINCE],
                problems="401 403 404 422 503",
                schema=_VERSION_VIEW,
            )
        },
        f"{version}/decision": {
            "post": _call(
                "Decide about a version",
                {"200": "recorded, or the same decision again: the first receipt"},
                parameters=[_ID, _VERSION],
                body=(ReportDecisionBody, OrderDecisionBody),
                problems="401 403 404 409 410 411 413 422 503",
            )
        },
        f"{version}/questions": {
            "get": _call(
                "Read what the fact-checker was asked",
                parameters=[_ID, _VERSION],
                problems="401 403 404 503",
            ),
            "post": _call(
                "Ask the fact-checker",
                {"202": "asked, and being answered"},
                parameters=[_ID, _VERSION],
                body=QuestionBody,
                problems="401 403 404 409 410 411 413 422 503",
            ),
        },
        "/review": {
            "get": _call("The reviewer's page", problems="", public=True, media="text/html")
        },
        "/review/{file}": {
            "get": _call(
                "A part of the reviewer's page",
                parameters=[_FILE],
                problems="404",
                public=True,
                media="*/*",
            )
        },
        "/review/{room}/{file}": {
            "get": _call(
                "A part of the reviewer's page",
                parameters=[{**_FILE, "name": "room"}, _FILE],
                problems="404",
                public=True,
                media="*/*",
            )
        },
        "/sign-in": {"get": _call("How people sign in to the page", problems="503", public=True)},
        "/health": {"get": _call("Is it alive?", problems="", public=True)},
        "/openapi.json": {"get": _call("This description", problems="", public=True)},
    }


def _call(
    summary: str,
    answers: dict[str, str] | None = None,
    *,
    parameters: list[dict[str, Any]] | None = None,
    body: type[StrictBody] | tuple[type[StrictBody], ...] | type[bytes] | None = None,
    problems: str = "401 403 404 503",
    **more: Any,
) -> dict[str, Any]:
    media = more.get("media", "application/json")
    responses: dict[str, Any] = {
        status: {"description": text, "content": {media: _shown(more.get("schema"))}}
        for status, text in (answers or {"200": "as asked"}).items()
    }
    problem = {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
    responses.update(
        {each: {"description": _PROBLEMS[each], "content": problem} for each in problems.split()}
    )
    call: dict[str, Any] = {"summary": summary, "responses": responses}
    if parameters:
        call["parameters"] = parameters
    if body:
        call["requestBody"] = {"required": True, "content": _content(body)}
    if more.get("public"):
        call["security"] = []
    return call


def _shown(schema: dict[str, Any] | None) -> dict[str, Any]:
    return {"schema": schema} if schema else {}


def _content(body: type[StrictBody] | tuple[type[StrictBody], ...] | type[bytes]) -> dict[str, Any]:
    if isinstance(body, tuple):
        # Not `oneOf`: where nothing is corrected, a body is the same for each kind.
        return {"application/json": {"schema": {"anyOf": [_reference(each) for each in body]}}}
    if issubclass(body, bytes):
        return {"application/octet-stream": {}}
    return {"application/json": {"schema": _reference(body)}}


def _reference(body: type[StrictBody]) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/{body.__name__}"}


def _query(name: str, **schema: Any) -> dict[str, Any]:
    return {"name": name, "in": "query", "schema": schema or {"type": "string"}}
