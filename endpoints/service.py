"""What anyone may ask: is it alive, and what does it offer."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import azure.functions as func

from countersign.services import Services
from endpoints.exchange import Response
from endpoints.routes import route

if TYPE_CHECKING:
    from endpoints.answers.service import Description, Health

blueprint = func.Blueprint()


@route(blueprint, "health", "GET")
async def get_health(made: Services | None) -> Health:
    """Confirm that the app answers requests; its dependencies are not checked.

    A deployment on the storage of another one stands by: it records requests and decisions, and
    starts no work.
    """
    from endpoints.answers.service import Health

    # To be asked how it is makes nothing.
    other, skew = (made.serving.other_hub, made.serving.skew) if made else (None, None)
    return Health(
        status="standby" if other else "ok",
        served_by=other,
        clock_ahead_seconds=round(skew.ahead.total_seconds(), 1) if skew else None,
        warning=skew.warning if skew else None,
    )


@route(blueprint, "openapi.json", "GET")
async def get_openapi() -> Response[Description]:
    """Describe this API in OpenAPI 3.1."""
    from endpoints.openapi import description

    return Response(body=json.dumps(description()).encode())
