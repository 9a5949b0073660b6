from __future__ import annotations

import json
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest

from testbed.genuine import calls

if TYPE_CHECKING:
    from .conftest import RunningHost

API = "/durabletask"
HALF_A_PAIR = "\ud83d"


def test_answers_without_a_history_are_those_that_were_recorded(host: RunningHost) -> None:
    """Each by what it was asked for: nobody's event, one that is heard, a purge, an empty list."""
    recorded = [
        (call["method"], call["status"], call["answer"])
        for call in calls("management")
        if "showHistory" not in call["url"]
    ]
    waiting = host.begin("listener")
    host.reached(waiting, "Running")
    event = "raiseEvent/go"
    answers = [
        host.http.get(f"{API}/instances?instanceIdPrefix=nobody"),
        host.http.post(f"{API}/instances/nobody/{event}", json=1),
        host.http.post(f"{API}/instances/{waiting}/{event}", json=1),
    ]
    host.ended(waiting)
    answers.append(host.http.delete(f"{API}/instances/{waiting}"))
    told = [(one.request.method, one.status_code, one.text) for one in answers]
    assert sorted(told) == sorted(recorded)


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
    asked = host.http.get(f"{API}/instances/{waiting}?showInput=false&code=k")
    assert asked.headers["location"] == str(asked.request.url)
    host.ring(waiting)
    host.ended(waiting)
    assert host.http.get(f"{API}/instances/{waiting}").status_code == 200
    unknown = host.http.get(f"{API}/instances/unknown")
    assert (unknown.status_code, unknown.content) == (404, b"")


def test_a_failed_instance_answers_500_only_on_demand(host: RunningHost) -> None:
    failed = host.begin("unhandled")
    host.ended(failed)
    path = f"{API}/instances/{failed}"
    assert host.http.get(path).status_code == 200
    assert host.http.get(f"{path}?returnInternalServerErrorOnFailure=true").status_code == 500


def test_an_instance_that_runs_is_not_started_again(host: RunningHost) -> None:
    host.reached(host.begin("listener", id="once"), "Running")
    refused = host.http.post(f"{API}/orchestrators/listener/once")
    assert refused.status_code == 409
    sentence = "An Orchestration instance with the status Running already exists."
    assert refused.json() == {"Message": sentence}
    assert sentence in host.http.post("/api/start/listener/once").json()


def test_an_instance_that_has_ended_is_replaced(host: RunningHost) -> None:
    host.output_of("chain", 1, id="again")
    assert host.output_of("chain", 2, id="again") == {"was": [2]}


def test_a_start_with_what_is_no_json_is_refused(host: RunningHost) -> None:
    answer = host.http.post(f"{API}/orchestrators/chain", content="{not json")
    assert answer.status_code == 400
    assert answer.json()["Message"] == "Invalid JSON content"
    assert answer.json()["ExceptionMessage"]


def test_an_instance_of_a_name_that_there_is_not_fails(host: RunningHost) -> None:
    started = host.http.post(f"{API}/orchestrators/nobody", content="{}")
    assert started.status_code == 202
    status = host.ended(started.json()["id"])
    assert (status["name"], status["runtimeStatus"]) == ("nobody", "Failed")
    assert status["output"].startswith(
        "Orchestrator function 'nobody' failed: The function 'nobody' doesn't exist, is disabled,"
        " or is not an orchestrator function. Additional info: The following are the known"
        " orchestrator functions: '"
    )


@pytest.mark.parametrize(
    ("written", "id"),
    [("@x", "@x"), ("a%23b", "a#b"), ("i" * 257, "i" * 257), ("a%41", "aA"), ("%C3%BC", "ü")],
)
def test_an_id_may_be_anything_that_a_path_can_hold(
    host: RunningHost, written: str, id: str
) -> None:
    started = host.http.post(f"{API}/orchestrators/chain/{written}", json=json.dumps(1))
    assert (started.status_code, started.json()["id"]) == (202, id)
    assert host.ended(quote(id))["output"] == {"was": [1]}


def test_an_entitys_id_is_not_for_orchestrations(host: RunningHost) -> None:
    assert host.http.post(f"{API}/orchestrators/chain/@counter@k").status_code == 400


def test_paths_are_read_without_regard_to_case(host: RunningHost) -> None:
    started = host.http.post("/DurableTask/Orchestrators/LISTENER/cased")
    assert started.status_code == 202
    host.reached("cased", "Running")
    rung = host.http.post(f"{API}/Instances/cased/RAISEEVENT/go/", json=1)
    assert rung.status_code == 202
    assert host.ended("cased")["output"] == 1
    assert host.http.get("/Runtime/Webhooks/DurableTask/instances/cased/").status_code == 200
    assert host.http.get(f"{API}/instances/CASED").status_code == 404


