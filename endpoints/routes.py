"""How a function becomes an endpoint of the API, and what it is known to take and answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import azure.durable_functions as df
import azure.functions as func

from endpoints.exchange import Exchange, View
from endpoints.parameters import Parameter

Handler = TypeVar("Handler", bound=View)


@dataclass(frozen=True, kw_only=True, slots=True)
class Route:
    """A route as it is served, and as the description of the API tells of it.

    Attributes:
        statuses: of the answers that are no problems, each with what it means; the first is usual.
        parameters: those in the query and in headers; those in the path are in its template.
        problems: the codes of refusals that only this route has.
        media: what the answer is, where it isn't JSON.
    """

    exchange: Exchange
    method: str
    statuses: Mapping[int, str]
    parameters: Sequence[Parameter]
    problems: Sequence[str]
    media: str


ROUTES: list[Route] = []
"""All routes of the API, in the order in which they were registered."""

DONE: Mapping[int, str] = {200: "Success."}


def route(  # noqa: PLR0913 - it declares
    blueprint: func.Blueprint | df.Blueprint,
    template: str,
    method: str,
    *,
    roles: Sequence[str] = (),
    statuses: Mapping[int, str] = DONE,
    parameters: Sequence[Parameter] = (),
    problems: Sequence[str] = (),
    media: str = "application/json",
) -> Callable[[Handler], Handler]:
    """Serve a method of a route by the view below, and HEAD where it serves GET.

    No route asks for a key of the host's: who may call is for the sign-in and for us to say.

    Args:
        blueprint: where the function is registered.
        template: the route below `ROOT`, with names in place of what differs.
        method: of HTTP.
        roles: if there are any, whoever calls needs one of them.
        statuses: see `Route`.
        parameters: see `Route`.
        problems: see `Route`.
        media: see `Route`.
    """

    def register(view: Handler) -> Handler:
        exchange = Exchange(
            view=view,
            template=template,
            roles=roles,
            queries=[each.name for each in parameters if each.place == "query"],
            status=next(iter(statuses)),
        )
        ROUTES.append(
            Route(
                exchange=exchange,
                method=method,
                statuses=statuses,
                parameters=parameters,
                problems=problems,
                media=media,
            )
        )
        _serve(blueprint, exchange, method)
        return view

    return register


def remainder(blueprint: func.Blueprint) -> Callable[[Handler], Handler]:
    """Serve every path below `ROOT` by the view below, whatever the method; nobody is told of it.

    Args:
        blueprint: where the function is registered.
    """

    def register(view: Handler) -> Handler:
        exchange = Exchange(view=view, template="{*path}")
        serve = blueprint.route(route=exchange.template, auth_level=func.AuthLevel.ANONYMOUS)
        serve(_function(exchange))
        return view

    return register


def _serve(blueprint: func.Blueprint | df.Blueprint, exchange: Exchange, method: str) -> None:
    function = _function(exchange)
    if "client" in exchange.wanted:
        function = blueprint.durable_client_input(client_name="client")(function)
    # The host leaves the body out of the answer (RFC 9110, 9.3.2).
    served = (method, "HEAD") if method == "GET" else (method,)
    blueprint.route(route=exchange.template, methods=served, auth_level=func.AuthLevel.ANONYMOUS)(
        function
    )


def _function(exchange: Exchange) -> Any:
    """Return the function that a host calls, with the parameters that its bindings bring."""

    async def with_client(
        req: func.HttpRequest, client: df.DurableOrchestrationClient
    ) -> func.HttpResponse:
        return await exchange.answer(req, client)

    async def alone(req: func.HttpRequest) -> func.HttpResponse:
        return await exchange.answer(req)

    function = with_client if "client" in exchange.wanted else alone
    function.__name__ = function.__qualname__ = exchange.name
    function.__doc__, function.__module__ = exchange.view.__doc__, exchange.view.__module__
    return function
