"""Amounts are exactly as exact as their currency, and prices as exact as they are."""

from __future__ import annotations

from decimal import Decimal

import pytest

from countersign.purchases.currency import price_in, rounded


@pytest.mark.parametrize(
    ("amount", "currency", "written"),
    [
        ("12.5", "EUR", "12.50"),
        ("12", "EUR", "12.00"),
        ("12.5000", "EUR", "12.50"),
        ("0", "EUR", "0.00"),
        # no decimals
        ("12", "JPY", "12"),
        ("12.0", "JPY", "12"),
        # three
        ("12.345", "KWD", "12.345"),
        ("1", "BHD", "1.000"),
        # four
        ("1.2345", "CLF", "1.2345"),
        # a currency that no list has is usual
        ("1", "ZZZ", "1.00"),
        ("999999999999.99", "EUR", "999999999999.99"),
    ],
)
def test_an_amount_has_as_many_decimals_as_its_currency(
    amount: str, currency: str, written: str
) -> None:
    assert str(rounded(Decimal(amount), currency)) == written
    assert str(price_in(Decimal(amount), currency)) == written


@pytest.mark.parametrize(
    ("amount", "currency", "written"),
    [
        ("0.005", "EUR", "0.01"),
        ("0.015", "EUR", "0.02"),
        ("0.025", "EUR", "0.03"),
        ("0.004999", "EUR", "0.00"),
        ("0.5", "JPY", "1"),
        ("1.0005", "KWD", "1.001"),
    ],
)
def test_halves_are_rounded_up(amount: str, currency: str, written: str) -> None:
    assert str(rounded(Decimal(amount), currency)) == written


@pytest.mark.parametrize(
    ("price", "written"),
    [("0.89404", "0.89404"), ("0.894040", "0.89404"), ("12.345600", "12.3456")],
)
def test_a_price_keeps_the_decimals_that_it_needs(price: str, written: str) -> None:
    assert str(price_in(Decimal(price), "EUR")) == written
