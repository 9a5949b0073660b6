"""Whoever holds the durable extension's key can disturb instances, and decide nothing."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

INSTANCES = "/runtime/webhooks/durabletask/instances"
FORGED = {"decision": "approve", "digest": "0" * 64, "by": "nobody"}


def manage(desk: Any, path: str, **request: Any) -> httpx.Response:
    """Call the durable extension's own API, as only a holder of its key could in Azure."""
    return httpx.post(f"{desk.host.url}{INSTANCES}/{path}", timeout=30, **request)


def status(desk: Any, instance: str) -> dict[str, Any]:
    answer = httpx.get(f"{desk.host.url}{INSTANCES}/{instance}", timeout=30)
    assert answer.status_code in {200, 202}
    return answer.json()


def poison(desk: Any, instance: str) -> None:
    """Send what the SDK can't decode: it tries to build an object of a class of that name."""
    body = {"__class__": "Popen", "__module__": "subprocess", "__data__": "rm"}
    answer = manage(desk, f"{instance}/raiseEvent/ApprovalDecision", json=body)
    assert answer.status_code == 202


@pytest.fixture
def waiting(desk: Any) -> tuple[str, dict[str, Any]]:
    operation = desk.ask()
    return operation, desk.until_version(operation)


def test_forged_rings_decide_nothing_and_disturb_nobody(
    desk: Any, waiting: tuple[str, dict[str, Any]]
) -> None:
    operation, proposal = waiting
    before, gate = desk.history(operation), f"{operation}-v1"
    created = status(desk, gate)["lastUpdatedTime"]

    def heard() -> bool:
        manage(desk, f"{gate}/raiseEvent/ApprovalDecision", json=FORGED)
        return status(desk, gate)["lastUpdatedTime"] != created

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
    poison(desk, f"{operation}-v1")
    failed = f"{operation}-v1 Failed"
    desk.host.until(lambda: failed in desk.host.log.read_text("utf-8"), "the gate has failed")
    assert desk.decide(operation, proposal).status_code == 200
    done = desk.until_state(operation, "published")
    assert done["proposal"]["version"] == 1


def test_a_decision_survives_the_loss_of_its_orchestration(
    desk: Any, waiting: tuple[str, dict[str, Any]]
) -> None:
    operation, proposal = waiting
    assert manage(desk, f"{operation}/terminate?reason=test").status_code == 202
    desk.host.until(
        lambda: status(desk, operation)["runtimeStatus"] == "Terminated", "it is terminated"
    )
    assert httpx.delete(f"{desk.host.url}{INSTANCES}/{operation}").status_code == 200
    assert desk.decide(operation, proposal).status_code == 200

    def published() -> bool:
        desk.reconcile()
        return desk.operation(operation)["state"] == "published"

    desk.host.until(published, "the reconciler brought it to its end")
    types = [event["type"] for event in desk.history(operation)]
    assert types.count("ProposalOpened") == 1
    assert types.count("WriteClaimed") == 1


def test_an_operation_whose_orchestration_an_operator_ended_is_closed(desk: Any) -> None:
    operation = desk.ask(approval={"window_seconds": 2})
    desk.until_version(operation)
    for instance in (operation, f"{operation}-v1"):
        assert manage(desk, f"{instance}/terminate?reason=test").status_code == 202

    def closed() -> bool:
        desk.reconcile()
        return desk.operation(operation)["stage"] == "closed"

    desk.host.until(closed, "the reconciler closed it")
    outcome = desk.operation(operation)["outcome"]
    assert outcome["as"] == "failed"
    assert "operator" in outcome["reason"]


def test_the_reconciler_leaves_alone_what_is_well(
    desk: Any, waiting: tuple[str, dict[str, Any]]
) -> None:
    operation, _ = waiting
    before, gate = desk.history(operation), status(desk, f"{operation}-v1")
    # An operation that needs mending shows that the reconciler has been at work.
    test_a_decision_survives_the_loss_of_its_orchestration(desk, other_waiting(desk))
    assert desk.history(operation) == before
    assert status(desk, f"{operation}-v1") == gate


def other_waiting(desk: Any) -> tuple[str, dict[str, Any]]:
    operation = desk.ask()
    return operation, desk.until_version(operation)
