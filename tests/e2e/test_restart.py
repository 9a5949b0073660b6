"""A host that dies while people think, and one that stands still past a deadline."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from datetime import datetime, timezone
from typing import Any

import pytest

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
    desk.host.process.kill()
    while datetime.now(timezone.utc) < datetime.fromisoformat(first["expires_at"]):
        time.sleep(0.05)
    desk.host.start()
    late = desk.decide(operation, first)
    assert (late.status_code, late.json()["code"]) == (410, "expired")
    second = desk.until_version(operation, 2)
    assert second["required_role"] == "Report.Escalation"


def test_work_without_its_library_waits_for_an_operator_with_a_reason(
    make_host: Callable[..., Any], desk_at: MakeDesk
) -> None:
    desk = desk_at(make_host(COUNTERSIGN_LIBRARY="/nowhere").start())
    operation = desk.ask()
    hold = desk.until_state(operation, "needs_operator")["hold"]
    assert hold["cause"] == "library_missing"
    assert "folder is missing" in hold["reason"]
    assert "nowhere" not in hold["reason"]


def test_a_budget_that_is_used_up_ends_the_operation(
    make_host: Callable[..., Any], desk_at: MakeDesk
) -> None:
    desk = desk_at(make_host(**{"COUNTERSIGN_TOKEN_LIMIT": "50"}).start())
    operation = desk.ask()
    done = desk.until_state(operation, "over_budget", "awaiting_approval")
    assert done["state"] == "over_budget"
    assert done["usage"]["limit"] == 50


@pytest.mark.parametrize(
    ("damage", "chain"),
    [
        (
            "UPDATE ledger SET data = replace(data, 'research', 'x') WHERE sequence = 1",
            "at 1",
        ),
        (
            "UPDATE ledger SET openings = replace(openings, 'Rita', 'Eve') WHERE sequence = 1",
            "at 1",
        ),
        ("UPDATE ledger SET data = '{}' WHERE sequence = 2", "at 2"),
        ("DELETE FROM ledger WHERE type = 'ProposalOpened'", "at "),
    ],
)
def test_a_ledger_that_was_tampered_with_is_said_to_be_broken_and_not_signed(
    make_host: Callable[..., Any], desk_at: MakeDesk, damage: str, chain: str
) -> None:
    desk = desk_at(make_host().start())
    operation = desk.ask()
    desk.until_version(operation)
    with closing(sqlite3.connect(desk.host.data / "countersign.db")) as file, file:
        file.execute("DROP TRIGGER no_update")
        file.execute("DROP TRIGGER no_delete")
        file.execute(damage)
    history = desk.host.call("GET", f"operations/{operation}/history", desk.requester)
    assert history.status_code == 200
    assert history.json()["chain"].startswith(f"broken {chain}")
    hold = desk.operation(operation)["hold"]
    # What is cut off at the end shows in the index, and in anchors.
    assert (hold and hold["cause"]) == ("ledger_untrusted" if "UPDATE" in damage else None)
    proof = desk.host.call("GET", f"operations/{operation}/proof", desk.requester)
    assert proof.json()["code"] == "ledger_broken"
