"""The real SDK's orchestrators, driven through episodes without any process around them."""

from __future__ import annotations

import json
from collections.abc import Callable, Generator
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from typing import Any

import azure.durable_functions as df
import pytest

from devhost.durable.entity import answer
from devhost.durable.episode import Episode
from devhost.durable.history import OWN, Kind, event, parse
from devhost.durable.instance import Parent, started
from devhost.durable.snapshot import Snapshot
from devhost.engine.admission import new_instance
from devhost.functions.catalogue import Catalogue
from devhost.time.clock import stamp

# The SDK's own types say less than its objects can do.
Context = Any
Begin = Callable[..., Any]
TWICE = df.RetryOptions(first_retry_interval_in_milliseconds=1000, max_number_of_attempts=2)


def race(context: Context) -> Generator[Any, Any, Any]:
    bell = context.wait_for_external_event("go")
    timer = context.create_timer(context.current_utc_datetime + timedelta(hours=1))
    won = yield context.task_any([bell, timer])
    if won == bell:
        timer.cancel()
    return (yield context.call_activity("work", "after"))


def test_input_is_encoded_once_more_at_each_hop(begin: Begin) -> None:
    def orchestrator(context: Context) -> Generator[Any, Any, Any]:
        assert context.get_input() == {"a": 1}
        return (yield context.call_activity("work", "Tokyo"))

    run = begin(orchestrator, {"a": 1})
    [activity] = run.outcome.activities
    assert activity.input == '"Tokyo"'
    scheduled = next(e for e in parse(run.snapshot.episodes) if e["EventType"] == 4)
    assert scheduled[OWN]["Input"] == '["\\"Tokyo\\""]'
    run.done(0, "Hi")
    assert run.status == ("Completed", '"Hi"')


def test_every_event_is_played_but_those_of_the_present_episode(begin: Begin) -> None:
    seen: list[bool] = []

    def orchestrator(context: Context) -> Generator[Any, Any, Any]:
        seen.append(context.is_replaying)
        yield context.call_activity("work")
        seen.append(context.is_replaying)
        yield context.call_activity("work")
        seen.append(context.is_replaying)

    run = begin(orchestrator)
    run.done(0)
    run.done(1)
    assert seen == [False, True, False, True, True, False]


def test_a_cancelled_timer_fires_in_vain_and_its_id_stays_used(begin: Begin) -> None:
    run = begin(race)
    [timer] = run.outcome.timers
    assert (timer.task, timer.due) == (0, "2026-01-01T01:00:01.0000000Z")
    outcome = run.raised("go")
    assert [activity.task for activity in outcome.activities] == [1]
    fired = event(Kind.TimerFired, run.now, TimerId=0, FireAt=timer.due)
    again = run.turn(fired)
    assert [*again.activities, *again.timers] == []
    assert run.status[0] == "Running"
    run.done(1, "end")
    assert run.status == ("Completed", '"end"')


def test_the_message_of_a_timer_says_what_is_known_since_its_creation(
    begin: Begin,
) -> None:
    run = begin(race)
    early = stamp(run.now + timedelta(minutes=1))
    run.turn(event(Kind.TimerFired, run.now, TimerId=0, FireAt=early))
    told = parse(run.snapshot.episodes)
    made, fired = (
        next(each for each in told if each["EventType"] == kind)
        for kind in (Kind.TimerCreated, Kind.TimerFired)
    )
    assert fired["Timestamp"] == made["Timestamp"] < fired["FireAt"] == made["FireAt"]


def test_a_timer_that_nobody_cancels_keeps_the_instance_running(begin: Begin) -> None:
    def orchestrator(context: Context) -> Generator[Any, Any, Any]:
        timer = context.create_timer(context.current_utc_datetime + timedelta(hours=1))
        yield context.task_any([context.wait_for_external_event("go"), timer])

    run = begin(orchestrator)
    [timer] = run.outcome.timers
    run.raised("go")
    assert run.status[0] == "Running"
    run.turn(event(Kind.TimerFired, run.now, TimerId=0, FireAt=timer.due))
    assert run.status[0] == "Completed"


