"""The gate under every fault that events and timers can have."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

RING = "ApprovalDecision"
PROPOSAL = {"tenant": "home", "operation_id": "o-1", "version": 1}
PENDING = {"next": "wait", "wake_at": "2026-01-02T00:00:00+00:00"}
APPROVED, EXPIRED = {"next": "publish"}, {"next": "escalate"}
WITH_RETRY, AGAIN, TIMER, WAIT, SIGNAL = 1, 4, 5, 6, 9
SENT = 14

NewHistory = Callable[..., Any]


@pytest.fixture
def begun(history: NewHistory) -> Any:
    """A gate whose first look at the ledger is under way."""
    return history("approval_gate", PROPOSAL).scheduled(0, "settle_proposal").wake()


@pytest.fixture
def waiting(begun: Any) -> Any:
    """A gate that waits for a ring or its timer."""
    return begun.done(0, PENDING).timer(1)


def looked_again(history: Any, outcome: dict[str, Any]) -> dict[str, Any]:
    return history.scheduled(2, "settle_proposal").wake().done(2, outcome).replay()


def test_a_gate_looks_at_the_ledger_before_it_waits(history: NewHistory) -> None:
    [look] = history("approval_gate", PROPOSAL).actions()
    assert (look["actionType"], look["functionName"]) == (WITH_RETRY, "settle_proposal")


def test_a_decision_made_before_the_gate_began_is_found_without_a_ring(begun: Any) -> None:
    answer = begun.done(0, APPROVED).replay()
    assert answer["isDone"]
    assert answer["output"] == APPROVED
    assert len(begun.actions()) == 1


def test_a_gate_waits_for_one_ring_and_one_timer(waiting: Any) -> None:
    _, ring, timer = waiting.actions()
    assert (ring["actionType"], ring["externalEventName"]) == (WAIT, RING)
    assert (timer["actionType"], timer["isCanceled"]) == (TIMER, False)
    assert timer["fireAt"].startswith("2026-01-02T00:00:00")


def test_a_ring_ends_the_wait_and_cancels_the_timer(waiting: Any) -> None:
    rung = waiting.wake(hours=1).event(RING, {"sequence": 5})
    assert looked_again(rung, APPROVED)["output"] == APPROVED
    assert next(each for each in rung.actions() if each["actionType"] == TIMER)["isCanceled"]


def test_the_deadline_ends_the_wait(waiting: Any) -> None:
    late = waiting.wake(hours=24).fired(1)
    assert looked_again(late, EXPIRED)["output"] == EXPIRED


def test_an_early_ring_costs_one_look_and_no_more(begun: Any) -> None:
    early = begun.event(RING).done(0, PENDING).timer(1)
    answer = looked_again(early, PENDING)
    assert early.actions()[-1]["actionType"] == AGAIN
    assert answer["isDone"]


def test_two_early_rings_do_not_decide_twice(begun: Any) -> None:
    early = begun.event(RING, 1).event(RING, 2).done(0, PENDING).timer(1)
    assert looked_again(early, APPROVED)["output"] == APPROVED


def test_a_ring_during_the_second_look_is_not_needed(waiting: Any) -> None:
    ringing = waiting.wake(hours=1).event(RING).scheduled(2, "settle_proposal").wake().event(RING)
    assert ringing.done(2, APPROVED).replay()["output"] == APPROVED


@pytest.mark.parametrize(
    "payload",
    [
        {"decision": "approve", "digest": "0" * 64},  # what a forger would send
        None,
        "approve",
        True,
        [{"version": 2}],
        {"sequence": "NaN"},
    ],
)
def test_no_payload_decides_anything(waiting: Any, payload: Any) -> None:
    forged = waiting.wake(hours=1).event(RING, payload)
    looked_again(forged, PENDING)
    assert forged.actions()[-1]["actionType"] == AGAIN


def test_fifty_forged_rings_cost_one_generation(waiting: Any) -> None:
    forged = waiting.wake(hours=1)
    for number in range(50):
        forged.event(RING, {"decision": "approve", "n": number})
    looked_again(forged, PENDING)
    assert [each["actionType"] for each in forged.actions()].count(WAIT) == 1
    assert forged.actions()[-1]["actionType"] == AGAIN


def test_a_poisonous_ring_fails_this_instance_and_nothing_else(waiting: Any) -> None:
    poisoned = waiting.wake(hours=1).event(RING, raw="not JSON {")
    with pytest.raises(Exception, match="Expecting value"):
        poisoned.replay()


@pytest.mark.parametrize("ring_first", [True, False], ids=["ring-timer", "timer-ring"])
def test_the_order_of_ring_and_timer_does_not_matter(waiting: Any, ring_first: bool) -> None:
    both = waiting.wake(hours=25)
    both = both.event(RING).fired(1) if ring_first else both.fired(1).event(RING)
    assert looked_again(both, EXPIRED)["output"] == EXPIRED


def test_a_lost_ring_is_made_up_for_by_the_timer(waiting: Any) -> None:
    unrung = waiting.wake(hours=24).fired(1)
    assert looked_again(unrung, APPROVED)["output"] == APPROVED


def test_an_event_of_another_name_is_not_heard(waiting: Any) -> None:
    assert not waiting.wake(hours=1).event("Approval").replay()["isDone"]


def test_a_new_generation_is_given_the_same_proposal(waiting: Any) -> None:
    looked_again(waiting.wake(hours=1).event(RING), PENDING)
    assert json.loads(waiting.actions()[-1]["input"]) == PROPOSAL


def test_a_timer_never_runs_longer_than_five_days(begun: Any) -> None:
    far = begun.done(0, {"next": "wait", "wake_at": "2026-01-15T00:00:00+00:00"})
    timer = far.actions()[-1]
    assert timer["fireAt"].startswith("2026-01-06")


def test_a_wake_point_in_the_past_is_looked_at_soon_and_not_without_pause(begun: Any) -> None:
    behind = begun.done(0, {"next": "wait", "wake_at": "2025-12-31T00:00:00+00:00"})
    assert behind.actions()[-1]["fireAt"].startswith("2026-01-01T00:00:02")
    behind.timer(1)
    assert looked_again(behind.wake(seconds=2).fired(1), EXPIRED)["output"] == EXPIRED


def test_news_is_passed_on_and_nobody_waits_for_what_becomes_of_it(begun: Any) -> None:
    informing = begun.done(0, {**PENDING, "news": True})
    _, signal, ring, timer = informing.actions()
    assert (signal["actionType"], signal["instanceId"]) == (SIGNAL, "@notices@o-1")
    assert json.loads(signal["input"]) == PROPOSAL
    assert (ring["actionType"], timer["actionType"]) == (WAIT, TIMER)
    informing._add(SENT, 1, Name="op", InstanceId="@notices@o-1", Input="{}").timer(2)
    rung = informing.wake(hours=1).event(RING).scheduled(3, "settle_proposal").wake()
    assert rung.done(3, APPROVED).replay()["output"] == APPROVED


@pytest.mark.parametrize("news", [{}, {"news": False}])  # before there were notices, and since
def test_without_news_nobody_is_signalled(begun: Any, news: dict[str, bool]) -> None:
    quiet = begun.done(0, {**PENDING, **news})
    assert SIGNAL not in [each["actionType"] for each in quiet.actions()]


@pytest.mark.parametrize("look", ["first", "second"])
def test_an_outage_of_the_ledger_does_not_end_the_gate(begun: Any, look: str) -> None:
    task = 0
    if look == "second":
        begun.done(0, PENDING).timer(1).wake(hours=1).event(RING).scheduled(2, "settle_proposal")
        begun.wake()
        task = 2
    for _ in range(5):
        begun.failed(task, "StoreUnavailable")
        assert not begun.replay()["isDone"]
        begun.timer(task + 1).wake(seconds=10).fired(task + 1)
        begun.scheduled(task + 2, "settle_proposal").wake()
        task += 2
    assert begun.done(task, APPROVED).replay()["output"] == APPROVED
