"""Orders and corrections of them, made as those of the app are."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

from countersign.purchases.order import OrderContent, line_of, sum_of
from countersign.purchases.order_bodies import OrderCorrectionBody


def order(
    *lines: tuple[str, int, str],
    vendor: str = "Acme",
    destination: str | None = "Dock 1",
    currency: str = "EUR",
) -> OrderContent:
    """An order of so many pieces at such a price each."""
    made = [
        line_of(
            sku=sku,
            description=f"Thing {sku}",
            quantity=quantity,
            unit_price=Decimal(price),
            currency=currency,
        )
        for sku, quantity, price in lines or (("A", 2, "10.00"), ("B", 1, "5.00"))
    ]
    return OrderContent(
        vendor=vendor,
        destination=destination,
        lines=made,
        currency=currency,
        total=sum_of(made),
        reason="We have none left.",
    )


def corrected(before: OrderContent, **fields: Any) -> OrderContent:
    """The order with a correction, as the body of a request has it."""
    correction = OrderCorrectionBody.model_validate_json(json.dumps(fields))
    content = correction.applied(before)
    assert isinstance(content, OrderContent)
    return content
