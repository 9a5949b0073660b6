"""Whoever holds the durable extension's key can disturb instances, and decide nothing."""

from __future__ import annotations

import time
from typing import Any

import httpx
import pytest

POISON = {"__class__": "Popen", "__module__": "subprocess", "__data__": "rm"}
FORGED = {"decision": "approve", "digest": "0" * 64, "by": "nobody"}


def manage(desk: Any, path: str, **request: Any) -> httpx.Response:
    return desk.host.manage("POST", f"instances/{path}", **request)


def events_of(desk: Any, instance: str) -> list[str]:
    # An instance that is pending has no history.
    seen = desk.host.instance(instance, history=True)
    return [event["EventType"] for event in seen.get("historyEvents", [])]


def poison(desk: Any, instance: str) -> None:
    """Send what the SDK can't decode: it tries to build an object of a class of that name."""
    ring = f"{instance}/raiseEvent/ApprovalDecision"
    desk.host.until(lambda: manage(desk, ring, json=POISON).status_code == 202, "it can be rung")


@pytest.fixture
def waiting(desk: Any) -> tuple[str, dict[str, Any]]:
    operation = desk.ask()
    return operation, desk.until_version(operation)


def test_forged_rings_decide_nothing_and_disturb_nobody(
    desk: Any, waiting: tuple[str, dict[str, Any]]
) -> None:
    operation, proposal = waiting
    before, gate = desk.history(operation), f"{operation}-v1"
    created = desk.host.instance(gate)["lastUpdatedTime"]

    def heard() -> bool:
        manage(desk, f"{gate}/raiseEvent/ApprovalDecision", json=FORGED)
        return desk.host.instance(gate)["lastUpdatedTime"] != created

    desk.host.until(heard, "the gate heard the forged rings")
    assert desk.operation(operation)["state"] == "awaiting_approval"
    assert desk.history(operation) == before
    assert desk.decide(operation, proposal).status_code == 200
    desk.until_state(operation, "published")


@pytest.mark.devhost_only("the poisoned gate shows in its log alone, so soon it starts again")
def test_a_poisonous_ring_costs_the_gate_a_restart_and_nothing_else(
    desk: Any, waiting: tuple[str, dict[str, Any]]
) -> None:
    operation, proposal = waiting
    # Before it waits, poison would make the gate deaf, and it would not fail.
    gate = f"{operation}-v1"
    desk.host.until(lambda: "TimerCreated" in events_of(desk, gate), "the gate waits")
    poison(desk, gate)
    failed = f"{gate} Failed"
    desk.host.until(lambda: failed in desk.host.log.read_text("utf-8"), "the gate has failed")
    assert desk.decide(operation, proposal).status_code == 200
    done = desk.until_state(operation, "published")
    assert done["proposal"]["version"] == 1


def test_what_poison_has_broken_for_good_starts_again_once_somebody_has_decided(
    virtual_desk: Any,
) -> None:
    desk = virtual_desk
    operation = desk.ask()
    proposal = desk.until_version(operation)
    # Before it waits, poison would make the gate deaf, and it would not fail.
    desk.host.advance(0)
    for _ in range(60):
        poison(desk, f"{operation}-v1")
        desk.host.advance(3)
        if desk.host.instance(operation)["runtimeStatus"] == "Failed":
            break
    else:
        pytest.fail("the operation's orchestration does not give up")
    assert desk.operation(operation)["proposal"] == proposal
    assert desk.decide(operation, proposal).status_code == 200
    desk.host.advance(180)
    desk.until_state(operation, "published")


@pytest.mark.devhost_only("so early a ring takes many tries")
def test_the_reconciler_replaces_a_gate_that_a_poisonous_ring_made_deaf(desk: Any) -> None:
    operation, proposal = next(filter(None, (deafened(desk) for _ in range(30))))
    assert desk.decide(operation, proposal).status_code == 200

    def published() -> bool:
        desk.reconcile()
        return desk.operation(operation)["state"] == "published"

    desk.host.until(published, "the reconciler brought it to its end")
    assert f"{operation}-v1 Terminated" in desk.host.log.read_text("utf-8")


def deafened(desk: Any) -> tuple[str, dict[str, Any]] | None:
    """A proposal whose gate got a poisonous ring before it could wait; None if that came late."""
    operation = desk.ask()
    gate = f"{operation}-v1"
    ring = f"{gate}/raiseEvent/ApprovalDecision"
    deadline = time.monotonic() + desk.host.patience
    while manage(desk, ring, json=POISON).status_code != 202:
        assert time.monotonic() < deadline, "there is no gate to ring"
    proposal = desk.until_version(operation)

    def taken_in() -> list[str]:
        events = events_of(desk, gate)
        failed = f"{gate} Failed" in desk.host.log.read_text("utf-8")
        return events if failed or {"EventRaised", "TaskCompleted"} <= {*events} else []

    events = desk.host.until(taken_in, "the gate has taken the ring in")
    deaf = desk.host.instance(gate)["runtimeStatus"] == "Running" and "EventRaised" in events
    return (operation, proposal) if deaf else None


