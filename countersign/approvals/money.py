"""An amount of money: exact, and never without its currency."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal


@dataclass(frozen=True, kw_only=True, slots=True)
class Money:
    """So much of one currency, by its code in ISO 4217."""

    amount: Decimal
    currency: str

    def __str__(self) -> str:
        return f"{self.amount:,f} {self.currency}"
