"""What the SDK is shown here has the shape of what the genuine Durable extension shows it."""

from __future__ import annotations

import json
import re
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any

import pytest

from devhost.durable.history import Event, Kind, as_read, parse
from testbed.buyers import Buyers
from testbed.desk import Desk
from testbed.genuine import calls, executions
from testbed.host import Host
from testbed.purchasing import PurchasingService

pytestmark = [
    pytest.mark.devhost_only("its state is read"),
    pytest.mark.fair_only("what comes twice is in the history twice"),
]

DAY = 86_400.0
NOBODY = "json://127.0.0.1:9"
UTC = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{0,6}[1-9])?Z")
WITH_OFFSET = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?\+00:00")
OPAQUE = {"Details", "input"}
"""A serialised .NET exception, whose properties depend on the host, and what an entity is told."""
LEFT_OUT = {"IsPlayed", "created_at"}
"""What depends on the turn, and when an agent answered, which the recorded app didn't tell."""
UNVERSIONED = {"AzureFunctionsJobHost__extensions__durableTask__defaultVersion": ""}
"""As the recorded app: its instances took the steps that those without a version still take."""
RUNTIME = "/runtime/webhooks/durabletask"
Histories = dict[str, list[Event]]


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PurchasingService]:
    with PurchasingService(tmp_path_factory.mktemp("shapes") / "purchasing") as service:
        yield service


@pytest.fixture(scope="module")
def host(
    new_host: Callable[..., Host],
    service: PurchasingService,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Host]:
    host = new_host(
        tmp_path_factory.mktemp("shapes") / "data",
        clock="virtual",
        COUNTERSIGN_NOTIFY=NOBODY,
        COUNTERSIGN_PURCHASING_URL=service.url,
        **UNVERSIONED,
    ).start()
    yield host
    host.close()


@pytest.fixture(scope="module")
def histories(host: Host, service: PurchasingService) -> Histories:
    """Histories of this host, by the genuine one that tells the same story."""
    return {**reported(Desk(host, lifetime=60 * DAY)), **bought(host, service)}


def reported(desk: Desk) -> Histories:
    operation = desk.ask()
    first = desk.until_version(operation)
    path = f"operations/{operation}/proposals/1/questions"
    asked = desk.host.call("POST", path, desk.reviewer, json={"question": "What is replayed?"})
    desk.host.advance(0)
    assert desk.decide(operation, first).status_code == 200
    desk.host.advance(0)
    return {
        "answer_question-01": kept(desk.host, f"{operation}-{asked.json()['question_id']}"),
        "approval_gate-09": kept(desk.host, f"{operation}-v1"),
        "research-05": kept(desk.host, operation),
    }


def bought(host: Host, service: PurchasingService) -> Histories:
    buyers = Buyers(host, lifetime=60 * DAY)
    operation, first = buyers.waiting("100.00")
    assert buyers.decide(operation, first).status_code == 200
    host.advance(0)
    later, first = buyers.waiting("100.00")
    service.kill()
    assert buyers.decide(later, first).status_code == 200
    host.advance(0)
    service.start()
    host.advance(10)
    buyers.until_state(later, "ordered")
    host.advance(0)
    return {"purchase-01": kept(host, operation), "later": kept(host, later)}


def kept(host: Host, instance_id: str) -> list[Event]:
    """A history as the SDK is shown it in later turns."""
    query = "SELECT events FROM history WHERE instance = ? ORDER BY episode"
    with closing(sqlite3.connect(host.data / "devhost" / "state.db")) as state:
        return parse([as_read(turn for (turn,) in state.execute(query, (instance_id,)))])


@pytest.mark.parametrize(
    "story", ["answer_question-01", "approval_gate-09", "research-05", "purchase-01"]
)
def test_the_same_story_is_the_same_history(story: str, histories: Histories) -> None:
    [genuine] = [each for each in executions() if each.name == story]
    past = genuine.history(len(genuine.turns) - 1)
    assert [*map(told, histories[story][: len(past)])] == [*map(told, past)]


def test_events_of_each_kind_have_the_same_fields(histories: Histories) -> None:
    genuine: dict[Kind, list[Any]] = defaultdict(list)
    for execution in executions():
        for event in execution.history(len(execution.turns)):
            genuine[Kind(event["EventType"])].append(shape(event))
    seen = {Kind(event["EventType"]) for history in histories.values() for event in history}
    assert {Kind.TaskFailed, Kind.TimerFired, Kind.EventSent, Kind.EventRaised} <= seen
    for history in histories.values():
        for event in history:
            kind = Kind(event["EventType"])
            if kind == Kind.ExecutionStarted:
                # The recorded host had no version to tell, not even an empty one.
                event = {**event, "Version": event["Version"] or None}
            # How an execution ended is in no recording.
            if kind != Kind.ExecutionCompleted:
                assert shape(event) in genuine[kind]


def test_the_management_api_shows_a_waiting_gate_in_the_same_shape(host: Host) -> None:
    [recorded] = [call for call in calls("management") if "showHistory" in call["url"]]
    desk = Desk(host, lifetime=60 * DAY)
    operation = desk.ask()
    desk.until_version(operation)
    host.advance(0)
    host.instance(f"{operation}-v1")
    query = {"showHistory": "true", "showHistoryOutput": "true"}
    answer = host.manage("GET", f"instances/{operation}-v1", params=query)
    status = answer.json()
    # The recorded gate had nobody to tell.
    status["historyEvents"] = [
        each for each in status["historyEvents"] if each["EventType"] != "EventSent"
    ]
    assert answer.status_code == recorded["status"]
    assert shape(status) == shape(json.loads(recorded["answer"]))
    kinds = [each["EventType"] for each in status["historyEvents"]]
    assert kinds == ["ExecutionStarted", "TaskCompleted", "TimerCreated"]


def told(event: Event) -> tuple[Any, ...]:
    """What an event says about a story."""
    kind = Kind(event["EventType"])
    return kind, event["EventId"], event["IsPlayed"], event.get("Name") in (None, "op") or kind


def shape(value: Any, name: str = "") -> Any:
    """The fields of a document and the kinds of their values, those of documents in it too."""
    if name in OPAQUE:
        return "opaque"
    if name == "Result" and isinstance(value, str):
        # What is in it is the app's.
        return text_shape(value)[0]
    if isinstance(value, dict):
        return {key: shape(each, key) for key, each in value.items() if key not in LEFT_OUT}
    if isinstance(value, list):
        return [shape(each) for each in value]
    if isinstance(value, str):
        return text_shape(value)
    return type(value).__name__


def text_shape(text: str) -> Any:
    if UTC.fullmatch(text):
        return "UTC"
    if WITH_OFFSET.fullmatch(text):
        return "with offset"
    if not text.startswith(("{", "[", '"')):
        return "text"
    document = json.loads(text)
    compact = text == json.dumps(document, separators=(",", ":"))
    return "compact" if compact else "spaced", shape(document)
