"""What anyone may ask: is it alive, and what does it offer."""

from __future__ import annotations

import azure.functions as func

from endpoints.exchange import answer
from endpoints.routes import route

blueprint = func.Blueprint()


@route(blueprint, "health", "GET")
async def get_health(req: func.HttpRequest) -> func.HttpResponse:
    """Say that requests are being answered; nothing behind them is asked."""
    return answer(200, {"status": "ok"})


@route(blueprint, "openapi.json", "GET")
async def get_openapi(req: func.HttpRequest) -> func.HttpResponse:
    """Describe this API."""
    from endpoints.openapi import description

    return answer(200, description())
