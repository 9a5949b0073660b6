"""How a function becomes an endpoint of the API."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import azure.durable_functions as df
import azure.functions as func

from endpoints.exchange import Endpoint, answered


def route(
    blueprint: func.Blueprint | df.Blueprint, template: str, *methods: str, client: bool = False
) -> Callable[[Endpoint[...]], Any]:
    """Serve these methods of a route by the function below, and HEAD where it serves GET.

    No route asks for a key of the host's: who may call is for the sign-in and for us to say.

    Args:
        blueprint: where the function is registered.
        template: the route below `ROOT`, with names in place of what differs.
        client: whether the function gets the durable runtime's client as `client`.
    """

    # The host leaves the body out of the answer (RFC 9110, 9.3.2).
    served = (*methods, "HEAD") if "GET" in methods else methods

    def register(endpoint: Endpoint[...]) -> Any:
        safe: Any = answered(template)(endpoint)
        if client:
            safe = blueprint.durable_client_input(client_name="client")(safe)
        return blueprint.route(route=template, methods=served, auth_level=func.AuthLevel.ANONYMOUS)(
            safe
        )

    return register
