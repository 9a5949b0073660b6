"""A decision that no gate heard of: it stands, and it is carried out a little later."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from typing import Any

import pytest

from devhost.durable.history import Kind

STORM = ["--weather", "azure-storage", "--weather-seed", "5"]
MINUTES = 180.0


@pytest.mark.thorough
def test_a_decision_between_the_gate_s_look_and_its_row_is_carried_out_by_the_reconciler(
    make_host: Callable[..., Any], desk_at: Callable[..., Any]
) -> None:
    """On Azure Storage nobody can ring a gate for up to two seconds after its first turn."""
    desk = desk_at(make_host(clock="virtual", options=STORM).start(), lifetime=50 * 86_400.0)
    lost = next(filter(None, (decided_unheard(desk) for _ in range(60))), None)
    assert lost, "every one of 60 gates heard of its decision at once"
    desk.host.advance(MINUTES)
    assert desk.operation(lost)["state"] == "published"


def decided_unheard(desk: Any) -> str | None:
    """Approve a version once its gate has looked; returns its operation if the gate didn't hear.

    Most gates can be rung by then, so it takes some tries until one has no row yet.
    """
    operation = desk.ask()
    proposal = desk.until_version(operation)
    desk.host.until(lambda: has_looked(desk, f"{operation}-v1"), "the gate waits")
    answer = desk.decide(operation, proposal)
    assert answer.status_code == 200
    # All comes to rest, and the clock, which the gate's timer and the reconciler wait for, does
    # not move.
    desk.host.advance(0)
    if desk.operation(operation)["state"] == "published":
        return None
    assert answer.json()["delivery"] == "pending"
    return operation


def has_looked(desk: Any, gate: str) -> bool:
    """Whether a gate has set its timer, be there a row of it that others can see or not."""
    with closing(sqlite3.connect(desk.host.data / "devhost" / "state.db")) as state:
        kept = state.execute("SELECT events FROM history WHERE instance = ?", [gate]).fetchall()
    events = [each for (text,) in kept for each in json.loads(f"[{text}]")]
    return any(each["EventType"] == Kind.TimerCreated for each in events)
