from __future__ import annotations

import json
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest

if TYPE_CHECKING:
    from .conftest import RunningHost

API = "/durabletask"
HALF_A_PAIR = "\ud83d"


def test_the_sdk_reads_a_status(host: RunningHost) -> None:
    done = host.begin("chain", {"a": 1})
    host.ended(done)
    status = host.http.post(f"/api/client/{done}/status").json()
    assert status["runtimeStatus"] == "Completed"
    assert status["input"] == '{"a": 1}'
    assert host.http.post("/api/client/unknown/status").json() is None


def test_a_status_has_the_code_of_its_state(host: RunningHost) -> None:
    waiting = host.begin("listener")
    answer = host.http.get(f"{API}/instances/{waiting}")
    assert answer.status_code == 202
    assert answer.headers["retry-after"] == "5"
    host.ring(waiting)
    host.ended(waiting)
    assert host.http.get(f"{API}/instances/{waiting}").status_code == 200
    assert host.http.get(f"{API}/instances/unknown").status_code == 404


def test_a_failed_instance_answers_500_only_on_demand(host: RunningHost) -> None:
    failed = host.begin("unhandled")
    host.ended(failed)
    path = f"{API}/instances/{failed}"
    assert host.http.get(path).status_code == 200
    assert host.http.get(f"{path}?returnInternalServerErrorOnFailure=true").status_code == 500


def test_an_instance_that_runs_is_not_started_again(host: RunningHost) -> None:
    host.begin("listener", id="once")
    refused = host.http.post(f"{API}/orchestrators/listener/once")
    assert refused.status_code == 500
    assert refused.json()["ExceptionType"] == "System.InvalidOperationException"
    assert "already exists" in refused.json()["ExceptionMessage"]
    assert "already exists" in host.http.post("/api/start/listener/once").json()


def test_an_instance_that_has_ended_is_replaced(host: RunningHost) -> None:
    host.output_of("chain", 1, id="again")
    assert host.output_of("chain", 2, id="again") == {"was": [2]}


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/orchestrators/nobody", "{}"),
        ("/orchestrators/chain/@entity", "{}"),
        ("/orchestrators/chain/" + "i" * 257, "{}"),
        ("/orchestrators/chain/with%23hash", "{}"),
        ("/orchestrators/chain", "{not json"),
    ],
)
def test_a_start_that_is_wrong_is_refused(host: RunningHost, path: str, body: str) -> None:
    answer = host.http.post(API + path, content=body)
    assert answer.status_code == 400
    assert answer.json()["ExceptionMessage"]


def test_a_start_may_wait_for_the_result(host: RunningHost) -> None:
    waited = host.http.post(f"{API}/orchestrators/chain?timeout=10&pollingInterval=0.05", json="1")
    assert waited.status_code == 200
    assert waited.json() == {"was": [1]}
    slow = host.http.post(f"{API}/orchestrators/listener?timeout=0.1&pollingInterval=0.05")
    assert slow.status_code == 202
    assert slow.headers["retry-after"] == "10"
    assert slow.headers["location"] == slow.json()["statusQueryGetUri"]
    assert "code=" in slow.json()["terminatePostUri"]


def test_a_start_that_waits_tells_how_it_ended_otherwise(host: RunningHost) -> None:
    failed = host.http.post(f"{API}/orchestrators/unhandled?timeout=10&pollingInterval=0.05")
    assert failed.status_code == 200
    assert failed.json()["runtimeStatus"] == "Failed"
    wrong = host.http.post(f"{API}/orchestrators/chain?timeout=soon")
    assert wrong.status_code == 400


@pytest.mark.parametrize("content", ["7", "true", "[1]", '"no JSON inside"'])
def test_input_that_the_sdk_cannot_read_fails_the_instance(host: RunningHost, content: str) -> None:
    started = host.http.post(f"{API}/orchestrators/chain", content=content)
    assert host.ended(started.json()["id"])["runtimeStatus"] == "Failed"


def test_an_instance_is_started_again_with_its_input(host: RunningHost) -> None:
    first = host.ended(host.begin("chain", 7, id="model"))
    anew = host.http.post(f"{API}/instances/model/restart")
    assert anew.status_code == 202
    assert anew.json()["id"] != "model"
    assert host.ended(anew.json()["id"])["output"] == first["output"]
    same = host.http.post(f"{API}/instances/model/restart?restartWithNewInstanceId=false")
    assert same.json()["id"] == "model"
    assert host.ended("model")["output"] == first["output"]
    # The SDK's own call; any text but "true" asks for the same id.
    assert host.http.post("/api/client/model/restart").status_code == 200
    assert host.ended("model")["output"] == first["output"]
    assert host.http.post(f"{API}/instances/unknown/restart").status_code == 400
    running = host.begin("listener")
    path = f"{API}/instances/{running}/restart?restartWithNewInstanceId=false"
    assert host.http.post(path).status_code == 500


@pytest.mark.parametrize("verb", ["terminate", "suspend", "resume"])
def test_nothing_can_be_done_to_an_instance_that_is_over(host: RunningHost, verb: str) -> None:
    done = host.begin("chain", 1)
    host.ended(done)
    assert host.http.post(f"{API}/instances/{done}/{verb}").status_code == 410
    assert host.http.post(f"{API}/instances/unknown/{verb}").status_code == 404


def test_an_orchestrator_that_spins_can_be_terminated(host: RunningHost) -> None:
    spinner = host.begin("spinner")
    host.reached(spinner, "Pending", "Running")
    host.http.post(f"{API}/instances/{spinner}/terminate?reason=enough")
    status = host.ended(spinner)
    assert (status["runtimeStatus"], status["output"]) == ("Terminated", "enough")


