"""Orders: people correct and approve them, and the purchasing system places an approved one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from countersign.approvals.operation import Operation
from countersign.approvals.policy import EDITION, Policy
from countersign.kinds.kind import Kind, NoticeWords, Roles, Stages
from countersign.roles import PURCHASE_APPROVER, PURCHASE_ESCALATION, PURCHASE_REQUESTER

if TYPE_CHECKING:
    from countersign.destinations.destination import Destination
    from countersign.purchases.order import OrderContent
    from countersign.purchases.order_bodies import OrderDecisionBody, OrderRequestBody
    from countersign.services import Services
    from countersign.settings import Settings


def _stage(_: Operation) -> str:
    return "validating"


def _request_body() -> type[OrderRequestBody]:
    from countersign.purchases.order_bodies import OrderRequestBody

    return OrderRequestBody


def _decision_body() -> type[OrderDecisionBody]:
    from countersign.purchases.order_bodies import OrderDecisionBody

    return OrderDecisionBody


def _content() -> type[OrderContent]:
    from countersign.purchases.order import OrderContent

    return OrderContent


def _policy(body: OrderRequestBody, settings: Settings) -> Policy:
    """Return the terms for an order; `KeyError` if nobody set limits for its currency."""
    return Policy(
        reviewer_role=PURCHASE_APPROVER,
        escalation_role=PURCHASE_ESCALATION,
        quorum=max(body.approval.quorum, settings.quorum),
        window_seconds=body.approval.window_seconds or settings.window_seconds,
        tiers=settings.limits[body.currency].tiers,
        has_team=False,
        by_largest=True,
        edition=EDITION,
        passkey_above=settings.passkeys_required.above.get(body.currency),
    )


def _destination(app: Services) -> Destination:
    if app.orders is None:
        from countersign.platform.environment import SettingsError

        raise SettingsError("Orders can't be placed: COUNTERSIGN_PURCHASING_URL is not set.")
    return app.orders


def _fault(order: OrderContent, settings: Settings) -> tuple[str, str] | None:
    from countersign.purchases.order import free_of_charge

    sku = free_of_charge(order)
    if sku is None or settings.zero_prices:
        return None
    return "lines", f"{sku} costs nothing, which needs COUNTERSIGN_ZERO_PRICES to be true"


async def _html(_: OrderContent) -> None:
    return None


async def _differences(before: OrderContent, after: OrderContent) -> dict[str, Any]:
    from countersign.purchases.order_changes import order_changes

    return order_changes(before, after)


ORDER: Kind[OrderRequestBody, OrderDecisionBody, OrderContent] = Kind(
    name="purchase",
    outcome="ordered",
    consequence="The order is placed, once, exactly as shown.",
    roles=Roles(request=PURCHASE_REQUESTER, decide=PURCHASE_APPROVER, escalate=PURCHASE_ESCALATION),
    stages=Stages(preparing=("validating",), current=_stage, writing="ordering"),
    words=NoticeWords(thing="order", place="the purchasing system"),
    request_body=_request_body,
    decision_body=_decision_body,
    content=_content,
    policy=_policy,
    destination=_destination,
    html=_html,
    differences=_differences,
    fault=_fault,
)
