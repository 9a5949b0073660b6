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


def exact(amount: Decimal, currency: str) -> Decimal:
    """An amount with exactly as many decimals as its currency has (ISO 4217, list one).

    Raises:
        ValueError: the amount has more.
    """
    decimals = next((n for n, codes in _MINOR_UNITS.items() if currency in codes.split()), _USUAL)
    written = amount.quantize(Decimal(1).scaleb(-decimals))
    if written != amount:
        raise ValueError(f"an amount in {currency} has at most {decimals} decimals, not {amount:f}")
    return written
