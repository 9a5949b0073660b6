"""How exact an amount of a currency can be."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import ROUND_HALF_UP, Decimal

_MINOR_UNITS: Mapping[int, str] = {
    0: "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF",
    3: "BHD IQD JOD KWD LYD OMR TND",
    4: "CLF UYW",
}
_USUAL = 2


def decimals_of(currency: str) -> int:
    """Return how many decimals amounts of a currency have (ISO 4217, list one)."""
    return next((n for n, codes in _MINOR_UNITS.items() if currency in codes.split()), _USUAL)


def rounded(amount: Decimal, currency: str) -> Decimal:
    """Return an amount with exactly as many decimals as its currency has; halves are rounded up."""
    return amount.quantize(Decimal(1).scaleb(-decimals_of(currency)), ROUND_HALF_UP)


def price_in(amount: Decimal, currency: str) -> Decimal:
    """Write a price in one way: with the decimals of the currency, and more if needed."""
    whole = rounded(amount, currency)
    return whole if whole == amount else amount.normalize()
