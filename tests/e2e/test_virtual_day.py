"""Days of waiting for people, told in seconds."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

DAY = 86400.0
HOUR = 3600.0
A_MOMENT = 5.0
"""In bad weather a timer that fires before its time is followed by another one."""


def times_of(desk: Any, operation: str, event: str) -> list[datetime]:
    return [
        datetime.fromisoformat(each["at"].replace("Z", "+00:00"))
        for each in desk.history(operation)
        if each["type"] == event
    ]


def hours_after(moment: datetime, *hours: float) -> list[datetime]:
    return [moment + timedelta(hours=each) for each in hours]


def assert_in_time(desk: Any, times: list[datetime], wanted: list[datetime]) -> None:
    assert len(times) == len(wanted)
    late = [time - moment for time, moment in zip(times, wanted, strict=True)]
    latest = timedelta(seconds=0 if desk.host.fair else A_MOMENT)
    assert all(timedelta() <= each <= latest for each in late), late


def test_two_days_without_an_answer_escalate_and_expire(virtual_desk: Any) -> None:
    desk = virtual_desk
    operation = desk.ask()
    first = desk.until_version(operation)

    desk.host.advance(DAY + A_MOMENT)
    second = desk.operation(operation)["proposal"]
    assert (second["version"], second["required_role"]) == (2, "Report.Escalation")
    late = desk.decide(operation, first)
    assert (late.status_code, late.json()["code"]) == (410, "expired")

    desk.host.advance(DAY + A_MOMENT)
    assert desk.operation(operation)["state"] == "expired"

    opened, escalated = times_of(desk, operation, "ProposalOpened")
    assert_in_time(desk, [escalated], hours_after(opened, 24))
    reminded = [*hours_after(opened, 12, 21.6), *hours_after(escalated, 12, 21.6)]
    assert_in_time(desk, times_of(desk, operation, "ReminderDue"), reminded)


def test_a_day_goes_by_in_hours_as_well_as_at_once(virtual_desk: Any) -> None:
    desk = virtual_desk
    operation = desk.ask()
    desk.until_version(operation)
    for _ in range(22):
        desk.host.advance(HOUR)
    opened = times_of(desk, operation, "ProposalOpened")[0]
    assert_in_time(desk, times_of(desk, operation, "ReminderDue"), hours_after(opened, 12, 21.6))
    assert desk.operation(operation)["state"] == "awaiting_approval"


def test_a_token_expires_by_the_time_of_the_host(virtual_desk: Any) -> None:
    host = virtual_desk.host
    before = host.token("Rita", "Research.Requester", lifetime=HOUR)
    path = "operations/none"
    host.advance(HOUR - 1)
    assert host.call("GET", path, before).status_code == 404
    host.advance(1)
    assert host.call("GET", path, before).status_code == 401
    after = host.token("Rita", "Research.Requester", lifetime=HOUR + 1)
    assert host.call("GET", path, after).status_code == 404


def test_the_time_of_the_host_survives_a_kill(virtual_desk: Any) -> None:
    desk = virtual_desk
    operation = desk.ask()
    desk.until_version(operation)
    desk.host.advance(13 * HOUR)
    desk.host.restart()
    desk.host.advance(9 * HOUR)
    opened = times_of(desk, operation, "ProposalOpened")[0]
    assert_in_time(desk, times_of(desk, operation, "ReminderDue"), hours_after(opened, 12, 21.6))
