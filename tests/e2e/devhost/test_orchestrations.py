from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from .conftest import RunningHost


def test_a_chain_passes_values_of_any_json_type(host: RunningHost) -> None:
    status = host.ended(host.begin("chain", {"n": [1, None, "Zürich"]}))
    assert status["output"] == {"was": [{"n": [1, None, "Zürich"]}]}
    assert status["customStatus"] == {"at": 2}


def test_activities_fan_out_and_in(host: RunningHost) -> None:
    assert host.output_of("fan_out", 200) == 19900


def test_a_failed_activity_is_tried_again(host: RunningHost) -> None:
    assert host.output_of("retried", "retried") == [2, "after"]


def test_the_last_failure_surfaces_and_ids_stay_in_step(host: RunningHost) -> None:
    reason = "Activity function 'fail' failed: KeyError: 'k'"
    assert host.output_of("exhausted") == [reason, "after"]


def test_an_unhandled_failure_fails_the_instance(host: RunningHost) -> None:
    status = host.ended(host.begin("unhandled"))
    assert status["runtimeStatus"] == "Failed"
    reason, _, details = status["output"].partition(" \n ")
    assert reason == (
        "Orchestrator function 'unhandled' failed: Activity function 'fail' failed: KeyError: 'k'"
    )
    assert details.startswith('{"$type":"System.Exception, System.Private.CoreLib"')
    assert "in fail\\n    raise KeyError(name)" in details


@pytest.mark.parametrize(
    ("call", "reason"),
    [
        ("activity", "The function 'nobody' doesn't exist, is disabled, or is not an activity"),
        ("retried", "The function 'nobody' doesn't exist, is disabled, or is not an activity"),
        ("orchestrator", "or is not an orchestrator function. Additional info: The following are"),
        ("entity", "The function 'nobody' doesn't exist, is disabled, or is not an entity"),
        ("itself", "must be different than the instance ID of a parent orchestration."),
    ],
)
def test_a_call_that_cannot_be_scheduled_is_never_answered(
    host: RunningHost, call: str, reason: str
) -> None:
    instance = host.begin("missing", call)
    host.reached(instance, "Running")
    assert f"{instance} waits for ever" in host.output
    assert reason in host.output
    host.ring(instance, "on")
    # The list of what it asked for goes on behind the call.
    assert host.ended(instance)["output"] == '"on"'
    assert "TaskFailed" not in host.history(instance)


def test_a_signal_that_cannot_be_sent_fails_the_orchestration(host: RunningHost) -> None:
    status = host.ended(host.begin("missing", "signal"))
    assert status["runtimeStatus"] == "Failed"
    assert status["output"].startswith(
        "Orchestrator function 'missing' failed: The function 'nobody' doesn't exist, is disabled,"
        " or is not an entity function. Additional info: "
    )


def test_sub_orchestrations_are_retried_under_one_explicit_id(host: RunningHost) -> None:
    named, again, unnamed = host.output_of("parent", id="family")
    assert named == ["family-child", "family-child.1"]
    assert again == ["family-child", "family-child.2"]
    assert unnamed == {"was": [5]}


def test_a_sub_orchestration_takes_the_place_of_what_runs_under_its_id(host: RunningHost) -> None:
    other = host.begin("listener", id="occupied")
    host.reached(other, "Running")
    adopter = host.begin("adopter", other)
    host.until(lambda: "occupied Begun in the place of one" in host.output)
    host.reached(other, "Running")
    host.ring(other, "for both")
    assert host.ended(other)["output"] == '"for both"'
    assert host.ended(adopter)["output"] == '"for both"'
    assert host.history(other).count("ExecutionStarted") == 1


def test_an_event_beats_the_timer(host: RunningHost) -> None:
    race = host.begin("race", 60_000)
    host.reached(race, "Running")
    host.ring(race, {"approved": True})
    # The SDK's client encodes twice, and Azure delivers what it sends.
    assert host.ended(race)["output"] == '{"approved": true}'
    assert "TimerFired" not in host.history(race)


def test_the_timer_beats_a_missing_event(host: RunningHost) -> None:
    assert host.output_of("race", 30) == "late"


def test_a_raw_event_arrives_as_it_was_sent(host: RunningHost) -> None:
    listener = host.begin("listener")
    host.reached(listener, "Running")
    path = f"/runtime/webhooks/durabletask/instances/{listener}/raiseEvent/GO"
    assert host.http.post(path, json={"raw": 1}).status_code == 202
    status = host.reached(listener, "Running", "Completed")
    # The SDK looks names up as they are written, whatever the host does.
    assert status["runtimeStatus"] == "Running"
    host.http.post(path.replace("GO", "go"), json={"raw": 2})
    assert host.ended(listener)["output"] == {"raw": 2}


def test_an_early_event_is_delivered_with_the_faults_of_the_sdk(host: RunningHost) -> None:
    early = host.begin("two_waits", "early")
    host.reached(early, "Running")
    host.ring(early, "A")
    host.release("early")
    # The SDK hands the one early event to both waits; Azure waits for a second all the same,
    # and then lets the orchestrator return the first one twice.
    host.until(lambda: "TaskCompleted" in host.history(early))
    assert host.status(early)["runtimeStatus"] == "Running"
    host.ring(early, "B")
    assert host.ended(early)["output"] == ['"A"', '"A"']


def test_an_event_wins_over_any_of_the_timers_beside_it(host: RunningHost) -> None:
    patient = host.begin("patient")
    host.until(lambda: host.history(patient).count("TimerFired") > 1)
    host.ring(patient, "now")
    assert host.ended(patient)["output"] == [True, '"now"']


def test_an_instance_continues_as_new(host: RunningHost) -> None:
    last = host.begin("generations", 3)
    host.until(lambda: host.status(last)["customStatus"] == "0 left")
    host.ring(last, "end")
    status = host.ended(last)
    assert status["output"] == '"end"'
    assert status["input"] == "0"
    assert host.history(last) == [
        "ExecutionStarted",
        "TimerCreated",
        "TimerFired",
        "EventRaised",
        "ExecutionCompleted",
    ]


def test_a_custom_status_has_a_limit_in_whole_kilobytes(host: RunningHost) -> None:
    assert host.output_of("big_status", 17 * 1024 - 2) == 1
    status = host.ended(host.begin("big_status", 17 * 1024))
    assert status["runtimeStatus"] == "Failed"
    assert status["output"].endswith("must not exceed 16 KB. The current payload size is 17 KB.")


@pytest.mark.parametrize("payload", [{"__class__": "X", "__module__": "y", "__data__": 1}])
def test_a_poisonous_event_fails_the_instance(host: RunningHost, payload: Any) -> None:
    listener = host.begin("listener")
    host.reached(listener, "Running")
    host.http.post(f"/durabletask/instances/{listener}/raiseEvent/go", json=payload)
    assert host.ended(listener)["runtimeStatus"] == "Failed"
