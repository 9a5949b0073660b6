"""Reviewers hear what they have to, once, by a real channel; one that fails holds nothing up."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from testbed.listener import Listener

HOUR = 3600.0
HOME = "https://reports.example"


@pytest.fixture
def desk(listener: Listener, make_host: Callable[..., Any], desk_at: Callable[..., Any]) -> Any:
    """People at a host whose time only moves by `advance`."""
    listener.statuses["/gone"] = 404
    host = make_host(
        clock="virtual",
        COUNTERSIGN_NOTIFY=f"{listener.url}/all {listener.url}/gone",
        COUNTERSIGN_NOTIFY__Report_Escalation=f"{listener.url}/escalation",
        COUNTERSIGN_PUBLIC_URL=f"{HOME}/",
    )
    return desk_at(host.start(), lifetime=50 * 86400.0)


def heard(listener: Listener, path: str, operation: str) -> list[str]:
    """The subjects that came to a path about an operation, without its title."""
    return [
        body["title"].partition(":")[0]
        for at, body in listener.posted
        if at == path and f"operation={operation}" in body["message"]
    ]


def sent(desk: Any, operation: str) -> dict[str, dict[str, Any]]:
    """The results of all notices in the operation's history, by their keys."""
    return {
        event["data"]["notice"]: event["data"]
        for event in desk.history(operation)
        if event["type"] == "NoticeSent"
    }


def until_sent(desk: Any, operation: str, *notices: str) -> dict[str, dict[str, Any]]:
    def all_sent() -> Any:
        results = sent(desk, operation)
        return results if set(notices) <= set(results) else None

    return desk.host.until(all_sent, f"sent: {notices}")


def test_two_days_of_silence_are_told_to_whom_they_concern_and_once(
    desk: Any, listener: Listener
) -> None:
    operation = desk.ask()
    desk.until_version(operation)
    until_sent(desk, operation, "opened:1")
    desk.host.advance(12 * HOUR)
    until_sent(desk, operation, "reminder:1:50")
    desk.host.advance(9.6 * HOUR)
    until_sent(desk, operation, "reminder:1:90")
    desk.host.advance(2.4 * HOUR)
    until_sent(desk, operation, "opened:2")
    desk.host.advance(24 * HOUR)
    until_sent(desk, operation, "outcome")

    reminders = [f"Reminder, {percent} % of the time has passed" for percent in (50, 90)]
    version = ["Decision needed", *reminders]
    # An escalation adds people: those who were asked first can still decide.
    assert heard(listener, "/all", operation) == [*version, *version, "Expired"]
    assert heard(listener, "/escalation", operation) == [*version, "Expired"]
    history = desk.history(operation)
    claims = [event["data"]["notice"] for event in history if event["type"] == "NoticeClaimed"]
    assert len(set(claims)) == len(claims) == len(sent(desk, operation))


def test_an_approval_is_told_with_its_author_and_the_link_opens_the_page(
    desk: Any, listener: Listener
) -> None:
    operation = desk.ask()
    proposal = desk.until_version(operation)
    until_sent(desk, operation, "opened:1")
    assert desk.decide(operation, proposal, comment="between us").status_code == 200
    desk.until_state(operation, "published")
    until_sent(desk, operation, "outcome")
    [opened, outcome] = [
        body["message"]
        for path, body in listener.posted
        if path == "/all" and operation in str(body)
    ]
    assert f"{HOME}/api/review?operation={operation}&version=1" in opened
    assert "Approved by Victor on " in outcome
    assert "between us" not in outcome


def test_a_failing_channel_shows_in_the_history_and_keeps_no_other_from_hearing(
    desk: Any, listener: Listener
) -> None:
    operation = desk.ask()
    desk.until_version(operation)
    result = until_sent(desk, operation, "opened:1")["opened:1"]
    assert result["taken"] == ["json 1"]
    assert result["failed"] == {"json 2": "it answered 404"}
    assert listener.url.removeprefix("json://") not in json.dumps(desk.history(operation))
    assert "127.0.0.1/gone" not in desk.host.log.read_text("utf-8")


def test_a_channel_that_hangs_holds_no_operation_up(
    make_host: Callable[..., Any], desk_at: Callable[..., Any], listener: Listener
) -> None:
    desk = desk_at(make_host(COUNTERSIGN_NOTIFY=f"{listener.url}/slow?rto=600").start())
    listener.speaks.clear()
    operation = desk.ask()
    proposal = desk.until_version(operation)
    desk.host.until(
        lambda: listener.posted and listener.posted[-1][0] == "/slow", "it began to be told"
    )
    assert desk.decide(operation, proposal).status_code == 200
    desk.until_state(operation, "published")
    listener.speaks.set()
    until_sent(desk, operation, "opened:1", "outcome")


def test_reviewers_hear_that_an_operator_stopped_an_operation(
    make_host: Callable[..., Any], desk_at: Callable[..., Any], listener: Listener
) -> None:
    host = make_host(clock="virtual", COUNTERSIGN_NOTIFY=f"{listener.url}/ended").start()
    desk = desk_at(host, lifetime=50 * 86400.0)
    operation = desk.ask()
    desk.until_version(operation)
    # Also without the orchestrations that would have passed the news on.
    for instance in (f"{operation}-v1", operation):
        host.terminate(instance)
    operator, body = desk.person("Olga", "Operator"), {"reason": "Nobody needs it."}
    answer = host.call("POST", f"operations/{operation}/stop", operator, json=body)
    assert answer.status_code == 200
    host.advance(3600)

    def told() -> bool:
        desk.reconcile()
        return "outcome" in sent(desk, operation)

    desk.host.until(told, "the reconciler closed it and had it told")
    assert [body["title"][:8] for path, body in listener.posted if path == "/ended"][
        -1
    ] == "Stopped:"


def test_without_channels_no_word_of_notices_is_recorded(
    make_host: Callable[..., Any], desk_at: Callable[..., Any]
) -> None:
    desk = desk_at(make_host().start())
    operation = desk.ask()
    desk.decide(operation, desk.until_version(operation))
    desk.until_state(operation, "published")
    assert not [each for each in desk.history(operation) if each["type"].startswith("Notice")]
