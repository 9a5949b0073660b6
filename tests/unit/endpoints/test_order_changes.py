"""What differs between two versions of an order fits the record that shows it."""

from __future__ import annotations

from countersign.purchases.order import OrderContent
from countersign.purchases.order_bodies import OrderRequestBody
from countersign.purchases.order_changes import order_changes
from endpoints.answers.changes import LineFigures


def order(quantity: int) -> OrderContent:
    line = {"sku": "S-1", "description": "Chair", "quantity": quantity, "unit_price": "10.00"}
    body = {"vendor": "Nordwind", "currency": "EUR", "lines": [line], "reason": "Worn out."}
    return OrderRequestBody.model_validate(body).order()


def test_the_figures_of_a_line_are_those_that_the_api_shows() -> None:
    [line] = order_changes(order(1), order(2))["lines"]
    assert set(line["before"]) == set(line["after"]) == set(LineFigures.model_fields)
