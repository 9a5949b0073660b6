"""The machine dies after every single effect of the way through, once each, and all comes right.

With the stores in Azure that takes long, so there each of three runs has a third of the effects.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from azure.storage.blob import ContainerClient

from testbed.recorded_once import assert_recorded_once

pytestmark = pytest.mark.thorough

ONCE = ("OperationStarted", "WorkPlanned", "ReceiptRecorded", "OperationClosed")

TOPICS = (  # of words that the sample library has, one for each story
    "How durable execution survives crashes",
    "How execution survives crashes",
    "How durable execution survives",
    "How execution survives",
    "Durable execution survives crashes",
)


def reports_in(data: Path, settings: dict[str, str]) -> Callable[[], dict[str, bytes]]:
    """Tells what is at the destination, as somebody sees it who looks there without the app."""
    if not settings:
        folder = data / "reports"
        return lambda: {file.name: file.read_bytes() for file in folder.rglob("*.md")}
    container = ContainerClient.from_connection_string(
        settings["COUNTERSIGN_STORAGE"], f"{settings['COUNTERSIGN_STORAGE_PREFIX']}-reports"
    )
    return lambda: {
        blob.name.split("/")[-1]: container.download_blob(blob.name).readall()
        for blob in container.list_blobs()
    }


def report(number: int) -> dict[str, Any]:
    """A request whose notices are not those of another."""
    return {"topic": TOPICS[number], "subtopics": ["Durable timers"]}


@pytest.mark.timeout(1_200)
@pytest.mark.parametrize(
    ("stores", "share", "reload"),
    [
        ("embedded", "0/1", False),
        # As in a terminal.
        ("embedded", "0/1", True),
        ("azure", "0/3", False),
        ("azure", "1/3", False),
        ("azure", "2/3", False),
    ],
)
def test_no_death_loses_doubles_or_repays_anything(
    stores: str,
    share: str,
    reload: bool,
    request: pytest.FixtureRequest,
    mortals_at: Callable[..., Any],
    listener: Any,
) -> None:
    settings = {}
    if stores == "azure":
        settings = {
            "COUNTERSIGN_STORAGE": request.getfixturevalue("azurite"),
            "COUNTERSIGN_STORAGE_PREFIX": f"t{uuid.uuid4().hex[:12]}",
        }
    mortals = mortals_at(share=share, reload=reload, COUNTERSIGN_NOTIFY=listener.url, **settings)

    def story(number: int) -> tuple[str, list[dict[str, Any]]]:
        operation = mortals.ask("research", report(number), f"number-{number}")
        mortals.told(operation, "opened:1")
        asked = mortals.decide(operation, 1, "revise", comment="Make it shorter.")
        mortals.told(operation, "opened:2")
        approved = mortals.decide(operation, 2, "approve", token=mortals.desk.second)
        assert mortals.closed(operation)["state"] == "published"
        mortals.told(operation, "outcome")
        return operation, [asked, approved]

    told = mortals.tell(story)
    # The last places to die at are those after the end can be seen from outside.
    histories = [mortals.history(operation) for operation, _ in told]
    mortals.assert_died_once_at_each_place(more_than=20)
    for history, (_, receipts) in zip(histories, told, strict=True):
        assert_recorded_once(history, receipts, ONCE)
        assert_told_once(history)
    assert len(set(listener.subjects)) == len(listener.subjects)
    assert reports_in(mortals.host.data, settings)() == {
        f"{operation}.md": mortals.shown(operation, 2)["content"]["text"].encode()
        for operation, _ in told
    }
    assert_paid_once(mortals.diary(), 5)


@pytest.mark.timeout(1_200)
def test_no_death_costs_a_question_its_answer_or_has_it_paid_for_twice(
    mortals_at: Callable[..., Any],
) -> None:
    mortals = mortals_at(CRASH_ONLY="ask_question dafx-FactChecker settle_question")

    def story(number: int) -> str:
        operation = mortals.ask("research", report(number), f"number-{number}")
        mortals.version(operation, 1)
        answer = answered(mortals, operation, "What does a durable timer outlive?")
        assert answer["status"] == "answered"
        mortals.decide(operation, 1, "approve")
        assert mortals.closed(operation)["state"] == "published"
        return operation

    operations = mortals.tell(story)
    for operation in operations:
        types = [event["type"] for event in mortals.history(operation)]
        assert [types.count(each) for each in ("QuestionAsked", "QuestionAnswered")] == [1, 1]
        assert "QuestionFailed" not in types
    mortals.assert_died_once_at_each_place(more_than=10)
    assert any("since QuestionAnswered" in place for place in mortals.places())
    diary = mortals.diary()
    kept = [step for what, _, step in diary if what == "stored" and "dafx-FactChecker" in step]
    # The model's reply, and the answer that was made of it.
    assert len(kept) == 2 * len(operations)
    assert_paid_once(diary, 3)


def answered(mortals: Any, operation: str, question: str) -> dict[str, Any]:
    """Ask about the first version, once, and wait for the answer."""
    path = f"operations/{operation}/proposals/1/questions"

    def settled() -> dict[str, Any] | None:
        asked = mortals.host.call("GET", path, mortals.desk.reviewer).json()["questions"]
        if not asked:
            body = {"question": question}
            mortals.host.call("POST", path, mortals.desk.reviewer, json=body)
        return next((each for each in asked if each["status"] != "asked"), None)

    return mortals.persist(settled, f"{question!r} is answered")


def assert_told_once(history: list[dict[str, Any]]) -> None:
    def told(event_type: str) -> list[str]:
        return [each["data"]["notice"] for each in history if each["type"] == event_type]

    assert sorted(told("NoticeClaimed")) == ["opened:1", "opened:2", "outcome"]
    assert sorted(told("NoticeSent") + told("NoticeInDoubt")) == sorted(told("NoticeClaimed"))


def assert_paid_once(diary: list[tuple[str, str, str]], steps: int) -> None:
    """No model is asked what it has answered: a process that dies loses one call at most."""
    stored: set[tuple[str, str]] = set()
    for what, operation, step in diary:
        known = (operation, step) in stored
        assert not (what == "called" and known), f"{step} of {operation} was paid for again"
        if what == "stored":
            stored.add((operation, step))
    assert len(stored) >= steps
