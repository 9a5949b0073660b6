from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .conftest import RunningHost

API = "/durabletask"


def state_of(host: RunningHost, name: str, key: str) -> Any:
    answer = host.http.get(f"{API}/entities/{name}/{key}")
    return answer.json() if answer.status_code == 200 else None


def signal(host: RunningHost, name: str, key: str, operation: str, given: Any = None) -> None:
    answer = host.http.post(f"/api/signal/{name}/{key}/{operation}", content=json.dumps(given))
    assert answer.status_code == 200


def test_an_orchestrator_calls_an_entity_and_gets_its_results(host: RunningHost) -> None:
    # The signal came first, and the activity between the calls has the id that the SDK gave it.
    assert host.output_of("tally", "orchestrated") == [7, "between", [8, 8]]
    assert state_of(host, "counter", "orchestrated") == 8


def test_the_sdk_signals_and_reads_an_entity_whatever_the_case_of_its_name(
    host: RunningHost,
) -> None:
    assert host.http.get("/api/entity/cOUNTER/signalled").json() == [False, None]
    signal(host, "COUNTER", "signalled", "add", 3)
    signal(host, "counter", "signalled", "add", 4)
    host.until(lambda: host.http.get("/api/entity/Counter/signalled").json() == [True, 7])
    assert state_of(host, "counter", "SIGNALLED") is None


def test_a_failed_operation_is_an_exception_and_its_state_stays(host: RunningHost) -> None:
    assert host.output_of("one_operation", ["counter", "fails", "fail"]) == "failed: refused at 0"
    assert host.output_of("one_operation", ["counter", "fails", "get"]) == 1


def test_an_operation_that_kills_its_worker_fails(host: RunningHost) -> None:
    ended = host.ended(host.begin_deadly("one_operation", ["counter", "deadly", "die"]))
    failure = ended["output"]
    assert failure.startswith("failed: Entity function 'counter' failed: the worker process died")
    assert host.marked("deadly") == 3
    assert state_of(host, "counter", "deadly") is None


def test_operations_of_one_entity_run_one_by_one_in_their_order(host: RunningHost) -> None:
    for number in range(120):
        host.http.post(f"{API}/entities/diary/ordered?op=write", json=json.dumps(number))
    host.until(lambda: state_of(host, "diary", "ordered") == list(range(120)))


def test_what_an_orchestrator_sent_before_it_failed_arrives(host: RunningHost) -> None:
    assert host.ended(host.begin("last_words", "farewell"))["runtimeStatus"] == "Failed"
    host.until(lambda: state_of(host, "diary", "farewell") == ["last words"])


def test_an_entity_may_delete_itself(host: RunningHost) -> None:
    signal(host, "counter", "short-lived", "add", 1)
    host.until(lambda: state_of(host, "counter", "short-lived") == 1)
    assert host.http.delete(f"{API}/entities/counter/short-lived").status_code == 202
    host.until(lambda: state_of(host, "counter", "short-lived") is None)
    # An entity that holds nothing runs on, until it is purged.
    left = host.http.get(f"{API}/instances/@counter@short-lived")
    assert (left.status_code, left.json()["customStatus"]) == (202, {})
    assert "short-lived" not in host.http.get(f"{API}/entities/counter").text


def test_an_entity_can_be_purged_whatever_it_holds(host: RunningHost) -> None:
    for key, operation in (("full", "add"), ("empty", "delete")):
        signal(host, "counter", key, operation, 1)
        path = f"{API}/instances/@counter@{key}"
        host.until(lambda path=path: host.http.get(path).status_code == 202)
        assert host.http.post(f"/api/client/@counter@{key}/purge").json() == 1
        assert host.http.get(path).status_code == 404
        assert host.http.post(f"/api/client/@counter@{key}/purge").json() == 0
    signal(host, "counter", "full", "add", 3)
    host.until(lambda: state_of(host, "counter", "full") == 3)


def test_an_entity_that_deleted_itself_begins_anew(host: RunningHost) -> None:
    for turn in (1, 2):
        signal(host, "counter", "reborn", "add", turn)
        host.until(lambda turn=turn: state_of(host, "counter", "reborn") == turn)
        host.http.delete(f"{API}/entities/counter/reborn")
        host.until(lambda: state_of(host, "counter", "reborn") is None)


def test_raw_requests_reach_an_entity_as_the_sdk_expects_them(host: RunningHost) -> None:
    text = {"content-type": "text/plain"}
    host.http.post(f"{API}/entities/counter?op=add", content="7", headers=text)
    host.until(lambda: state_of(host, "counter", "$") == 7)
    broken = {"content-type": "application/json"}
    wrong = host.http.post(f"{API}/entities/counter/k?op=add", content="{", headers=broken)
    assert wrong.status_code == 400
    wrong = host.http.post(f"{API}/entities/counter/a%23b?op=add", content="7", headers=text)
    assert wrong.status_code == 400
    unknown = host.http.post(f"{API}/entities/nobody/k?op=add", content="7", headers=text)
    assert unknown.status_code == 400
    assert unknown.json()["Message"].startswith("The function 'nobody' doesn't exist")


def test_entities_are_listed_in_pages(host: RunningHost) -> None:
    for number in range(3):
        signal(host, "diary", f"listed-{number}", "write", number or "zero")
        host.until(lambda key=f"listed-{number}": state_of(host, "diary", key))
    query: dict[str, Any] = {"fetchState": "true", "top": 1}
    seen, token = [], ""
    while token or not seen:
        page = host.http.get(
            f"{API}/entities/Diary", params=query, headers={"x-ms-continuation-token": token}
        )
        seen += page.json()
        token = page.headers["x-ms-continuation-token"]
    states = {one["entityId"]["key"]: one["state"] for one in seen}
    assert [states[f"listed-{number}"] for number in range(3)] == [["zero"], [1], [2]]
    assert {one["entityId"]["name"] for one in seen} == {"diary"}
    every = host.http.get(f"{API}/entities", params={"top": 1000}).json()
    assert len(every) > len(seen)
    assert {one["state"] for one in every} == {None}
    late = {"lastOperationTimeFrom": "2999-01-01T00:00:00Z"}
    assert host.http.get(f"{API}/entities", params=late).json() == []


def test_entities_show_among_the_instances(host: RunningHost) -> None:
    signal(host, "counter", "shown", "add", 1)
    host.until(lambda: state_of(host, "counter", "shown") == 1)
    [listed] = host.http.get(f"{API}/instances?instanceIdPrefix=@counter@shown").json()
    assert listed["name"] == "@counter@shown"
    assert listed["runtimeStatus"] == "Running"
    assert listed["customStatus"] == {"entityExists": True}
    assert listed["input"] == {"exists": True, "state": "1", "sorter": {}}
    assert host.status("@counter@shown") == listed
    # What is sent to orchestrations isn't for entities.
    refused = host.http.post(f"{API}/instances/@counter@shown/terminate")
    assert refused.status_code == 404


def test_operations_survive_a_kill(own_host: RunningHost) -> None:
    host = own_host
    signal(host, "diary", "killed", "write", "wait")
    host.until((host.marks / "killed.open").exists)
    for number in (1, 2):
        signal(host, "diary", "killed", "write", number)
    caller = host.begin("one_operation", ["diary", "killed", "write"])
    host.until(lambda: "EventSent" in host.history(caller))
    host.kill()
    (host.marks / "killed.open").unlink()
    host.release("killed")
    host.start()
    assert host.ended(caller)["runtimeStatus"] == "Completed"
    assert state_of(host, "diary", "killed") == ["wait", 1, 2, None]
