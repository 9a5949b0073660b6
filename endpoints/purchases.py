"""Ask for an order."""

from __future__ import annotations

from typing import TYPE_CHECKING

import azure.durable_functions as df
import azure.functions as func

from countersign.approvals.person import Person
from countersign.kinds.order import ORDER
from countersign.roles import PURCHASE_REQUESTER
from countersign.services import Services
from endpoints.exchange import Response
from endpoints.parameters import KEY
from endpoints.problems import malformed
from endpoints.requests import ACCEPTED, TOO_MANY, accept
from endpoints.routes import route
from endpoints.sent import Sent

if TYPE_CHECKING:
    from countersign.purchases.order_bodies import OrderRequestBody
    from endpoints.answers.requests import Accepted

MOST_BYTES = 512_000

blueprint = df.Blueprint()


@route(
    blueprint,
    "purchases",
    "POST",
    roles=[PURCHASE_REQUESTER],
    statuses=ACCEPTED,
    parameters=[KEY],
    problems=["idempotency_conflict", *TOO_MANY],
)
async def start_purchase(
    app: Services,
    req: func.HttpRequest,
    person: Person,
    sent: Sent[OrderRequestBody],
    client: df.DurableOrchestrationClient,
) -> Response[Accepted]:
    """Request an order; repeating the `Idempotency-Key` and body returns the same operation."""
    from countersign.purchases.order_bodies import OrderRequestBody

    body = sent.read(OrderRequestBody, most_bytes=MOST_BYTES)
    _refuse_unorderable(app, body)
    return await accept(app, req, client, person, ORDER, body)


def _refuse_unorderable(app: Services, body: OrderRequestBody) -> None:
    """Take nothing in that nobody could approve or that could be placed nowhere.

    Raises:
        SettingsError: no purchasing service is set.
        Problem: 422, no limits are set for the currency, or something costs nothing.
    """
    ORDER.destination(app)
    if body.currency not in app.settings.limits:
        known = ", ".join(app.settings.limits)
        raise malformed({"currency": f"it must be one of {known}"})
    if fault := ORDER.fault(body.order(), app.settings):
        raise malformed(dict([fault]))
