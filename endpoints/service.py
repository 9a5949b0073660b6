"""What anyone may ask: is it alive, and what does it offer."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import azure.functions as func

from countersign.wiring import services
from endpoints.exchange import Response
from endpoints.routes import route

if TYPE_CHECKING:
    from endpoints.answers.service import Description, Health

blueprint = func.Blueprint()


@route(blueprint, "health", "GET")
async def get_health() -> Health:
    """Confirm that the app answers requests; its dependencies are not checked.

    A deployment on the storage of another one stands by: it records requests and decisions, and
    starts no work.
    """
    from endpoints.answers.service import Health

    other = _other_hub()
    return Health(status="standby" if other else "ok", served_by=other)


def _other_hub() -> str | None:
    """Return the hub that serves this storage, if that is known to be another one."""
    if not services.cache_info().currsize:
        # Nothing was asked of this process yet, and being asked how it is makes nothing.
        return None
    serving = services().serving
    return serving.served_by if serving.served_by != serving.hub else None


@route(blueprint, "openapi.json", "GET")
async def get_openapi() -> Response[Description]:
    """Describe this API in OpenAPI 3.1."""
    from endpoints.openapi import description

    return Response(body=json.dumps(description()).encode())