def test_events_for_nobody_are_refused(host: RunningHost) -> None:
    assert host.http.post(f"{API}/instances/unknown/raiseEvent/go", json=1).status_code == 404
    done = host.begin("chain", 1)
    host.ended(done)
    assert host.http.post(f"{API}/instances/{done}/raiseEvent/go", json=1).status_code == 410
    waiting = host.begin("listener")
    path = f"{API}/instances/{waiting}/raiseEvent/go"
    text = {"content-type": "text/plain"}
    assert host.http.post(path, content="1", headers=text).status_code == 400
    broken = {"content-type": "application/json"}
    assert host.http.post(path, content="{", headers=broken).status_code == 400


def test_a_terminated_instance_ends_with_the_reason(host: RunningHost) -> None:
    waiting = host.begin("listener")
    assert host.http.post(f"/api/client/{waiting}/terminate").status_code == 200
    status = host.ended(waiting)
    assert (status["runtimeStatus"], status["output"]) == ("Terminated", "because")
    assert host.http.post(f"{API}/instances/{waiting}/terminate").status_code == 410
    assert host.http.post(f"{API}/instances/unknown/terminate").status_code == 404


def test_a_suspended_instance_gets_its_messages_when_it_resumes(host: RunningHost) -> None:
    waiting = host.begin("listener")
    host.reached(waiting, "Running")
    host.http.post(f"/api/client/{waiting}/suspend")
    host.reached(waiting, "Suspended")
    host.ring(waiting, "held")
    assert host.status(waiting)["runtimeStatus"] == "Suspended"
    host.http.post(f"/api/client/{waiting}/resume")
    assert host.ended(waiting)["output"] == '"held"'


def test_only_a_suspended_instance_resumes(host: RunningHost) -> None:
    waiting = host.begin("listener")
    host.reached(waiting, "Running")
    assert host.http.post(f"{API}/instances/{waiting}/resume").status_code == 500


def test_an_instance_that_has_ended_can_be_purged(host: RunningHost) -> None:
    waiting = host.begin("listener")
    assert host.http.post(f"/api/client/{waiting}/purge").json() == 0
    host.ring(waiting)
    host.ended(waiting)
    assert host.http.post(f"/api/client/{waiting}/purge").json() == 1
    assert host.http.get(f"{API}/instances/{waiting}").status_code == 404


def test_many_instances_are_purged_by_their_age_and_state(host: RunningHost) -> None:
    host.output_of("chain", 1, id="old-1")
    assert host.http.delete(f"{API}/instances").status_code == 400
    past = "?createdTimeFrom=2001-01-01T00:00:00.000000Z"
    nobody = host.http.delete(f"{API}/instances{past}&runtimeStatus=Canceled")
    assert nobody.status_code == 404
    purged = host.http.delete(f"{API}/instances{past}&runtimeStatus=Completed,Failed")
    assert purged.json()["instancesDeleted"] >= 1
    assert host.http.get(f"{API}/instances/old-1").status_code == 404


def test_instances_are_listed_in_pages(host: RunningHost) -> None:
    for number in range(3):
        host.begin("listener", id=f"page-{number}")
    query = {"instanceIdPrefix": "page-", "top": "2", "showInput": "false"}
    first = host.http.get(f"{API}/instances/", params=query)
    assert [one["instanceId"] for one in first.json()] == ["page-0", "page-1"]
    token = {"x-ms-continuation-token": first.headers["x-ms-continuation-token"]}
    rest = host.http.get(f"{API}/instances", params=query, headers=token)
    assert [one["instanceId"] for one in rest.json()] == ["page-2"]
    assert not rest.headers["x-ms-continuation-token"]
    waiting = host.http.get(f"{API}/instances", params={**query, "runtimeStatus": "Failed"})
    assert waiting.json() == []
    future = {**query, "createdTimeFrom": "2999-01-01T00:00:00Z"}
    assert host.http.get(f"{API}/instances", params=future).json() == []
    wrong = {**query, "createdTimeFrom": "yesterday"}
    assert host.http.get(f"{API}/instances", params=wrong).status_code == 400


def test_a_history_shows_names_and_results(host: RunningHost) -> None:
    done = host.begin("chain", 7)
    host.ended(done)
    status = host.status(done, showHistory="true", showHistoryOutput="true")
    events = status["historyEvents"]
    assert [event.get("FunctionName") for event in events] == [
        "chain",
        "echo",
        "Echo_Later",
        "echo",
        None,
    ]
    assert events[1]["Result"] == 7
    assert events[-1]["OrchestrationStatus"] == "Completed"
    assert not {"EventId", "IsPlayed", "TaskScheduledId"} & set().union(*events)


@pytest.mark.parametrize(
    ("name", "given", "end"),
    [
        # As input and output
        ("chain", HALF_A_PAIR, "Completed"),
        # In the message of an exception
        ("one_activity", ["refuse", HALF_A_PAIR], "Failed"),
    ],
)
def test_text_that_is_no_text_can_be_passed_around(
    host: RunningHost, name: str, given: object, end: str
) -> None:
    content = json.dumps(json.dumps(given))
    started = host.http.post(f"{API}/orchestrators/{name}", content=content)
    assert host.ended(started.json()["id"])["runtimeStatus"] == end


@pytest.mark.parametrize("instance_id", ["🚀 to the moon", "€1", "a%41", "zürich"])
def test_an_id_of_any_letters_is_followed_by_its_own_address(
    host: RunningHost, instance_id: str
) -> None:
    path = f"{API}/orchestrators/chain/{quote(instance_id, safe='')}"
    started = host.http.post(path, json={"a": 1})
    assert started.status_code == 202
    assert started.json()["id"] == instance_id
    assert host.http.get(started.headers["location"]).json()["instanceId"] == instance_id
