"""The task hub is lost while the app is down: its ledgers say what is due, and the app does it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from devhost.state.folder import DataFolder
from devhost.time.virtual_clock import kept_time

HOUR, DAY = 3_600, 86_400


def lose_hub_for(host: Any, hours: float) -> None:
    """Stop a host, remove all that it knew of orchestrations, and start it so much later."""
    host.process.kill()
    folder = DataFolder(host.data)
    for file in folder.state.parent.glob("state.db*"):
        file.unlink()
    then = kept_time(folder.clock)
    assert then
    folder.clock.write_text((then + timedelta(hours=hours)).isoformat(), "utf-8")
    host.start()


def test_what_waited_is_carried_on_within_two_minutes_of_the_hubs_return(
    make_host: Callable[..., Any], desk_at: Callable[..., Any]
) -> None:
    host = make_host(clock="virtual").start()
    desk = desk_at(host, lifetime=50 * DAY)
    reminded = desk.ask(approval={"window_seconds": 48 * HOUR})
    escalated = desk.ask(approval={"window_seconds": 24 * HOUR})
    approved = desk.ask()
    for operation in (reminded, escalated):
        desk.until_version(operation)
    proposal = desk.until_version(approved)
    for instance in (approved, f"{approved}-v1"):
        host.terminate(instance)
    host.advance(0)
    assert desk.decide(approved, proposal).status_code == 200

    lose_hub_for(host, hours=25)
    for _ in range(2):
        host.advance(60)

    assert desk.operation(approved)["outcome"]["as"] == "published"
    assert desk.operation(escalated)["proposal"]["version"] == 2
    types = [event["type"] for event in desk.history(reminded)]
    assert types.count("ReminderDue") == 1
    for instance in (f"{reminded}-v1", f"{escalated}-v2"):
        assert host.instance(instance)["runtimeStatus"] == "Running"
