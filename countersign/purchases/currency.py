"""How exact an amount of a currency can be."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal

_MINOR_UNITS: Mapping[int, str] = {
    0: "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF",
    3: "BHD IQD JOD KWD LYD OMR TND",
    4: "CLF UYW",
}
_USUAL = 2


def decimals_of(currency: str) -> int:
    """How many decimals amounts of a currency have (ISO 4217, list one)."""
    return next((n for n, codes in _MINOR_UNITS.items() if currency in codes.split()), _USUAL)


def exact(amount: Decimal, currency: str) -> Decimal:
    """Return an amount with exactly as many decimals as its currency has.

    Raises:
        ValueError: the amount has more.
    """
    decimals = decimals_of(currency)
    written = amount.quantize(Decimal(1).scaleb(-decimals))
    if written != amount:
        raise ValueError(f"an amount in {currency} has at most {decimals} decimals, not {amount:f}")
    return written