def test_a_turn_is_never_earlier_than_the_timer_that_woke_it(begin: Begin) -> None:
    def orchestrator(context: Context) -> Generator[Any, Any, Any]:
        yield context.create_timer(context.current_utc_datetime + timedelta(hours=1))
        return context.current_utc_datetime.isoformat()

    run = begin(orchestrator)
    run.fired()
    assert run.status == ("Completed", '"2026-01-01T01:00:01+00:00"')


def test_a_timer_beyond_six_days_is_reached_in_stages(begin: Begin) -> None:
    def orchestrator(context: Context) -> Generator[Any, Any, Any]:
        yield context.create_timer(context.current_utc_datetime + timedelta(days=10))
        return context.current_utc_datetime.isoformat()

    run = begin(orchestrator)
    stages = []
    while run.outcome.timers:
        stages.append(run.outcome.timers[0].due[:10])
        run.fired()
    assert stages == ["2026-01-04", "2026-01-07", "2026-01-11"]
    assert run.status == ("Completed", '"2026-01-11T00:00:01+00:00"')


def test_retries_keep_sdk_and_host_in_step(begin: Begin) -> None:
    def orchestrator(context: Context) -> Generator[Any, Any, Any]:
        reason = ""
        try:
            yield context.call_activity_with_retry("work", TWICE)
        except Exception as error:  # noqa: BLE001 - the SDK raises nothing more specific
            reason = str(error).strip()
        return [reason, (yield context.call_activity("work"))]

    run = begin(orchestrator)
    run.failed(0)
    run.fired()
    run.failed(2)
    outcome = run.fired()
    assert [activity.task for activity in outcome.activities] == [4]
    run.done(4, "late")
    assert run.status == ("Completed", '["no","late"]')


def test_a_race_over_a_wait_that_was_scheduled_before_goes_on(begin: Begin) -> None:
    def orchestrator(context: Context) -> Generator[Any, Any, Any]:
        bell = context.wait_for_external_event("go")
        for _ in range(3):
            timer = context.create_timer(context.current_utc_datetime + timedelta(hours=1))
            if (yield context.task_any([bell, timer])) == bell:
                timer.cancel()
                break
        return [bell.result, (yield context.call_activity("work"))]

    run = begin(orchestrator)
    run.fired()
    outcome = run.raised("go", 5)
    assert [activity.task for activity in outcome.activities] == [2]
    run.done(2, 6)
    assert run.status == ("Completed", "[5,6]")


def test_such_a_race_goes_on_even_if_its_timer_is_left_running(begin: Begin) -> None:
    def orchestrator(context: Context) -> Generator[Any, Any, Any]:
        bell = context.wait_for_external_event("go")
        first = context.create_timer(context.current_utc_datetime + timedelta(hours=1))
        yield context.task_any([bell, first])
        second = context.create_timer(context.current_utc_datetime + timedelta(hours=1))
        yield context.task_any([bell, second])
        yield context.call_activity("work")
        yield context.call_activity("work")
        yield second
        return bell.result

    run = begin(orchestrator)
    run.fired()
    [second] = run.outcome.timers
    assert [a.task for a in run.raised("go", 5).activities] == [2]
    assert [a.task for a in run.done(2).activities] == [3]
    run.done(3)
    run.turn(event(Kind.TimerFired, run.now, TimerId=second.task, FireAt=second.due))
    assert run.status == ("Completed", "5")


def test_one_early_event_serves_the_sdk_twice_and_the_host_once(begin: Begin) -> None:
    def orchestrator(context: Context) -> Generator[Any, Any, Any]:
        yield context.call_activity("work")
        first = yield context.wait_for_external_event("go")
        second = yield context.wait_for_external_event("go")
        return [first, second]

    run = begin(orchestrator)
    run.raised("go", "A")
    run.done(0)
    assert run.status[0] == "Running"
    run.raised("go", "B")
    assert run.status == ("Completed", '["A","A"]')


