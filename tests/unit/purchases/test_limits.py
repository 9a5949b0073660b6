"""From which amounts on an order takes more people is what the settings say, or no order is."""

from __future__ import annotations

from decimal import Decimal

import pytest

from countersign.approvals.policy import Tier
from countersign.purchases.limits import SETTING, read_limits
from countersign.roles import PURCHASE_ESCALATION


def test_without_a_word_about_them_the_limits_are_the_usual_ones() -> None:
    for environment in ({}, {SETTING: ""}, {SETTING: "  "}):
        limits = read_limits(environment)
        assert set(limits) == {"EUR", "USD", "GBP", "CHF"}
        for each in limits.values():
            assert (each.one_approver, each.approvers_alone) == (Decimal(1_000), Decimal(50_000))


def test_what_the_settings_name_takes_the_place_of_all_usual_ones() -> None:
    limits = read_limits({SETTING: " JPY 100000  5000000 ,KWD 300.125 15000.5"})
    assert set(limits) == {"JPY", "KWD"}
    assert limits["KWD"].one_approver == Decimal("300.125")


def test_beyond_the_first_limit_it_takes_two_and_beyond_the_second_one_more() -> None:
    assert read_limits({SETTING: "EUR 0 0.5"})["EUR"].tiers == (
        Tier(above=Decimal(0), quorum=2),
        Tier(above=Decimal("0.5"), quorum=2, countersigner_role=PURCHASE_ESCALATION),
    )


@pytest.mark.parametrize(
    "text",
    [
        "EUR",
        "EUR 1000",
        "EUR 1000 50000 90000",
        "eur 1000 50000",
        "EURO 1000 50000",
        "1000 50000",
        "EUR 1,000 50,000",
        "EUR 1000 50000,",
        "EUR 1000 50000; USD 1 2",
        "EUR -1 50000",
        "EUR 1e3 50000",
        "EUR 1000.00001 50000",
        "EUR 1000 inf",
        "EUR 1000 NaN",
        "EUR 1000 9999999999999",
        # the second is below the first
        "EUR 1000 999.99",
        # one of them would not count
        "EUR 1000 50000, EUR 2000 60000",
    ],
)
def test_anything_else_is_refused_by_the_name_of_the_setting(text: str) -> None:
    with pytest.raises(ValueError, match=SETTING):
        read_limits({SETTING: text})
