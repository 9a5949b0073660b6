"""A person's request on its way into the ledger, whichever way it came in."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, TypeAlias, Union

from countersign.approvals.digest import canonical
from countersign.approvals.events import OperationStarted
from countersign.approvals.person import Person
from countersign.approvals.policy import Policy
from countersign.operations.repository import Changed
from countersign.roles import PURCHASE_APPROVER, PURCHASE_ESCALATION, REPORT_ESCALATION

if TYPE_CHECKING:
    from countersign.purchases.order_bodies import OrderRequestBody
    from countersign.research.report_bodies import ReportRequestBody
    from countersign.services import Services
    from countersign.settings import Settings

RequestBody: TypeAlias = Union["ReportRequestBody", "OrderRequestBody"]


def new_operation_id(kind: str) -> str:
    """An id that no other operation has."""
    return f"{kind}-{uuid.uuid4().hex[:24]}"


async def start_operation(
    app: Services, person: Person, operation_id: str, body: RequestBody
) -> tuple[Changed, str]:
    """Begin an operation, unless one of this id was begun before.

    Returns:
        The operation, with no events if it was there, and the reference of this request.

    Raises:
        KeyError: there are no limits for the currency of an order.
    """
    event = OperationStarted(
        at=app.clock(),
        actor=person.actor,
        kind=body.kind,
        title=body.title,
        request=await app.artifacts.put(person.tenant, canonical(body.model_dump(mode="json"))),
        policy=policy_for(body, app.settings),
    )
    started = await app.operations.start(person.tenant, operation_id, event)
    return started, event.request


def policy_for(body: RequestBody, settings: Settings) -> Policy:
    """The terms of the approval that this request gets."""
    window = body.approval.window_seconds or settings.window_seconds
    if body.kind == "research":
        return Policy(
            reviewer_role=body.approval.role,
            escalation_role=REPORT_ESCALATION,
            quorum=body.approval.quorum,
            window_seconds=window,
        )
    return Policy(
        reviewer_role=PURCHASE_APPROVER,
        escalation_role=PURCHASE_ESCALATION,
        quorum=body.approval.quorum,
        window_seconds=window,
        tiers=settings.limits[body.currency].tiers,
        has_team=False,
        by_largest=True,
    )