def test_continuing_as_new_starts_over_with_what_came_late(begin: Begin) -> None:
    def orchestrator(context: Context) -> Generator[Any, Any, Any]:
        left = context.get_input()
        yield context.call_activity("work")
        if left:
            context.continue_as_new(left - 1)
            return None
        return (yield context.wait_for_external_event("go"))

    run = begin(orchestrator, 1)
    first = run.snapshot.instance
    run.turn(run.event("go", "unawaited"))
    outcome = run.turn(run.completed(0), run.event("go", "carried"))
    second = run.snapshot.instance
    assert outcome.replaced
    assert run.snapshot.episodes == ()
    assert (second.created, second.episodes, second.input) == (stamp(run.now), 0, '"0"')
    assert second.execution != first.execution
    kinds = [Kind.ExecutionStarted, Kind.EventRaised, Kind.OrchestratorCompleted]
    assert [each["EventType"] for each in outcome.messages] == kinds
    run.turn(*outcome.messages)
    run.done(0)
    assert run.status == ("Completed", '"carried"')


def test_a_custom_status_stays_until_another_is_set(begin: Begin) -> None:
    def orchestrator(context: Context) -> Generator[Any, Any, Any]:
        context.set_custom_status({"step": "Größe"})
        yield context.call_activity("work")
        context.set_custom_status("")
        yield context.call_activity("work")

    run = begin(orchestrator)
    assert run.snapshot.instance.custom_status == '{"step": "Größe"}'
    run.done(0)
    assert run.snapshot.instance.custom_status == '{"step": "Größe"}'


def test_what_an_orchestrator_raises_is_its_output(begin: Begin) -> None:
    def orchestrator(context: Context) -> Generator[Any, Any, Any]:
        context.signal_entity(df.EntityId("counter", "one"), "add", 1)
        yield context.call_activity("work")
        raise ValueError("on purpose")

    run = begin(orchestrator)
    run.done(1)
    assert run.status == ("Failed", "Orchestrator function 'o' failed: on purpose")


def test_a_payload_that_the_sdk_cannot_read_fails_the_instance(begin: Begin) -> None:
    def orchestrator(context: Context) -> Generator[Any, Any, Any]:
        yield context.wait_for_external_event("go")

    run = begin(orchestrator)
    run.raised("go", {"__class__": "X", "__module__": "nowhere", "__data__": 1})
    status, output = run.status
    assert status == "Failed"
    assert "nowhere" in output


def test_entities_are_called_and_signalled_with_what_the_sdk_can_match(begin: Begin) -> None:
    def orchestrator(context: Context) -> Generator[Any, Any, Any]:
        counter = df.EntityId("Counter", "Key")
        context.signal_entity(counter, "add", 1)
        tasks = [context.call_entity(counter, "get"), context.call_entity(counter, "fail")]
        done = yield context.call_activity("work", (yield tasks[0]))
        try:
            yield tasks[1]
        except Exception as error:  # noqa: BLE001 - the SDK raises nothing more specific
            return [done, str(error)]

    run = begin(orchestrator)
    (target, signal), (_, call) = run.outcome.requests
    assert target == "@counter@Key"
    added, asked = json.loads(signal["Input"]), json.loads(call["Input"])
    assert (added["op"], added["input"], added["signal"]) == ("add", '"1"', True)
    assert (asked["op"], asked["input"], asked["parent"]) == ("get", '"null"', "one")
    assert asked["parentExecution"] == run.snapshot.instance.execution
    [work] = run.turn(answer(asked["id"], "10", run.now)).activities
    assert (work.task, work.input) == (2, "10")
    [(_, call)] = run.done(2, "worked").requests
    refused = answer(json.loads(call["Input"])["id"], '"no"', run.now, failed=True)
    run.turn(refused)
    assert run.status == ("Completed", '["worked","no"]')


