"""What differs between two versions of an order, field by field and line by line."""

from __future__ import annotations

from typing import Any

from countersign.purchases.order import OrderContent, OrderLine, widened

_FIELDS = ("vendor", "destination", "total")
_OF_A_LINE = ("quantity", "unit", "unit_price", "total")


def order_changes(before: OrderContent, after: OrderContent) -> dict[str, Any]:
    """Return what a correction made of an order.

    Returns:
        `fields` that differ, each with its name and what it was `before` and is `after`; the
        `lines` of both, each with what it was (null: it was not there) and is (null: it is struck);
        and in what the order was `widened`, by the names that `widened` gives.
    """
    old, new = before.model_dump(mode="json"), after.model_dump(mode="json")
    skus = dict.fromkeys(line.sku for line in (*before.lines, *after.lines))
    return {
        "fields": [
            {"name": name, "before": old[name], "after": new[name]}
            for name in _FIELDS
            if old[name] != new[name]
        ],
        "lines": [_line(sku, before.line(sku), after.line(sku)) for sku in skus],
        "widened": list(widened(before, after)),
    }


def _line(sku: str, before: OrderLine | None, after: OrderLine | None) -> dict[str, Any]:
    line = after or before
    assert line is not None  # noqa: S101 - it stands in one of the orders at least
    return {
        "sku": sku,
        "description": line.description,
        "before": _figures(before),
        "after": _figures(after),
        "changed": before != after,
    }


def _figures(line: OrderLine | None) -> dict[str, Any] | None:
    if line is None:
        return None
    return dict.fromkeys(_OF_A_LINE) | line.model_dump(mode="json", include=set(_OF_A_LINE))
