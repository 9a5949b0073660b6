"""From which amounts on an order takes more people's approval, by currency."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from countersign.approvals.policy import Tier
from countersign.roles import PURCHASE_ESCALATION

SETTING = "COUNTERSIGN_PURCHASE_LIMITS"
USUAL = "EUR 1000 50000, USD 1000 50000, GBP 1000 50000, CHF 1000 50000"

_LIMITS = re.compile(r"([A-Z]{3})\s+(\d{1,12}(?:\.\d{1,4})?)\s+(\d{1,12}(?:\.\d{1,4})?)")


@dataclass(frozen=True, kw_only=True, slots=True)
class Limits:
    """Amounts in one currency.

    Attributes:
        one_approver: up to this amount one approver is enough; beyond, it takes two.
        approvers_alone: beyond this amount, it takes somebody of the escalation role as well.
    """

    one_approver: Decimal
    approvers_alone: Decimal

    @property
    def tiers(self) -> tuple[Tier, ...]:
        """What larger amounts take, as a policy has it."""
        two = Tier(above=self.one_approver, quorum=2)
        and_one_more = Tier(
            above=self.approvers_alone, quorum=2, countersigner_role=PURCHASE_ESCALATION
        )
        return (two, and_one_more)


def read_limits(environment: Mapping[str, str]) -> Mapping[str, Limits]:
    """Return the limits that the settings name, by currency: `EUR 1000 50000, USD 1100 55000`.

    Orders in other currencies are not taken, because nobody said who may approve them.

    Raises:
        ValueError: the setting is something else.
    """
    text = environment.get(SETTING, "").strip() or USUAL
    limits: dict[str, Limits] = {}
    for part in text.split(","):
        found = _LIMITS.fullmatch(part.strip())
        if found is None:
            raise ValueError(
                f"{SETTING} must be a list such as {USUAL[:30]}, but contains {part.strip()!r}"
            )
        currency, one, alone = found.groups()
        if currency in limits:
            raise ValueError(f"{SETTING} names {currency} more than once")
        limits[currency] = _ordered(currency, Decimal(one), Decimal(alone))
    return limits


def _ordered(currency: str, one_approver: Decimal, approvers_alone: Decimal) -> Limits:
    if approvers_alone < one_approver:
        raise ValueError(f"{SETTING}: the second amount for {currency} is below the first")
    return Limits(one_approver=one_approver, approvers_alone=approvers_alone)
