"""Ask for an order."""

from __future__ import annotations

from typing import TYPE_CHECKING

import azure.durable_functions as df
import azure.functions as func

from countersign.roles import PURCHASE_REQUESTER
from countersign.wiring import services
from endpoints.exchange import caller, read_body
from endpoints.problems import malformed
from endpoints.requests import accept
from endpoints.routes import route

if TYPE_CHECKING:
    from countersign.purchases.order_bodies import OrderRequestBody

MOST_BYTES = 512_000

blueprint = df.Blueprint()


@route(blueprint, "purchases", "POST", client=True)
async def start_purchase(
    req: func.HttpRequest, client: df.DurableOrchestrationClient
) -> func.HttpResponse:
    """Accept a request; the same `Idempotency-Key` and body again get the same operation."""
    from countersign.purchases.order_bodies import OrderRequestBody

    person = await caller(req, PURCHASE_REQUESTER)
    body = read_body(req, OrderRequestBody, most_bytes=MOST_BYTES)
    _refuse_unorderable(body)
    return await accept(req, client, person, body)


def _refuse_unorderable(body: OrderRequestBody) -> None:
    """Take nothing in that nobody could approve or that could be placed nowhere.

    Raises:
        SettingsError: no purchasing service is set.
        Problem: 422, no limits are set for the currency.
    """
    app = services()
    app.destination_for(body.kind)
    if body.currency not in app.settings.limits:
        known = ", ".join(app.settings.limits)
        raise malformed({"currency": f"orders are approved in {known} alone"})
