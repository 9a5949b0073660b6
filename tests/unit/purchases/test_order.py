"""Orders as they are signed, and corrections of them."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import pytest

from countersign.bodies.content import UnfitCorrection
from countersign.purchases.order import OrderContent
from testbed.orders import corrected, order


def test_lines_that_are_not_named_are_struck_and_the_others_keep_their_order() -> None:
    before = order(("A", 1, "1.00"), ("B", 2, "2.00"), ("C", 3, "3.00"))
    after = corrected(before, lines=[{"sku": "C"}, {"sku": "A", "quantity": 5}])
    assert [(line.sku, line.quantity) for line in after.lines] == [("A", 5), ("C", 3)]
    assert after.total == Decimal("14.00")


def test_a_correction_keeps_what_it_does_not_name() -> None:
    before = order()
    after = corrected(before, vendor="Beta")
    assert after == before.model_copy(update={"vendor": "Beta"})


def test_a_line_that_the_order_has_not_can_not_be_corrected() -> None:
    with pytest.raises(UnfitCorrection) as unfit:
        corrected(order(), lines=[{"sku": "A"}, {"sku": "Z"}, {"sku": "Y"}])
    assert (unfit.value.field, unfit.value.reason) == ("correction.lines", "Y is not in the order")


@pytest.mark.parametrize(
    ("currency", "price"), [("EUR", "1.001"), ("JPY", "1.5"), ("KWD", "1.0001")]
)
def test_a_corrected_price_may_be_more_exact_than_the_currency(currency: str, price: str) -> None:
    before = order(("A", 1000, "10"), currency=currency)
    after = corrected(before, lines=[{"sku": "A", "unit_price": price}])
    assert str(after.lines[0].unit_price) == price
    assert after.total == 1000 * Decimal(price)


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"vendor": "Acme", "destination": "Dock 1"},
        {"lines": [{"sku": "A"}, {"sku": "B"}]},
        {"lines": [{"sku": "B"}, {"sku": "A"}]},
        # the same amount, written otherwise
        {"lines": [{"sku": "A", "unit_price": "10"}, {"sku": "B", "unit_price": "5.0"}]},
    ],
)
def test_a_correction_without_a_difference_is_none(fields: dict[str, Any]) -> None:
    with pytest.raises(UnfitCorrection, match="it does not change the order"):
        corrected(order(), **fields)


@pytest.mark.parametrize("field", ["vendor", "destination", "currency", "reason", "lines"])
def test_every_part_of_an_order_is_in_what_is_signed(field: str) -> None:
    content = json.loads(order().stored())
    assert field in content
    other = {**content, field: content["lines"][::-1] if field == "lines" else "7"}
    assert OrderContent.read(json.dumps(other).encode()).stored() != order().stored()


@pytest.mark.parametrize(
    "change",
    [
        {"total": "-1.00"},
        {"total": "NaN"},
        {"total": "7.00"},
        {"lines": []},
        {"more": 1},
        {"vendor": None},
    ],
)
def test_what_is_no_order_is_not_read_as_one(change: dict[str, Any]) -> None:
    content = {**json.loads(order().stored()), **change}
    with pytest.raises(ValueError, match=next(iter(change))):
        OrderContent.read(json.dumps(content).encode())


def test_an_order_goes_out_as_it_was_signed() -> None:
    assert order().written() == order().stored()
