"""Orders that go beyond others: judged line by line, to the last cent."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from countersign.bodies.content import UnfitCorrection
from countersign.purchases.order import OrderContent, OrderLine, sum_of, widened
from countersign.purchases.order_changes import order_changes
from countersign.reports.report import ReportContent
from testbed.orders import corrected, order

SKUS = ("A", "B", "C")
VENDORS = ("Acme", "Beta")
PLACES = (None, "Dock 1", "Dock 2")

lines = st.lists(
    st.tuples(
        st.sampled_from(SKUS),
        st.integers(1, 4),
        st.integers(0, 300).map(lambda cents: f"{cents / 100:.2f}"),
    ),
    min_size=1,
    max_size=3,
    unique_by=lambda line: line[0],
)
orders = st.builds(
    lambda lines, vendor, destination: order(*lines, vendor=vendor, destination=destination),
    lines,
    st.sampled_from(VENDORS),
    st.sampled_from(PLACES),
)


@given(content=orders)
def test_an_order_does_not_go_beyond_itself(content: OrderContent) -> None:
    assert widened(content, content) == ()
    assert OrderContent.read(content.stored()) == content


@given(before=orders, after=orders)
def test_what_does_not_go_beyond_an_order_is_within_it_in_everything(
    before: OrderContent, after: OrderContent
) -> None:
    within = (
        (before.vendor, before.destination) == (after.vendor, after.destination)
        and after.total <= before.total
        and all(_covered(before.line(line.sku), line) for line in after.lines)
    )
    assert within == (not widened(before, after))
    assert bool(after.widening(before)) == (not within)


def _covered(before: OrderLine | None, after: OrderLine) -> bool:
    return (
        before is not None
        and after.quantity <= before.quantity
        and after.unit_price <= before.unit_price
        and after.total <= before.total
    )


@given(first=orders, second=orders, third=orders)
def test_what_stays_within_step_by_step_stays_within_the_first(
    first: OrderContent, second: OrderContent, third: OrderContent
) -> None:
    if not widened(first, second) and not widened(second, third):
        assert not widened(first, third)


@given(before=orders, after=orders)
def test_of_two_different_orders_one_goes_beyond_the_other(
    before: OrderContent, after: OrderContent
) -> None:
    same_lines = sorted(map(str, before.lines)) == sorted(map(str, after.lines))
    if (before.vendor, before.destination) != (after.vendor, after.destination) or not same_lines:
        assert widened(before, after) or widened(after, before)


@given(content=orders)
def test_totals_are_what_their_parts_add_up_to(content: OrderContent) -> None:
    assert content.total == sum(line.quantity * line.unit_price for line in content.lines)
    shown = json.loads(content.stored())
    amounts = [shown["total"], *(line["total"] for line in shown["lines"])]
    assert all(len(amount.partition(".")[2]) == 2 for amount in amounts)


@given(before=orders, after=orders)
def test_whoever_is_given_all_that_differs_makes_one_order_of_another(
    before: OrderContent, after: OrderContent
) -> None:
    kept = [line for line in after.lines if before.line(line.sku)]
    fields = {
        "vendor": after.vendor,
        "destination": after.destination,
        "lines": [
            {"sku": each.sku, "quantity": each.quantity, "unit_price": str(each.unit_price)}
            for each in kept
        ]
        or None,
    }
    try:
        made = corrected(before, **fields)
    except UnfitCorrection:
        return
    assert made.vendor == after.vendor
    assert made.destination == (after.destination or before.destination)
    if kept:
        assert {line.sku: line for line in made.lines} == {line.sku: line for line in kept}
    assert made.total == sum_of(made.lines)
    assert order_changes(before, made)["widened"] == list(widened(before, made))


# (what is made of two A at 10.00 and one B at 5.00 for Dock 1, in what it goes beyond that)
WIDENED: list[tuple[dict[str, Any], tuple[str, ...]]] = [
    ({"vendor": "Beta"}, ("vendor",)),
    ({"destination": "Dock 2"}, ("destination",)),
    ({"lines": [{"sku": "A", "quantity": 3}, {"sku": "B"}]}, ("lines.A.quantity", "total")),
    (
        {"lines": [{"sku": "A"}, {"sku": "B", "unit_price": "5.01"}]},
        ("lines.B.unit_price", "total"),
    ),
    # more of one thing, for less money in all
    ({"lines": [{"sku": "A", "quantity": 3, "unit_price": "1.00"}]}, ("lines.A.quantity",)),
    # fewer, each for more
    ({"lines": [{"sku": "A", "quantity": 1, "unit_price": "20.00"}]}, ("lines.A.unit_price",)),
    ({"lines": [{"sku": "B", "quantity": 2}]}, ("lines.B.quantity",)),
    # less
    ({"lines": [{"sku": "A", "quantity": 1}, {"sku": "B"}]}, ()),
    ({"lines": [{"sku": "A", "unit_price": "9.99"}, {"sku": "B"}]}, ()),
    ({"lines": [{"sku": "B"}]}, ()),
    # less money, but for somebody else
    ({"vendor": "Beta", "lines": [{"sku": "B"}]}, ("vendor",)),
]


@pytest.mark.parametrize(("fields", "beyond"), WIDENED)
def test_a_correction_says_in_what_it_goes_beyond_the_order(
    fields: dict[str, Any], beyond: tuple[str, ...]
) -> None:
    before = order()
    assert corrected(before, **fields).widening(before) == beyond


def test_a_line_that_was_not_there_or_another_currency_goes_beyond_any_order() -> None:
    before = order(("A", 2, "10.00"))
    more = order(("A", 1, "1.00"), ("B", 1, "0.00"))
    assert widened(before, more) == ("lines.B.quantity", "lines.B.unit_price")
    assert widened(before, order(("A", 1, "1.00"), currency="USD")) == ("currency",)


def test_the_same_article_by_another_description_is_another_article() -> None:
    before = order(("A", 2, "10.00"))
    [line] = before.lines
    renamed = line.model_copy(update={"description": "Thrones"})
    after = before.corrected(vendor="Acme", destination="Dock 1", lines=[renamed])
    assert widened(before, after) == ("lines.A.quantity", "lines.A.unit_price")


def test_somewhere_else_than_agreed_goes_beyond_what_was_agreed() -> None:
    agreed = order(destination=None)
    assert corrected(agreed, destination="Dock 1").widening(agreed) == ("destination",)


def test_any_other_text_goes_beyond_a_report_and_a_report_costs_nothing() -> None:
    report = ReportContent(title="Tides", text="High.")
    assert report.widening(report) == ("text",)
    assert report.amount is None
