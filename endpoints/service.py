"""What anyone may ask: is it alive, and what does it offer."""

from __future__ import annotations

import azure.functions as func

from endpoints.exchange import answer, answered

blueprint = func.Blueprint()


@blueprint.route(route="health", methods=["GET"], auth_level=func.AuthLevel.ANONYMOUS)
@answered
async def get_health(req: func.HttpRequest) -> func.HttpResponse:
    """Say that requests are being answered; nothing behind them is asked."""
    return answer(200, {"status": "ok"})


@blueprint.route(route="openapi.json", methods=["GET"], auth_level=func.AuthLevel.ANONYMOUS)
@answered
async def get_openapi(req: func.HttpRequest) -> func.HttpResponse:
    """Describe this API."""
    from endpoints.openapi import description

    return answer(200, description())
