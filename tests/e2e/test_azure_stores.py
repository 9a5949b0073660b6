"""The way through with everything in Azure Storage, which Azurite stands for."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

import pytest


@pytest.fixture
def azure_desk(azurite: str, make_host: Callable[..., Any], desk_at: Callable[[Any], Any]) -> Any:
    """People at a host that keeps nothing of theirs on its own disk."""
    settings = {
        "COUNTERSIGN_STORAGE": azurite,
        "COUNTERSIGN_STORAGE_PREFIX": f"t{uuid.uuid4().hex[:12]}",
    }
    return desk_at(make_host(**settings).start())


def text_of(desk: Any, operation: str, version: int) -> str:
    path = f"operations/{operation}/proposals/{version}"
    return desk.host.call("GET", path, desk.reviewer).json()["content"]["text"]


def assert_published(desk: Any, operation: str, text: str) -> None:
    done = desk.until_state(operation, "published")
    assert done["receipt"]["location"]
    report = desk.host.call("GET", f"operations/{operation}/report", desk.requester)
    assert report.text == text
    types = [event["type"] for event in desk.history(operation)]
    assert types.count("WriteClaimed") == types.count("ReceiptRecorded") == 1
    for embedded in ("countersign.db", "artifacts", "reports"):
        assert not (desk.host.data / embedded).exists()


def test_a_proposal_that_waits_outlives_a_killed_host_and_is_published(azure_desk: Any) -> None:
    desk = azure_desk
    operation = desk.ask()
    before = desk.until_version(operation)
    text = text_of(desk, operation, 1)
    desk.host.restart()
    assert desk.operation(operation)["proposal"] == before
    assert desk.decide(operation, before).status_code == 200
    assert_published(desk, operation, text)


def test_a_revision_is_published_as_it_was_approved(azure_desk: Any) -> None:
    desk = azure_desk
    operation = desk.ask()
    asked = desk.decide(
        operation, desk.until_version(operation), "revise", comment="Make it shorter."
    )
    assert asked.json()["status"] == "superseded"
    second = desk.until_version(operation, 2)
    text = text_of(desk, operation, 2)
    assert text != text_of(desk, operation, 1)
    # Whoever said in words what to change is not the only one to approve it.
    assert desk.decide(operation, second, token=desk.second).status_code == 200
    assert_published(desk, operation, text)


def test_the_same_decision_again_gets_the_receipt_that_is_kept_there(azure_desk: Any) -> None:
    desk = azure_desk
    operation = desk.ask()
    proposal = desk.until_version(operation)
    first = desk.decide(operation, proposal).json()["receipt"]
    desk.host.restart()
    again = desk.decide(operation, proposal)
    assert (again.status_code, again.json()["receipt"]) == (200, first)


def test_health_tells_how_far_the_clock_is_from_that_of_the_storage(azure_desk: Any) -> None:
    health = azure_desk.host.call("GET", "health").json()
    assert (health["clock_ahead_seconds"], health["warning"]) == (None, None)
    azure_desk.ask()
    health = azure_desk.host.call("GET", "health").json()
    assert isinstance(health["clock_ahead_seconds"], float)
    assert health["warning"] is None
