"""What is put into orchestrations stays far below what the backends take.

Azure Storage keeps an event's texts in table properties of at most 64 KiB of UTF-16 and moves
longer ones to blobs (Azure/durabletask, `AzureTableTrackingStore`, which asks
`Encoding.Unicode.GetByteCount`). The Durable Task Scheduler takes gRPC messages, UTF-8, of at most
1 MiB. So a text counts as whichever is longer. Azure Storage splits timers of more than six days.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from azure.durable_functions.models.DurableOrchestrationContext import DurableOrchestrationContext
from azure.durable_functions.models.history import HistoryEventType

from countersign.approvals.questions import LONGEST_QUESTION
from countersign.reports.report import LONGEST_TEXT

MEASURED = Path(__file__).parent / "measured"
MOST_PAYLOAD, MOST_STATUS, MOST_EXCEPTION = 8_192, 2_048, 8_192
LONGEST_TIMER = timedelta(days=5)
DAY = 86_400.0
FORTNIGHT = 14 * DAY

SOUNDS = ("dor", "gan", "lim", "mek", "nol", "pas", "rut", "zev")
PARTS = [f"{head}{tail}" for head in ("Ba", "Ko", "Ri", "Su", "Ve") for tail in SOUNDS]
SUBTOPICS = [f"{part} valve" for part in PARTS]
LARGE_REPORT = "Nobody may shorten what a reviewer wrote. \n" * (LONGEST_TEXT // 43)


class Turns:
    """All turns of all orchestrators and entities of a host, as `measured` wrote them down."""

    def __init__(self, file: Path) -> None:
        turns = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
        self.all = [turn for turn in turns if turn["of"] == "orchestration"]
        self.of_entities = [turn for turn in turns if turn["of"] == "entity"]

    def events(self) -> Iterator[dict[str, Any]]:
        for turn in self.all:
            yield from turn["given"]["history"]

    def actions(self) -> Iterator[dict[str, Any]]:
        for turn in self.all:
            yield from singles(turn["answered"]["actions"][0])

    def payloads(self) -> Iterator[str]:
        """Inputs, as the extension stores them (a list of one JSON text), results and outputs."""
        yield from (json.dumps([each["input"]]) for each in self.actions() if "input" in each)
        for event in self.events():
            yield from (event[field] for field in ("Input", "Result") if event.get(field))
        for turn in self.all:
            yield json.dumps(turn["answered"].get("output"))
        for turn in self.of_entities:
            yield from (json.dumps(turn["given"]["state"]), json.dumps(turn["answered"]))
            yield from (json.dumps(request) for request in turn["given"]["batch"])

    def conversations(self) -> Iterator[str]:
        """What agents had in mind when they were asked something, for the first time."""
        asked: set[str] = set()
        for turn in self.of_entities:
            runs = [each["input"] for each in turn["given"]["batch"] if each["name"] == "run"]
            questions = {number for run in runs for number in re.findall(r"\bq\d+\b", run)}
            if questions - asked:
                yield turn["given"]["state"]
            asked |= questions

    def statuses(self) -> Iterator[str]:
        yield from (json.dumps(turn["answered"].get("customStatus")) for turn in self.all)

    def exceptions(self) -> Iterator[str]:
        for event in self.events():
            yield from (event[field] for field in ("Reason", "Details") if event.get(field))

    def timers(self) -> Iterator[timedelta]:
        """How far ahead each timer was, in each turn that asked for it."""
        for turn in self.all:
            now = time_of(turn["given"])
            for action in singles(turn["answered"]["actions"][0]):
                if "fireAt" in action:
                    fire_at = datetime.fromisoformat(action["fireAt"].replace("Z", "+00:00"))
                    yield fire_at - now

    def names(self) -> set[str]:
        return {action["functionName"] for action in self.actions() if "functionName" in action}


def singles(actions: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for action in actions:
        yield from singles(action.get("compoundActions", []))
        yield action


def time_of(given: dict[str, Any]) -> datetime:
    """The time that the orchestrator sees in this turn."""
    events = DurableOrchestrationContext.from_json(json.dumps(given)).histories
    started = [each for each in events if each.event_type == HistoryEventType.ORCHESTRATOR_STARTED]
    return max(each.timestamp for each in started)


def size(text: str) -> int:
    """Bytes of a text at the backend that counts more of them."""
    return max(len(text.encode("utf-8")), len(text.encode("utf-16-le")))


def large_documents() -> list[dict[str, str]]:
    """About 1 MB on the subtopics, as 50 documents."""
    randomness = random.Random(7)  # noqa: S311 - a corpus, not a secret
    return [
        {
            "title": f"Handbook, volume {volume}",
            "text": "\n\n".join(sentence(randomness) for _ in range(200)),
        }
        for volume in range(50)
    ]


def sentence(randomness: random.Random) -> str:
    part, *others = randomness.sample(PARTS, 6)
    year, litres = randomness.randint(1900, 2000), randomness.randint(1, 10**6)
    return f"The {part} valve of {year} lets {litres} litres through, {', '.join(others)} do not."


@pytest.fixture
def measure(
    make_host: Callable[..., Any], desk_at: Callable[..., Any], tmp_path: Path
) -> Callable[..., tuple[Any, Callable[[], Turns]]]:
    """Starts the measured app on a virtual clock; returns its people and what takes the measure."""

    def start(**settings: str) -> tuple[Any, Callable[[], Turns]]:
        file = tmp_path / "turns.jsonl"
        host = make_host(app=MEASURED, clock="virtual", MEASURED_TURNS=str(file), **settings)
        return desk_at(host.start(), lifetime=60 * DAY), lambda: Turns(file)

    return start


def all_settled(desk: Any, path: str) -> bool:
    shown = desk.host.call("GET", path, desk.reviewer).json()["questions"]
    return all(question["status"] != "asked" for question in shown)


@pytest.mark.thorough
def test_large_work_over_weeks_stays_within_the_limits_of_the_backends(measure: Any) -> None:
    desk, turns = measure(COUNTERSIGN_NOTIFY="json://127.0.0.1:9")
    operation = desk.ask(
        "Valves of a water work",
        subtopics=SUBTOPICS,
        documents=large_documents(),
        approval={"window_seconds": FORTNIGHT},
    )
    first = desk.until_version(operation)
    for number in range(3):
        question = {"question": f"{number} {'é' * (LONGEST_QUESTION - 2)}"}
        path = f"operations/{operation}/proposals/1/questions"
        assert desk.host.call("POST", path, desk.reviewer, json=question).status_code == 202
        desk.host.until(lambda path=path: all_settled(desk, path), "it is answered")
        desk.host.advance(0)
    desk.host.advance(FORTNIGHT - DAY)
    revision = {"comment": "é" * 5_000, "correction": {"text": LARGE_REPORT}}
    assert desk.decide(operation, first, "revise", **revision).status_code == 200
    second = desk.until_version(operation, 2)
    desk.host.advance(FORTNIGHT - DAY)
    assert desk.decide(operation, second, token=desk.second).status_code == 200
    desk.until_state(operation, "published")
    report = desk.host.call("GET", f"operations/{operation}/report", desk.requester)
    assert report.text.startswith(LARGE_REPORT.rstrip())

    taken = turns()
    assert taken.names() >= {"research_subtopic", "approval_gate", "publish_report"}
    assert {turn["given"]["self"]["name"].lower() for turn in taken.of_entities} == {
        "notices",
        "dafx-factchecker",
    }
    assert [len(state or "") < 100 for state in taken.conversations()] == [True] * 3
    assert max(map(size, taken.payloads())) < MOST_PAYLOAD
    assert max(map(size, taken.statuses())) < MOST_STATUS
    assert max(taken.timers()) == LONGEST_TIMER


def test_a_fault_with_a_megabyte_to_say_leaves_a_short_text(measure: Any) -> None:
    desk, turns = measure(LOUD_FAULT="yes")
    operation = desk.ask()
    assert desk.decide(operation, desk.until_version(operation)).status_code == 200
    desk.host.until(lambda: "publish_report failed" in desk.host.log.read_text(), "it has failed")
    desk.host.advance(10)
    desk.until_state(operation, "published")

    told = list(turns().exceptions())
    assert any("RuntimeError in " in each for each in told)
    assert max(map(size, told)) < MOST_EXCEPTION
    assert not any("AccountKey" in each for each in told)
    assert "AccountKey" in desk.host.log.read_text()