@pytest.mark.parametrize("purged", [True, False], ids=["terminated and purged", "terminated"])
def test_a_decision_survives_the_loss_of_its_orchestration(
    desk: Any, waiting: tuple[str, dict[str, Any]], purged: bool
) -> None:
    operation, proposal = waiting
    lose_orchestration(desk, operation, purged=purged)
    assert desk.decide(operation, proposal).status_code == 200
    carried_out_once(desk, operation)


def lose_orchestration(desk: Any, operation: str, *, purged: bool) -> None:
    desk.host.terminate(operation)
    desk.host.until(
        lambda: desk.host.instance(operation)["runtimeStatus"] == "Terminated", "it is terminated"
    )
    if purged:
        desk.host.purge(operation)


def carried_out_once(desk: Any, operation: str) -> None:
    def published() -> bool:
        desk.reconcile()
        return desk.operation(operation)["state"] == "published"

    desk.host.until(published, "the reconciler brought it to its end")
    types = [event["type"] for event in desk.history(operation)]
    assert types.count("ProposalOpened") == 1
    assert types.count("WriteClaimed") == 1


def test_an_operation_whose_orchestrations_were_ended_goes_on_as_its_ledger_says(
    desk: Any,
) -> None:
    operation = desk.ask(approval={"window_seconds": 2})
    desk.until_version(operation)
    for instance in (operation, f"{operation}-v1"):
        desk.host.terminate(instance)

    def escalated() -> bool:
        desk.reconcile()
        return desk.operation(operation)["proposal"]["version"] == 2

    desk.host.until(escalated, "the reconciler brought it to its escalation")
    types = [event["type"] for event in desk.history(operation)]
    assert types.count("ProposalExpired") == 1


def test_what_waits_is_reminded_of_though_its_task_hub_was_lost(virtual_desk: Any) -> None:
    desk = virtual_desk
    operation = desk.ask(approval={"window_seconds": 86_400})
    desk.until_version(operation)
    for instance in (operation, f"{operation}-v1"):
        desk.host.terminate(instance)
        desk.host.advance(0)
        desk.host.purge(instance)
    assert "ReminderDue" not in types_of(desk, operation)
    desk.host.advance(43_200 + 240)
    assert types_of(desk, operation).count("ReminderDue") == 1
    assert desk.host.instance(f"{operation}-v1")["runtimeStatus"] == "Running"


def types_of(desk: Any, operation: str) -> list[str]:
    return [event["type"] for event in desk.history(operation)]


def test_an_operator_stops_an_operation_by_a_command_even_if_its_orchestration_is_gone(
    desk: Any, waiting: tuple[str, dict[str, Any]]
) -> None:
    operation, proposal = waiting
    lose_orchestration(desk, operation, purged=True)
    path, body = f"operations/{operation}/stop", {"reason": "Nobody needs it."}
    operator = desk.person("Olga", "Operator")
    assert desk.host.call("POST", path, desk.requester, json=body).status_code == 403
    assert desk.host.call("POST", path, operator, json={"reason": " "}).status_code == 422
    answers = [desk.host.call("POST", path, operator, json=body) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [200, 200]
    assert desk.decide(operation, proposal).status_code == 409

    def closed() -> bool:
        desk.reconcile()
        return desk.operation(operation)["stage"] == "closed"

    desk.host.until(closed, "the reconciler had it closed")
    outcome = desk.operation(operation)["outcome"]
    assert (outcome["as"], outcome["reason"]) == ("stopped", "Nobody needs it.")
    assert types_of(desk, operation).count("OperationStopped") == 1


def test_what_is_approved_is_not_stopped(desk: Any, waiting: tuple[str, dict[str, Any]]) -> None:
    operation, proposal = waiting
    assert desk.decide(operation, proposal).status_code == 200
    operator = desk.person("Olga", "Operator")
    answer = desk.host.call(
        "POST", f"operations/{operation}/stop", operator, json={"reason": "Too late."}
    )
    assert answer.status_code == 409
    assert answer.json()["code"] == "already_decided"
    desk.until_state(operation, "published")


def test_the_reconciler_leaves_alone_what_is_well(
    desk: Any, waiting: tuple[str, dict[str, Any]]
) -> None:
    operation, _ = waiting
    before = desk.history(operation)
    # An operation that needs mending shows that the reconciler has been at work.
    other = desk.ask()
    proposal = desk.until_version(other)
    lose_orchestration(desk, other, purged=True)
    assert desk.decide(other, proposal).status_code == 200
    carried_out_once(desk, other)
    assert desk.history(operation) == before
    assert desk.host.instance(f"{operation}-v1")["runtimeStatus"] == "Running"
    assert "EventRaised" not in events_of(desk, f"{operation}-v1")