def test_what_was_sent_goes_out_even_if_the_orchestrator_then_fails_or_starts_anew(
    begin: Begin,
) -> None:
    def fails(context: Context) -> Generator[Any, Any, Any]:
        yield context.call_activity("work")
        context.signal_entity(df.EntityId("Counter", "k"), "add", 1)
        raise ValueError("on purpose")

    def starts_anew(context: Context) -> Generator[Any, Any, Any]:
        yield context.call_activity("work")
        context.signal_entity(df.EntityId("Counter", "k"), "add", 1)
        context.continue_as_new(None)

    for orchestrator in (fails, starts_anew):
        assert len(begin(orchestrator).done(0).requests) == 1


def test_a_web_request_is_an_activity_of_the_host(begin: Begin) -> None:
    def orchestrator(context: Context) -> Generator[Any, Any, Any]:
        answer = yield context.call_http("POST", "http://there", {"a": 1}, {"X": "1"})
        return answer["content"]

    run = begin(orchestrator)
    [request] = run.outcome.activities
    assert request.name == "BuiltIn::HttpActivity"
    sent = {"method": "POST", "uri": "http://there", "content": '{"a": 1}', "headers": {"X": "1"}}
    assert json.loads(request.input or "") == sent
    run.done(0, {"statusCode": 200, "headers": {}, "content": "text"})
    assert run.status == ("Completed", '"text"')


def test_changed_code_is_found_out(begin: Begin) -> None:
    names = iter(["work", "other_work"])

    def orchestrator(context: Context) -> Generator[Any, Any, Any]:
        yield context.call_activity(next(names))

    run = begin(orchestrator)
    run.done(0)
    status, output = run.status
    assert status == "Failed"
    assert "Non-Deterministic workflow detected" in output


def test_children_carry_their_parent_and_report_to_it(begin: Begin) -> None:
    def orchestrator(context: Context) -> Generator[Any, Any, Any]:
        yield context.call_sub_orchestrator("other", {"a": 1}, "named")
        yield context.call_sub_orchestrator("other")

    run = begin(orchestrator)
    [child] = run.outcome.children
    own = run.snapshot.instance
    assert (child.id, child.explicit, child.input) == ("named", True, '"{\\"a\\": 1}"')
    assert child.parent == Parent(id="one", execution=own.execution, task=0, name="o")
    fields = {"TaskScheduledId": 0, "Result": "null"}
    run.turn(event(Kind.SubOrchestrationInstanceCompleted, run.now, **fields))
    [child] = run.outcome.children
    assert (child.id, child.explicit) == (f"{own.execution}:1", False)


@pytest.mark.parametrize(
    ("end", "kind", "said"),
    [
        ("Completed", Kind.SubOrchestrationInstanceCompleted, "Result"),
        ("Terminated", Kind.SubOrchestrationInstanceFailed, "Reason"),
    ],
)
def test_an_end_is_told_to_the_parent(begin: Begin, end: str, kind: Kind, said: str) -> None:
    parent = Parent(id="p", execution="e", task=3, name="o")
    instance, _ = new_instance(
        id="c", name="o", version="", input=None, now=datetime.now(timezone.utc), parent=parent
    )
    began = started(instance, datetime.now(timezone.utc))
    assert began["ParentInstance"]["TaskScheduleId"] == 3
    snapshot = Snapshot(replace(instance, status="Running"))
    episode = Episode(snapshot, [began], datetime.now(timezone.utc))
    if end == "Completed":
        state = {"isDone": True, "actions": [[]], "output": 1}
        outcome = episode.conclude(state, Catalogue([]), 16384)
    else:
        outcome = episode.terminate("1")
    assert outcome.notice is not None
    told, notice = outcome.notice
    assert told == parent
    assert (notice["EventType"], notice["TaskScheduledId"]) == (kind, 3)
    assert notice[said] == "1"
