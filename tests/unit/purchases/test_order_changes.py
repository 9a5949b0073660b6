"""What a correction made of an order is told field by field and line by line."""

from __future__ import annotations

from countersign.purchases.order_changes import order_changes
from testbed.orders import corrected, order


def test_changes_are_told_field_by_field_and_line_by_line() -> None:
    before = order(("A", 2, "10.00"), ("B", 1, "5.00"))
    after = corrected(before, vendor="Beta", lines=[{"sku": "A", "quantity": 3}])
    assert order_changes(before, after) == {
        "fields": [
            {"name": "vendor", "before": "Acme", "after": "Beta"},
            {"name": "total", "before": "25.00", "after": "30.00"},
        ],
        "lines": [
            {
                "sku": "A",
                "description": "Thing A",
                "before": {"quantity": 2, "unit": None, "unit_price": "10.00", "total": "20.00"},
                "after": {"quantity": 3, "unit": None, "unit_price": "10.00", "total": "30.00"},
                "changed": True,
            },
            {
                "sku": "B",
                "description": "Thing B",
                "before": {"quantity": 1, "unit": None, "unit_price": "5.00", "total": "5.00"},
                "after": None,
                "changed": True,
            },
        ],
        "widened": ["vendor", "lines.A.quantity", "total"],
    }


def test_what_stayed_is_told_as_unchanged() -> None:
    told = order_changes(order(), order())
    assert (told["fields"], told["widened"]) == ([], [])
    assert [line["changed"] for line in told["lines"]] == [False, False]


def test_a_line_that_came_back_is_told_as_new() -> None:
    before = order(("A", 2, "10.00"))
    told = order_changes(before, order(("A", 2, "10.00"), ("B", 1, "5.00")))
    assert told["lines"][1]["before"] is None
    assert told["lines"][1]["changed"]