def test_what_cannot_be_read_of_a_query_is_passed_over(host: RunningHost) -> None:
    host.ended(host.begin("chain", 1, id="found"))
    query = "instanceIdPrefix=found&runtimeStatus=bogus&createdTimeFrom=nonsense&top=x"
    found = host.http.get(f"{API}/instances?{query}")
    assert found.status_code == 200
    assert [one["instanceId"] for one in found.json()] == ["found"]


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


@pytest.mark.parametrize("query", ["timeout=10", "pollingInterval=1", "timeout=soon"])
def test_a_start_waits_only_if_told_how_long_and_how_often(host: RunningHost, query: str) -> None:
    # What waited would be answered with the result, as above.
    answer = host.http.post(f"{API}/orchestrators/chain?{query}", json="1")
    assert answer.status_code == 202


def test_a_start_does_not_look_less_often_than_it_waits(host: RunningHost) -> None:
    answer = host.http.post(f"{API}/orchestrators/chain?timeout=1&pollingInterval=2")
    assert answer.status_code == 400


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
    # The SDK's own call, with a text that is neither true nor false: that asks for a new id.
    assert host.http.post("/api/client/model/restart").status_code == 200


def test_a_restart_needs_an_instance_and_a_free_id(host: RunningHost) -> None:
    unknown = host.http.post(f"{API}/instances/unknown/restart")
    assert unknown.status_code == 400
    assert unknown.json()["Message"] == "InstanceId does not match a valid orchestration instance."
    running = host.begin("listener")
    host.reached(running, "Running")
    path = f"{API}/instances/{running}/restart?restartWithNewInstanceId=false"
    refused = host.http.post(path)
    assert refused.status_code == 409
    assert "the status Running already exists." in refused.json()["ExceptionMessage"]


@pytest.mark.parametrize("verb", ["terminate", "suspend", "resume"])
def test_nothing_can_be_done_to_an_instance_that_is_over(host: RunningHost, verb: str) -> None:
    done = host.begin("chain", 1)
    host.ended(done)
    for instance, status in ((done, 410), ("unknown", 404)):
        answer = host.http.post(f"{API}/instances/{instance}/{verb}")
        assert (answer.status_code, answer.content) == (status, b"")


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
    for content in ("{", ""):
        assert host.http.post(path, content=content, headers=broken).status_code == 400


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


def test_only_what_runs_is_suspended_and_only_what_is_suspended_resumes(host: RunningHost) -> None:
    waiting = host.begin("listener")
    host.reached(waiting, "Running")
    refused = host.http.post(f"{API}/instances/{waiting}/resume")
    assert refused.status_code == 500
    assert refused.json()["ExceptionMessage"] == (
        f"Cannot resume the orchestration instance {waiting} because instance is in the Running"
        " state."
    )
    host.http.post(f"{API}/instances/{waiting}/suspend")
    host.reached(waiting, "Suspended")
    refused = host.http.post(f"{API}/instances/{waiting}/suspend")
    assert refused.status_code == 500
    assert refused.json()["ExceptionMessage"] == (
        f"Cannot suspend the orchestration instance {waiting} because instance is in the"
        " Suspended state."
    )


def test_the_sdk_raises_what_is_refused(host: RunningHost) -> None:
    waiting = host.begin("listener")
    host.reached(waiting, "Running")
    for verb in ("purge", "rewind", "resume"):
        assert host.http.post(f"/api/client/{waiting}/{verb}").status_code == 500
    assert host.http.post(f"/api/client/{waiting}/suspend").status_code == 200
    host.reached(waiting, "Suspended")
    assert host.http.post(f"/api/client/{waiting}/suspend").status_code == 500


def test_only_an_instance_that_has_ended_can_be_purged(host: RunningHost) -> None:
    waiting = host.begin("listener")
    host.reached(waiting, "Running")
    refused = host.http.delete(f"{API}/instances/{waiting}")
    assert refused.status_code == 412
    assert refused.json() == (
        "Only orchestrations in a terminal state can be purged, but the orchestration with"
        f" instance ID {waiting} has status Running"
    )
    host.ring(waiting)
    host.ended(waiting)
    assert host.http.post(f"/api/client/{waiting}/purge").json() == 1
    assert host.http.post(f"/api/client/{waiting}/purge").json() == 0
    assert host.http.get(f"{API}/instances/{waiting}").status_code == 404


def test_many_instances_are_purged_by_their_age_and_state(host: RunningHost) -> None:
    host.output_of("chain", 1, id="old-1")
    for query in ("", "?createdTimeFrom=yesterday"):
        assert host.http.delete(f"{API}/instances{query}").status_code == 400
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
