"""What can be asked for as an order: exact amounts, as text, and nothing that deceives a reader."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import pytest
from pydantic import ValidationError

from countersign.approvals.digest import sha256
from countersign.bodies.content import UnfitCorrection
from countersign.kinds.order import ORDER as ORDER_KIND
from countersign.purchases.order import LONGEST_HEADLINE, MOST_LINES, MOST_PIECES, OrderContent
from countersign.purchases.order_bodies import OrderDecisionBody, OrderLineBody, OrderRequestBody

LINE = {"sku": "S-1", "description": "Chairs", "quantity": 2, "unit_price": "12.50"}
ORDER = {"vendor": "Acme", "currency": "EUR", "lines": [LINE], "reason": "We have none left."}


def read(**changes: Any) -> OrderRequestBody:
    return OrderRequestBody.model_validate_json(json.dumps({**ORDER, **changes}))


def with_line(**changes: Any) -> OrderRequestBody:
    return read(lines=[{**LINE, **changes}])


def refused(field: str, **changes: Any) -> None:
    with pytest.raises(ValidationError) as fault:
        read(**changes)
    assert {str(error["loc"][0]) for error in fault.value.errors()} == {field}


def correction(**fields: Any) -> OrderDecisionBody:
    verdict = {"decision": "revise", "digest": "0" * 64, "correction": fields}
    return OrderDecisionBody.model_validate_json(json.dumps(verdict))


def test_an_order_is_what_was_asked_for_with_its_totals() -> None:
    more = {"sku": "S-2", "description": "Table", "quantity": 1, "unit_price": "99.9"}
    order = read(lines=[LINE, more], destination="Dock 3").order()
    assert json.loads(order.stored()) == {
        "vendor": "Acme",
        "destination": "Dock 3",
        "lines": [
            {**LINE, "total": "25.00"},
            {**more, "unit_price": "99.90", "total": "99.90"},
        ],
        "currency": "EUR",
        "total": "124.90",
        "reason": "We have none left.",
    }


def test_where_it_goes_to_and_how_it_is_decided_may_be_left_out() -> None:
    body = read()
    assert body.destination is None
    assert (body.approval.quorum, body.approval.window_seconds) == (1, None)


def test_a_request_reads_back_as_it_was_stored() -> None:
    body = read(approval={"quorum": 2, "window_seconds": 60})
    stored = json.dumps(body.model_dump(mode="json"))
    assert OrderRequestBody.model_validate_json(stored) == body
    assert OrderRequestBody.model_validate_json(stored).order() == body.order()


def test_the_largest_order_is_added_up_exactly() -> None:
    lines = [
        {**LINE, "sku": f"S-{n}", "quantity": MOST_PIECES, "unit_price": "999999999999.9999"}
        for n in range(MOST_LINES)
    ]
    total = read(lines=lines, currency="CLF").order().total
    assert str(total) == "99999999999999990000.0000"


@pytest.mark.parametrize(
    "amount",
    [
        12.5,
        12,
        0,
        True,
        None,
        [],
        {},
        "",
        "-1",
        "-0",
        "+1",
        "1e3",
        "1E3",
        ".5",
        "5.",
        " 5",
        "5 ",
        "5\n",
        "1,000.00",
        "1_000",
        "0x10",
        "NaN",
        "Infinity",
        "5.0000000",
        "1000000000000",
        "٣",
        "12.50 EUR",
        "1/2",
    ],
)
def test_an_amount_that_is_no_plain_text_is_refused(amount: object) -> None:
    with pytest.raises(ValidationError, match=r"a price must be text such as \"12.50\""):
        with_line(unit_price=amount)
    with pytest.raises(ValidationError):
        with_line(unit_price=amount or "x").order()


@pytest.mark.parametrize(
    ("price", "quantity", "currency", "total"),
    [
        ("0.89404", 1000, "EUR", "894.04"),
        ("0.000001", 1_000_000, "EUR", "1.00"),
        ("12.505", 1, "EUR", "12.51"),
        ("12.504999", 1, "EUR", "12.50"),
        ("0.5", 1, "JPY", "1"),
        ("0.0001", 4, "KWD", "0.000"),
    ],
)
def test_a_line_is_rounded_and_its_price_is_not(
    price: str, quantity: int, currency: str, total: str
) -> None:
    line = {**LINE, "quantity": quantity, "unit_price": price}
    order = read(currency=currency, lines=[line]).order()
    [stored] = json.loads(order.stored())["lines"]
    assert (stored["unit_price"], stored["total"]) == (price, total)
    assert OrderContent.read(order.stored()) == order


def test_the_total_is_the_sum_of_rounded_lines() -> None:
    lines = [{**LINE, "sku": f"S-{n}", "quantity": 1, "unit_price": "0.005"} for n in range(3)]
    assert str(read(lines=lines).order().total) == "0.03"


@pytest.mark.parametrize(
    ("quantity", "stored", "total"),
    [("2.5", "2.5", "2.24"), ("2.50", "2.5", "2.24"), ("2.000", 2, "1.79"), (3, 3, "2.68")],
)
def test_a_fraction_of_a_unit_can_be_ordered(quantity: Any, stored: Any, total: str) -> None:
    order = with_line(quantity=quantity, unit=" kg ", unit_price="0.89404").order()
    [line] = json.loads(order.stored())["lines"]
    assert (line["quantity"], line["unit"], line["total"]) == (stored, "kg", total)
    assert OrderContent.read(order.stored()) == order
    assert order.headline == f"{stored} kg Chairs, from Acme"


def test_a_fraction_of_a_piece_is_refused() -> None:
    told = "the quantity 2.5 needs a unit, such as kg"
    with pytest.raises(ValidationError, match=told):
        with_line(quantity="2.5")
    wanted = correction(lines=[{"sku": "S-1", "quantity": "2.5"}]).correction
    assert wanted is not None
    with pytest.raises(UnfitCorrection, match=f"S-1: {told}"):
        wanted.applied(read().order())


def test_a_fraction_is_corrected_to_another() -> None:
    order = with_line(quantity="2.5", unit="kg").order()
    wanted = correction(lines=[{"sku": "S-1", "quantity": "2.75"}]).correction
    assert wanted is not None
    after = wanted.applied(order)
    assert after.widening(order) == ("lines.S-1.quantity", "total")
    assert order.widening(after) == ()


def test_a_corrected_line_keeps_each_field_that_the_correction_does_not_name() -> None:
    fields = OrderLineBody.model_fields.items()
    optional = {name: "kg" for name, field in fields if not field.is_required()}
    order = with_line(**optional).order()
    wanted = correction(lines=[{"sku": "S-1", "quantity": 7}]).correction
    assert wanted is not None
    [before], [after] = order.lines, wanted.applied(order).lines
    assert after == before.model_copy(
        update={"quantity": 7, "total": 7 * before.unit_price},
    )


def test_orders_without_units_are_stored_as_before_there_were_units() -> None:
    assert sha256(read().order().stored()) == (
        "1f184a07f9b8ae1a092bcc6594a9b545ee4fed353331dc13fe9dc9b8275f171c"
    )
    assert "unit" not in json.loads(json.dumps(read().model_dump(mode="json")))["lines"][0]


@pytest.mark.parametrize(
    ("price", "currency", "total"), [("12", "JPY", "24"), ("0.125", "KWD", "0.250")]
)
def test_totals_are_as_exact_as_their_currency(price: str, currency: str, total: str) -> None:
    order = read(currency=currency, lines=[{**LINE, "unit_price": price}]).order()
    assert json.loads(order.stored())["total"] == total


@pytest.mark.parametrize(("price", "quantity"), [("0", 2), ("0.00", 1), ("0.004", 1)])
def test_a_line_that_costs_nothing_needs_a_setting(price: str, quantity: int) -> None:
    free = with_line(unit_price=price, quantity=quantity).order()
    refused = SimpleNamespace(zero_prices=False)
    field, why = ORDER_KIND.fault(free, refused) or ("", "")  # pyright: ignore[reportArgumentType]
    assert (field, "COUNTERSIGN_ZERO_PRICES" in why, "S-1" in why) == ("lines", True, True)
    allowed = SimpleNamespace(zero_prices=True)
    assert ORDER_KIND.fault(free, allowed) is None  # pyright: ignore[reportArgumentType]
    assert ORDER_KIND.fault(read().order(), refused) is None  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize(
    "quantity",
    [
        0,
        -1,
        1.0,
        1.5,
        "1",
        "1.",
        ".5",
        "0.0",
        "-1.5",
        "1.0001",
        "1e1",
        "1000000.1",
        True,
        None,
        10**7,
    ],
)
def test_a_quantity_is_a_number_within_bounds(quantity: object) -> None:
    refused("lines", lines=[{**LINE, "unit": "kg", "quantity": quantity}])


@pytest.mark.parametrize("quantity", [1, MOST_PIECES])
def test_the_bounds_are_within(quantity: int) -> None:
    assert with_line(quantity=quantity).order().lines[0].quantity == quantity


@pytest.mark.parametrize("sku", ["", "a:b", "a,b", "a b", "-a", "a\n", "é", "a" * 65, "../a", 7])
def test_a_sku_can_be_named_anywhere(sku: object) -> None:
    refused("lines", lines=[{**LINE, "sku": sku}])


@pytest.mark.parametrize("currency", ["eur", "EU", "EURO", "€", "EUR\n", " EUR", "ÄÖÜ", "", 978])
def test_a_currency_is_a_code_of_three_letters(currency: object) -> None:
    refused("currency", currency=currency)


def test_an_article_stands_in_one_line() -> None:
    with pytest.raises(ValidationError, match="S-1 appears in more than one line"):
        read(lines=[LINE, {**LINE, "unit_price": "1.00"}])


@pytest.mark.parametrize("count", [0, MOST_LINES + 1])
def test_an_order_has_lines_and_not_too_many(count: int) -> None:
    refused("lines", lines=[{**LINE, "sku": f"S-{n}"} for n in range(count)])


@pytest.mark.parametrize("field", ["vendor", "destination", "reason"])
@pytest.mark.parametrize(
    "text",
    [
        "",
        " \t ",
        # turns the reading direction
        "Acme\u202etxt.exe",
        "Acme\u2066",
        # hides
        "Ac\x00me",
        "Acme\x1b[2K",
        7,
    ],
)
def test_a_reader_is_not_deceived(field: str, text: object) -> None:
    refused(field, **{field: text})


@pytest.mark.parametrize("text", ["Acme\nBeta", "\u200b", "a" * 301])
def test_a_vendor_or_a_description_is_one_line_that_can_be_seen(text: str) -> None:
    refused("vendor", vendor=text)
    refused("destination", destination=text)
    refused("lines", lines=[{**LINE, "description": text}])


def test_a_reason_may_have_lines() -> None:
    assert read(reason=" One.\nTwo. ").order().reason == "One.\nTwo."
    refused("reason", reason="a" * 5_001)


@pytest.mark.parametrize(
    "field", ["total", "kind", "operation_id", "approved", "quorum", "tiers", "countersigner_role"]
)
def test_what_nobody_asked_for_is_refused(field: str) -> None:
    refused(field, **{field: 1})


def test_a_line_and_the_terms_take_no_more_than_they_know() -> None:
    refused("lines", lines=[{**LINE, "total": "0.01"}])
    refused("approval", approval={"role": "Purchase.Requester"})
    refused("approval", approval={"quorum": 0})


def test_a_title_says_what_is_bought_and_from_whom() -> None:
    assert read().title == "2 \u00d7 Chairs, from Acme"
    lines = [{**LINE, "sku": f"S-{n}"} for n in range(3)]
    assert read(lines=lines).title == "2 \u00d7 Chairs and 2 more, from Acme"


@pytest.mark.parametrize("length", [1, 200, 276, 277, 278, 300])
def test_a_title_is_cut_where_it_gets_too_long(length: int) -> None:
    vendor = "v" * length
    whole = f"2 \u00d7 Chairs, from {vendor}"
    title = read(vendor=vendor).title
    assert len(title) == min(len(whole), LONGEST_HEADLINE)
    assert title == whole if len(whole) <= LONGEST_HEADLINE else title.endswith("v…")


def test_a_correction_may_leave_out_what_stays() -> None:
    body = correction(lines=[{"sku": "S-1", "quantity": 1}]).correction
    assert body is not None
    assert (body.vendor, body.destination) == (None, None)


@pytest.mark.parametrize(
    "fields",
    [
        {"lines": []},
        {"lines": [{"sku": "S-1"}, {"sku": "S-1"}]},
        {"lines": [{"sku": "S-1", "quantity": 0}]},
        {"lines": [{"sku": "S-1", "quantity": True}]},
        {"lines": [{"sku": "S-1", "unit_price": 12.5}]},
        {"lines": [{"sku": "S-1", "unit_price": "-1"}]},
        {"lines": [{"sku": "S-1", "description": "Thrones"}]},
        {"lines": [{"quantity": 1}]},
        {"vendor": ""},
        {"vendor": "Acme\u202e"},
        {"destination": "a\nb"},
        {"currency": "USD"},
        {"reason": "Another one."},
        {"total": "1.00"},
        {"text": "# A report"},
    ],
)
def test_what_a_correction_can_not_change_it_does_not_take(fields: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        correction(**fields)
