"""One HTTP exchange: a view is handed what it names, and what it returns or raises is answered."""

from __future__ import annotations

import json
import logging
from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from inspect import signature
from typing import TYPE_CHECKING, Any, Generic, TypeAlias

import azure.durable_functions as df
import azure.functions as func
from opentelemetry.trace import Span, SpanKind

from countersign.approvals.errors import LedgerError, UntrustedLedger
from countersign.destinations.destination import WritingError
from countersign.identity.errors import KeysUnavailable, ScopeMissing, Unauthenticated
from countersign.kinds.registry import UnknownKind
from countersign.platform.telemetry import failed, is_traced, span
from countersign.stores.artifacts import DamagedArtifact, MissingArtifact
from countersign.stores.errors import StoreError
from countersign.wiring import services
from endpoints.callers import caller
from endpoints.links import ROOT
from endpoints.lookup import operation_id_in
from endpoints.problems import Problem, malformed
from endpoints.runtime import NoRuntime
from endpoints.sent import Body, Sent

if TYPE_CHECKING:
    from endpoints.answers.response_body import ResponseBody

View: TypeAlias = Callable[..., Awaitable[Any]]
"""What answers a request: with a body, a `Response`, or an answer that is no JSON."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True, slots=True)
class Response(Generic[Body]):
    """A body that goes out with a status or headers of its own.

    Attributes:
        body: the body, or the bytes that are its JSON.
        status: None for what is usual for the route.
    """

    body: Body | bytes
    status: int | None = None
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, slots=True)
class Exchange:
    """What becomes of each request to one route.

    A view is handed those of these that it has parameters for: `app`, the services; `req`, the
    request; `person`, who has to have sent it; `sent`, its body; `client`, the durable runtime's;
    `made`, the services if a request before this one had them made, or else None.

    Attributes:
        view: what answers.
        template: the route, with names in place of what differs from request to request.
        roles: if there are any, the person needs one of them.
        queries: the names of its query parameters; a person's request may have no others.
        status: of an answer that names none.
    """

    view: View
    template: str
    roles: Collection[str] = ()
    queries: Collection[str] = ()
    status: int = 200

    @property
    def name(self) -> str:
        """What the function is called."""
        return self.view.__name__

    @property
    def wanted(self) -> Collection[str]:
        """What the view is handed."""
        return _parameters(self.view)

    async def answer(
        self, request: func.HttpRequest, client: df.DurableOrchestrationClient | None = None
    ) -> func.HttpResponse:
        """Answer a request; what can't be gone on with is answered as a problem document.

        No browser guesses what an answer is: it is what its Content-Type says.
        """
        with _served(self.name, self.template, request) as current:
            try:
                response = self._response(await self._called(request, client))
            except Exception as error:  # noqa: BLE001 - the edge of the process
                problem = _problem(error, self.name)
                response = problem.response()
                _mark_refused(current, problem.code, response.status_code, error)
            response.headers["X-Content-Type-Options"] = "nosniff"
            current.set_attribute("http.response.status_code", response.status_code)
            return response

    async def _called(
        self, request: func.HttpRequest, client: df.DurableOrchestrationClient | None
    ) -> Any:
        wanted = self.wanted
        given: dict[str, Any] = {"req": request, "client": client, "sent": Sent(request)}
        if "made" in wanted:
            given["made"] = services() if services.cache_info().currsize else None
        if not {"app", "person"}.isdisjoint(wanted):
            given["app"] = services()
        if "person" in wanted:
            given["person"] = await caller(given["app"], request, self.roles)
            self._refuse_unknown(request)
            if "client" in wanted and not await given["app"].serving.is_here():
                given["client"] = NoRuntime()
        return await self.view(**{name: given[name] for name in wanted})

    def _refuse_unknown(self, request: func.HttpRequest) -> None:
        unknown = [name for name in request.params if name.lower() not in self.queries]
        if unknown:
            known = ", ".join(self.queries) or "none"
            raise malformed(
                dict.fromkeys(unknown, f"it is no parameter of this call; it has: {known}")
            )

    def _response(self, answer: Any) -> func.HttpResponse:
        if isinstance(answer, func.HttpResponse):
            return answer
        answer = answer if isinstance(answer, Response) else Response(body=answer)
        return func.HttpResponse(
            answer.body if isinstance(answer.body, bytes) else _json(answer.body),
            status_code=answer.status or self.status,
            mimetype="application/json",
            headers={"Cache-Control": "no-store", **answer.headers},
        )


@contextmanager
def _served(endpoint: str, template: str, request: func.HttpRequest) -> Iterator[Span]:
    """Open the span of a request, by OpenTelemetry's conventions for HTTP servers.

    Args:
        endpoint: the function that answers, after which the span is called.
        template: its route; the path itself may hold any text.
        request: what it answers.
    """
    operation_id = None
    with suppress(Problem):
        operation_id = operation_id_in(request)
    # The Functions host has a span of the request itself, if it traces.
    kind = SpanKind.INTERNAL if is_traced() else SpanKind.SERVER
    caller = request.headers.get("traceparent")
    with span(endpoint, operation_id=operation_id, caller=caller, kind=kind) as current:
        current.set_attribute("http.request.method", str(request.method))
        current.set_attribute("http.route", f"{ROOT}/{template}")
        yield current


def _mark_refused(current: Span, code: str, status: int, cause: Exception) -> None:
    """Say why a request was refused; only faults of this side are errors of a server's span."""
    current.set_attribute("countersign.refusal", code)
    if status >= 500:
        failed(current, cause)


@cache
def _parameters(view: View) -> Collection[str]:
    return signature(view).parameters.keys()


def _json(body: ResponseBody) -> str:
    return json.dumps(body.model_dump(mode="json", by_alias=True))


def _problem(error: Exception, view: str) -> Problem:
    # Imported here because a process that is being started reads no settings yet.
    from countersign.platform.environment import SettingsError
    from countersign.proof.keys import NoKey
    from countersign.sources.library import SourceError

    match error:
        case Problem():
            return error
        case ScopeMissing():
            return Problem("insufficient_scope", _sentence(error), scope=error.scope)
        case Unauthenticated():
            return Problem("unauthenticated", _sentence(error))
        case KeysUnavailable():
            return Problem("keys_unavailable", _sentence(error))
        case UnknownKind():
            return Problem("unknown_kind", str(error))
        case SettingsError() | NoKey():
            return Problem("not_configured", str(error))
        case StoreError() | LedgerError() | WritingError() | SourceError():
            _log.error("%s met a broken store: %s", view, error)
            return _store_problem(error)
        case _:
            _log.error("%s failed", view, exc_info=error)
            return Problem(
                "internal", "An unexpected error occurred. The operator's log has the cause."
            )


def _store_problem(error: Exception) -> Problem:
    if isinstance(error, UntrustedLedger):
        detail = f"Nobody acts on this operation until an operator has looked: {error.reason}"
        return Problem("ledger_broken", detail, sequence=error.sequence)
    if isinstance(error, (MissingArtifact, DamagedArtifact)):
        detail = (
            "A stored text that this needs is missing or damaged, and trying again does not help:"
            " an operator has to restore it from a backup."
        )
        return Problem("text_lost", detail)
    return Problem("store_unavailable", "The storage can't be read or written at the moment.")


def _sentence(error: Exception) -> str:
    text = str(error).removesuffix(".")
    return f"{text[:1].upper()}{text[1:]}."
