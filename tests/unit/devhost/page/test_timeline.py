from __future__ import annotations

import json
from datetime import datetime, timedelta, timezone
from typing import Any

from devhost.durable.history import Event, Kind, event
from devhost.page.timeline import Span, timeline

NOON = datetime(2026, 1, 1, 12, tzinfo=timezone.utc)


def at(seconds: float, kind: Kind, number: int = -1, **fields: Any) -> Event:
    return event(kind, NOON + timedelta(seconds=seconds), number, **fields)


def drawn(*events: Event, timers: tuple[int, ...] = (), over: bool = False) -> list[Span]:
    return list(timeline(events, timers=timers, over=over))


def told(span: Span) -> tuple[str, str, str]:
    return span.what, span.name, span.outcome


def test_what_was_called_lasts_until_its_answer() -> None:
    done, failed = drawn(
        at(0, Kind.TaskScheduled, 0, Name="fetch"),
        at(0, Kind.SubOrchestrationInstanceCreated, 1, Name="child", InstanceId="child-1"),
        at(2, Kind.TaskCompleted, TaskScheduledId=0),
        at(3, Kind.SubOrchestrationInstanceFailed, TaskScheduledId=1, Reason="no luck"),
    )
    assert told(done) == ("activity", "fetch", "done")
    assert (done.began[17:19], (done.ended or "")[17:19]) == ("00", "02")
    assert told(failed) == ("orchestration", "child", "failed")
    assert (failed.child, failed.reason) == ("child-1", "no luck")


def test_what_has_no_answer_is_open_until_the_instance_ends() -> None:
    begun = at(0, Kind.TaskScheduled, 0, Name="fetch")
    assert drawn(begun)[0].outcome == "open"
    assert drawn(begun, over=True)[0].outcome == "dropped"


def test_a_timer_is_open_only_while_it_is_still_to_fire() -> None:
    created = [at(0, Kind.TimerCreated, number, FireAt=f"due {number}") for number in range(3)]
    fired = at(5, Kind.TimerFired, TimerId=0)
    spans = drawn(*created, fired, timers=(1,))
    assert [span.outcome for span in spans] == ["done", "open", "dropped"]
    assert spans[1].due == "due 1"


def test_an_entity_answers_a_call_and_not_a_signal() -> None:
    def sent(number: int, **message: Any) -> Event:
        return at(
            0, Kind.EventSent, number, Name="op", InstanceId="@a@b", Input=json.dumps(message)
        )

    call, signal, other = drawn(
        sent(0, op="get", id="request"),
        sent(1, op="add", id="another", signal=True),
        at(1, Kind.EventRaised, Name="request"),
        at(2, Kind.EventRaised, Name="go"),
    )
    assert told(call) == ("entity", "@a@b", "done")
    assert told(signal) == ("signal", "@a@b", "done")
    assert told(other) == ("event", "go", "done")
