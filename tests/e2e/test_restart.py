"""A host that dies while people think, and one that stands still past a deadline."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

MakeDesk = Callable[[Any], Any]


def test_the_same_proposal_waits_after_a_kill(
    make_host: Callable[..., Any], desk_at: MakeDesk
) -> None:
    desk = desk_at(make_host().start())
    operation = desk.ask()
    before = desk.until_version(operation)
    for _ in range(3):
        desk.host.restart()
        assert desk.operation(operation)["proposal"] == before
    assert desk.decide(operation, before).status_code == 200
    desk.until_state(operation, "published")


def test_a_decision_recorded_just_before_a_kill_is_carried_out(
    make_host: Callable[..., Any], desk_at: MakeDesk
) -> None:
    desk = desk_at(make_host().start())
    operation = desk.ask()
    proposal = desk.until_version(operation)
    assert desk.decide(operation, proposal).status_code == 200
    desk.host.restart()
    desk.until_state(operation, "published")


def test_downtime_across_the_deadline_expires_and_never_approves(
    make_host: Callable[..., Any], desk_at: MakeDesk
) -> None:
    desk = desk_at(make_host().start())
    operation = desk.ask(approval={"window_seconds": 2})
    first = desk.until_version(operation)
    desk.host.kill()
    deadline = time.monotonic() + 2
    while time.monotonic() < deadline:
        time.sleep(0.05)
    desk.host.start()
    late = desk.decide(operation, first)
    assert (late.status_code, late.json()["code"]) == (410, "expired")
    second = desk.until_version(operation, 2)
    assert second["required_role"] == "Report.Escalation"


def test_a_missing_library_ends_the_operation_with_a_reason(
    make_host: Callable[..., Any], desk_at: MakeDesk
) -> None:
    desk = desk_at(make_host(COUNTERSIGN_LIBRARY="/nowhere").start())
    operation = desk.ask()
    done = desk.until_state(operation, "failed", "needs_revision")
    assert done["state"] == "failed"
    assert "nowhere" in done["outcome"]["reason"]


def test_a_budget_that_is_used_up_ends_the_operation(
    make_host: Callable[..., Any], desk_at: MakeDesk
) -> None:
    desk = desk_at(make_host(**{"COUNTERSIGN_TOKEN_LIMIT": "50"}).start())
    operation = desk.ask()
    done = desk.until_state(operation, "over_budget", "awaiting_approval")
    assert done["state"] == "over_budget"
    assert done["usage"]["limit"] == 50
