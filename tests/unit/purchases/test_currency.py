"""Amounts are exactly as exact as their currency."""

from __future__ import annotations

from decimal import Decimal

import pytest

from countersign.purchases.currency import exact


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
    assert str(exact(Decimal(amount), currency)) == written


@pytest.mark.parametrize(
    ("amount", "currency", "decimals"),
    [("12.345", "EUR", 2), ("0.1", "JPY", 0), ("0.0001", "KWD", 3), ("1.00001", "UYW", 4)],
)
def test_nothing_is_rounded(amount: str, currency: str, decimals: int) -> None:
    told = f"an amount in {currency} has at most {decimals} decimals, not {amount}"
    with pytest.raises(ValueError, match=told):
        exact(Decimal(amount), currency)
