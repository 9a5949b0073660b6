"""What an amount takes: that of the largest version so far, so that no correction lowers it."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

import pytest

from countersign.approvals.events import OperationStarted
from countersign.approvals.ledger import from_record, to_record
from countersign.approvals.policy import Policy, Tier

if TYPE_CHECKING:
    from conftest import Buy

ESCALATION = "Purchase.Escalation"
ONE, TWO, THREE = (1, None), (2, None), (2, ESCALATION)


@pytest.mark.parametrize(
    ("amount", "seats"),
    [
        ("0.00", ONE),
        ("0.01", ONE),
        ("1000", ONE),
        ("1000.00", ONE),
        # more exact than any limit, and no float
        ("1000.0001", TWO),
        ("1000.01", TWO),
        ("49999.99", TWO),
        ("50000.00", TWO),
        ("50000.01", THREE),
        ("999999999999.99", THREE),
    ],
)
def test_an_amount_takes_what_the_highest_limit_below_it_says(
    buy: Buy, amount: str, seats: tuple[int, str | None]
) -> None:
    assert buy(amount).seats() == seats


@pytest.mark.parametrize(
    ("limits", "amount", "seats"),
    [
        # nobody alone
        ("EUR 0 0.50", "0.01", TWO),
        ("EUR 0 0.50", "0.50", TWO),
        ("EUR 0 0.50", "0.51", THREE),
        # either all or one
        ("EUR 1000 1000", "1000.00", ONE),
        ("EUR 1000 1000", "1000.01", THREE),
        # each currency has its own
        ("JPY 100 200, EUR 5 6", "5.50", TWO),
    ],
)
def test_limits_are_what_the_settings_say(
    buy: Buy, limits: str, amount: str, seats: tuple[int, str | None]
) -> None:
    assert buy(amount, limits=limits).seats() == seats


@pytest.mark.parametrize(
    ("quorum", "amount", "seats"),
    [
        (2, "1.00", (2, None)),
        (3, "1.00", (3, None)),
        (1, "1000.01", (2, None)),
        (2, "1000.01", (2, None)),
        (3, "1000.01", (3, None)),
        (1, "50000.01", (2, ESCALATION)),
        (3, "50000.01", (3, ESCALATION)),
    ],
)
def test_a_requested_quorum_only_ever_raises_what_an_amount_takes(
    buy: Buy, quorum: int, amount: str, seats: tuple[int, str | None]
) -> None:
    assert buy(amount, quorum=quorum).seats() == seats


def test_the_limits_of_an_operation_are_those_from_its_start() -> None:
    tiers = (Tier(above=Decimal("0.30"), quorum=2, countersigner_role="Boss"),)
    policy = Policy(reviewer_role="Approver", tiers=tiers)
    assert policy.tier(Decimal("0.1") + Decimal("0.2")).quorum == 1
    assert policy.tier(Decimal("0.3001")) == tiers[0]


@pytest.mark.parametrize("tiers", [(1, 2, 3), (3, 1, 2), (2, 3, 1)])
def test_the_order_in_which_limits_are_named_makes_no_difference(tiers: tuple[int, ...]) -> None:
    named = tuple(Tier(above=Decimal(each), quorum=each) for each in tiers)
    policy = Policy(reviewer_role="Approver", tiers=named)
    took = [policy.tier(Decimal(amount)).quorum for amount in ("1", "1.5", "2.5", "3.5")]
    assert took == [1, 1, 2, 3]


def test_what_costs_nothing_takes_what_the_policy_says() -> None:
    tiers = (Tier(above=Decimal(0), quorum=5, countersigner_role="Boss"),)
    policy = Policy(reviewer_role="Reviewer", quorum=2, tiers=tiers)
    assert (policy.tier(None).quorum, policy.tier(None).countersigner_role) == (2, None)


def test_a_correction_up_takes_what_its_own_amount_takes(buy: Buy) -> None:
    story = buy("1000.00")
    story.correct(story.ann, "1000.01", widens=True)
    assert story.seats() == TWO
    story.correct(story.bob, "50000.01", widens=True)
    assert story.seats() == THREE


def test_a_correction_down_takes_what_the_amount_before_it_took(buy: Buy) -> None:
    story = buy("50000.01")
    story.decide(story.ann)
    story.correct(story.bob, "1000.00", widens=False)
    assert story.seats() == THREE
    assert story.current.approvals == {}
    for approver in (story.bob, story.ann):
        story.decide(approver)
        assert story.current.status == "pending"
    story.decide(story.eve)
    assert story.current.status == "approved"


def test_a_detour_over_several_corrections_lowers_nothing(buy: Buy) -> None:
    story = buy("1000.00")
    for corrector, amount, took in (
        (story.ann, "1000.01", TWO),
        (story.bob, "1.00", TWO),
        (story.ann, "50000.01", THREE),
        (story.bob, "0.01", THREE),
    ):
        story.correct(corrector, amount, widens=False)
        assert story.seats() == took


def test_an_operation_from_before_that_was_recorded_takes_what_each_version_costs(buy: Buy) -> None:
    story = buy("50000.01", by_largest=False)
    started = to_record(story.events[0])[1]
    del started["policy"]["by_largest"]
    assert from_record("OperationStarted", started) == story.events[0]
    story.correct(story.bob, "1000.00", widens=False)
    assert story.seats() == ONE


def test_nobody_is_needed_less_after_an_expiry(buy: Buy) -> None:
    for amount, people in (("1000.00", 1), ("1000.01", 2), ("50000.01", 3)):
        story = buy(amount)
        story.expire()
        story.offer(amount)
        assert story.current.required_role == ESCALATION
        assert story.current.asked_before == "Purchase.Approver"
        for who in (story.eve, story.fay, story.gus)[:people]:
            assert story.current.status == "pending"
            story.decide(who)
        assert story.current.status == "approved"


def test_a_correction_of_an_escalated_order_takes_what_its_own_amount_takes(buy: Buy) -> None:
    story = buy("1000.00")
    story.expire()
    story.offer("1000.00")
    story.correct(story.eve, "50000.01", widens=True)
    assert (story.current.required_role, story.seats()) == (ESCALATION, THREE)
    assert story.current.asked_before == "Purchase.Approver"


def test_a_version_says_what_it_costs(buy: Buy) -> None:
    assert str(buy("1234567.80").current.amount) == "1,234,567.80 EUR"


def test_limits_and_amounts_are_recorded_as_text(buy: Buy) -> None:
    started, opened = (to_record(event)[1] for event in buy("1000.10").events)
    assert opened["amount"] == {"amount": "1000.10", "currency": "EUR"}
    assert [each["above"] for each in started["policy"]["tiers"]] == ["1000", "50000"]
    read = from_record("OperationStarted", started)
    assert isinstance(read, OperationStarted)
    assert read.policy.tier(Decimal("50000.01")).countersigner_role == ESCALATION
