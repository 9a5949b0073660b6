"""A decision that no gate heard of: it stands, and it is carried out a little later."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

STORM = ["--weather", "azure-storage", "--weather-seed", "5"]
MINUTES = 180.0


def test_a_decision_between_the_gate_s_look_and_its_row_is_carried_out_by_the_reconciler(
    make_host: Callable[..., Any], desk_at: Callable[..., Any]
) -> None:
    """On Azure Storage nobody can ring a gate for up to two seconds after its first turn."""
    desk = desk_at(make_host(clock="virtual", options=STORM).start(), lifetime=50 * 86_400.0)
    lost = next(filter(None, (decided_unheard(desk) for _ in range(60))))
    desk.host.advance(MINUTES)
    assert desk.operation(lost)["state"] == "published"


def decided_unheard(desk: Any) -> str | None:
    """Approve a version soon after its gate has begun; returns its operation if nobody heard."""
    operation = desk.ask()
    proposal = desk.until_version(operation)
    begun = f"{operation}-v1 Running"
    desk.host.until(lambda: begun in desk.host.log.read_text("utf-8"), "the gate has begun")
    # It looks at the ledger meanwhile; where this is too short or too long, another one is tried.
    time.sleep(0.05)
    answer = desk.decide(operation, proposal)
    assert answer.status_code == 200
    # All comes to rest, and the clock, which the gate's timer and the reconciler wait for, does
    # not move.
    desk.host.advance(0)
    if desk.operation(operation)["state"] == "published":
        return None
    assert answer.json()["delivery"] == "pending"
    return operation
