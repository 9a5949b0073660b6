"""One HTTP exchange: who calls, what they sent, and how they are answered."""

from __future__ import annotations

import json
import logging
from collections.abc import Awaitable, Callable
from functools import wraps
from typing import Any, TypeAlias, TypeVar
from urllib.parse import unquote

import azure.functions as func
from pydantic import BaseModel, ValidationError
from typing_extensions import ParamSpec

from countersign.approvals.errors import LedgerError
from countersign.approvals.person import Person
from countersign.destinations.destination import WritingError
from countersign.identity.errors import KeysUnavailable, ScopeMissing, Unauthenticated
from countersign.identity.headers import signed_in_by_cookie
from countersign.stores.errors import StoreError
from countersign.wiring import services
from endpoints.problems import Problem, malformed
from endpoints.traces import mark_refused, served

P = ParamSpec("P")
Endpoint: TypeAlias = Callable[P, Awaitable[func.HttpResponse]]
Body = TypeVar("Body", bound=BaseModel)

PAGE_HEADER = "X-Countersign"
"""What requests of our own page carry: the percent-encoded id of who means to send it, or 1."""

_log = logging.getLogger(__name__)


def answered(template: str) -> Callable[[Endpoint[P]], Endpoint[P]]:
    """Let an endpoint raise what it can't go on with, and answer it as a problem document.

    No browser guesses what an answer is: it is what its Content-Type says.

    Args:
        template: the route, with names in place of what differs from request to request.
    """

    def decorate(endpoint: Endpoint[P]) -> Endpoint[P]:
        @wraps(endpoint)
        async def safely(*args: P.args, **kwargs: P.kwargs) -> func.HttpResponse:
            with served(endpoint.__name__, template, *args, *kwargs.values()) as current:
                try:
                    response = await endpoint(*args, **kwargs)
                except Exception as error:  # noqa: BLE001 - the edge of the process
                    problem = _problem(error, endpoint.__name__)
                    mark_refused(current, problem, error)
                    response = problem.response()
                response.headers["X-Content-Type-Options"] = "nosniff"
                current.set_attribute("http.response.status_code", response.status_code)
                return response

        return safely

    return decorate


def _problem(error: Exception, endpoint: str) -> Problem:
    # Imported here because a process that is being started reads no settings yet.
    from countersign.settings import SettingsError

    match error:
        case Problem():
            return error
        case ScopeMissing():
            return Problem(403, "insufficient_scope", str(error), scope=error.scope)
        case Unauthenticated():
            return Problem(401, "unauthenticated", str(error))
        case KeysUnavailable():
            return Problem(503, "keys_unavailable", str(error))
        case SettingsError():
            return Problem(503, "not_configured", str(error))
        case StoreError() | LedgerError() | WritingError():
            _log.error("%s met a broken store: %s", endpoint, error)
            detail = "What is needed for this can't be read or written now."
            return Problem(503, "store_unavailable", detail)
        case _:
            _log.error("%s failed", endpoint, exc_info=error)
            return Problem(500, "internal", "Something unforeseen went wrong.")


def answer(status: int, body: Any, *, location: str | None = None) -> func.HttpResponse:
    """A JSON answer that no cache keeps."""
    headers = {"Cache-Control": "no-store"}
    if location:
        headers["Location"] = location
    return func.HttpResponse(
        json.dumps(body), status_code=status, mimetype="application/json", headers=headers
    )


async def caller(request: func.HttpRequest, *roles: str) -> Person:
    """The person who sent the request.

    Args:
        request: the request.
        roles: if any are given, the person needs one of them.

    Raises:
        Unauthenticated: the token proves nobody, or is for something else.
        KeysUnavailable: the issuer's keys can't be had.
        Problem: 403, the roles are missing, or another site's page may have sent the request;
            409, the page that sent it shows somebody else.
    """
    _refuse_forgery(request)
    person = await services().verifier.verify(request.headers)
    _refuse_another(request, person)
    if roles and person.roles.isdisjoint(roles):
        needs = f"the role {' or '.join(roles)}"
        raise Problem(403, "not_authorised", f"This needs {needs}.", needs=needs)
    return person


def _refuse_forgery(request: func.HttpRequest) -> None:
    """Let a browser's cookie change something only where our own page says that it asked for it.

    A form of another site makes the browser send the cookie, but can't add a header: OWASP's
    Cross-Site Request Forgery Prevention Cheat Sheet, "Employing Custom Request Headers".
    """
    if (
        _changes(request)
        and signed_in_by_cookie(request.headers)
        and PAGE_HEADER not in request.headers
    ):
        detail = f"A browser's request that changes something needs the header {PAGE_HEADER}."
        raise Problem(403, "forgery_suspected", detail)


def _refuse_another(request: func.HttpRequest, person: Person) -> None:
    """Let nobody answer for what somebody else was about to send.

    The tabs of a browser share its cookie: signing in anew in one of them changes who all the
    others speak for, while they still show the person before.
    """
    meant = unquote(request.headers.get(PAGE_HEADER, ""))
    if _changes(request) and meant not in ("", "1", person.id):
        detail = f"This came from a page of somebody else; you are signed in as {person.name}."
        raise Problem(409, "another_person", detail, name=person.name)


def _changes(request: func.HttpRequest) -> bool:
    return request.method not in ("GET", "HEAD")


def query(request: func.HttpRequest, name: str) -> str | None:
    """A parameter of the query, however its name is spelt; None if it is missing or empty.

    The Functions host leaves empty ones out, and takes names that differ in case for one.
    """
    values = (value for given, value in request.params.items() if given.lower() == name)
    return next(filter(None, values), None)


def body_of(request: func.HttpRequest) -> bytes:
    """The body of a request as it was sent.

    Raises:
        Problem: 411, the request doesn't say how long it is: the Functions host hands such a body
            on to no app.
    """
    if "Transfer-Encoding" in request.headers:
        detail = "The body's length has to be told: send Content-Length, not Transfer-Encoding."
        raise Problem(411, "length_required", detail)
    return request.get_body()


def read_body(request: func.HttpRequest, model: type[Body], *, most_bytes: int) -> Body:
    """The body of a request, read strictly.

    Raises:
        Problem: 411, its length is not told; 413, it is larger than `most_bytes`; 422, it is not
            what the model describes.
    """
    raw = body_of(request)
    if len(raw) > most_bytes:
        detail = f"The body has {len(raw)} bytes; at most {most_bytes} are taken."
        raise Problem(413, "too_large", detail, most_bytes=most_bytes)
    try:
        value = json.loads(raw, object_pairs_hook=_unique, parse_constant=_not_json)
    except (ValueError, RecursionError) as error:
        raise malformed({"body": "not JSON with each name once in an object"}) from error
    if not isinstance(value, dict):
        raise malformed({"body": "has to be a JSON object"})
    try:
        return model.model_validate(value)
    except ValidationError as error:
        raise malformed(_reasons(error)) from error


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object whose names stand once: of two decisions in one body neither can be meant."""
    fields = dict(pairs)
    if len(fields) != len(pairs):
        raise ValueError("a name stands twice in one object")
    return fields


def _not_json(constant: str) -> float:
    raise ValueError(f"{constant} is not JSON")


def _reasons(error: ValidationError) -> dict[str, str]:
    problems = error.errors(include_url=False, include_context=False, include_input=False)
    return {".".join(map(str, each["loc"])) or "body": each["msg"] for each in problems}
