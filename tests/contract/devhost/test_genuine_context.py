"""Given what the genuine extension had kept, a turn begins here as it began there."""

from __future__ import annotations

import json
from datetime import datetime

import pytest

from devhost.durable.episode import Episode
from devhost.durable.failures import failure_details, python_failure
from devhost.durable.history import Event, Kind, as_new
from devhost.durable.instance import Instance, Parent
from devhost.durable.snapshot import Snapshot
from devhost.time.clock import read_stamp
from testbed.genuine import Execution, executions

FAILED_CHILD = Kind.SubOrchestrationInstanceFailed


@pytest.mark.parametrize("execution", executions(), ids=str)
def test_the_sdk_is_sent_what_the_extension_sent(execution: Execution) -> None:
    for number, turn in enumerate(execution.turns):
        before = Snapshot(
            instance(execution), tuple(as_new(each.kept) for each in execution.turns[:number])
        )
        began, *messages = turn.shown
        episode = Episode(before, messages, read_stamp(began["Timestamp"]))
        sent = json.loads(episode.context())
        history, shown = sent.pop("history"), execution.shown(number)
        # Python's clock has no tenths of microseconds, and a timer's message is made here.
        assert [*map(timeless, history)] == [*map(timeless, shown)]
        assert sent == {**execution.context, "isReplaying": number > 0}


def test_a_timer_of_the_genuine_extension_was_made_just_after_it_was_created() -> None:
    """Here it carries the very moment of its creation."""
    histories = [each.history(len(each.turns)) for each in executions()]
    for history in histories:
        created = {each["EventId"]: each for each in history if is_a(Kind.TimerCreated, each)}
        for fired in (each for each in history if is_a(Kind.TimerFired, each)):
            late = moment(fired) - moment(created[fired["TimerId"]])
            assert 0 <= late.total_seconds() < 0.001
            assert moment(fired) < read_stamp(fired["FireAt"])


def test_poison_in_a_wait_fails_a_gate_as_it_did_there() -> None:
    by_name = {each.name: each for each in executions()}
    gate, parent = by_name["approval_gate-05"], by_name["research-12"]
    outcome = last_episode(gate).fail_unanswered(gate.state["error"])
    [failed] = [each for each in parent.history(len(parent.turns)) if is_a(FAILED_CHILD, each)]
    assert outcome.notice
    _, told = outcome.notice
    assert told["Reason"] == outcome.after.instance.output == failed["Reason"]


def test_the_details_of_a_failed_activity_have_the_fields_that_they_have_there() -> None:
    [purchase] = [each for each in executions() if each.name == "purchase-02"]
    [failed] = [each for each in purchase.history(20) if is_a(Kind.TaskFailed, each)]
    genuine = json.loads(failed["Details"])
    given = json.loads(failure_details("System.Exception", "no", python_failure("no", "")))
    assert list(given) == list(genuine)
    assert (given["$type"], given["HResult"]) == (genuine["$type"], genuine["HResult"])
    assert set(genuine["InnerException"]) <= set(given["InnerException"])


def last_episode(execution: Execution) -> Episode:
    """The last turn of an execution, begun here."""
    past, last = execution.turns[:-1], execution.turns[-1]
    before = Snapshot(instance(execution), tuple(as_new(each.kept) for each in past))
    return Episode(before, last.shown[1:], moment(last.began))


def instance(execution: Execution) -> Instance:
    """The instance as it was in each of its turns."""
    began = execution.turns[0].messages[0]
    parent = began["ParentInstance"]
    return Instance(
        id=execution.context["instanceId"],
        execution=began["OrchestrationInstance"]["ExecutionId"],
        name=execution.orchestrator,
        version=None,
        status="Running",
        input=began["Input"],
        created=began["Timestamp"],
        updated=began["Timestamp"],
        parent=parent
        and Parent(
            id=parent["OrchestrationInstance"]["InstanceId"],
            execution=parent["OrchestrationInstance"]["ExecutionId"],
            task=parent["TaskScheduleId"],
            name=parent["Name"],
        ),
    )


def timeless(event: Event) -> Event:
    return {name: value for name, value in event.items() if name != "Timestamp"}


def is_a(kind: Kind, event: Event) -> bool:
    return event["EventType"] == kind


def moment(event: Event) -> datetime:
    return read_stamp(event["Timestamp"])
