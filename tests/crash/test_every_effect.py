"""The machine dies after every single effect of the way through, once each, and all comes right.

With the stores in Azure that would take too long, so there it dies after a third of them, another
third each day. `CRASH_THIRD=0`, 1 or 2 asks for a certain one, and a failure tells which it was.
"""

from __future__ import annotations

import os
import time
import uuid
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import httpx
import pytest
from azure.storage.blob import ContainerClient

from devhost.process import HostFailed

APP = Path(__file__).parent / "app"
RUNS = {
    "embedded-first-half": ("embedded", "0/2"),
    "embedded-second-half": ("embedded", "1/2"),
    "azure-third-of-the-day": ("azure", ""),
}
"""Which stores to run on, and after which share of all effects to die."""

PATIENCE_SECONDS = 600.0
"""For one step in which the host may die dozens of times, on a machine that has more to do."""

ONCE = ("OperationStarted", "WorkPlanned", "WriteClaimed", "ReceiptRecorded", "OperationClosed")


class Mortals:
    """A requester and a reviewer who try again for as long as the host keeps dying on them."""

    def __init__(self, desk: Any, reports: Callable[[], dict[str, bytes]]) -> None:
        self.desk, self.host, self.deaths = desk, desk.host, 0
        self.reports = reports

    def persist(self, attempt: Callable[[], Any], what: str) -> Any:
        """Repeat an attempt until it yields something; a dead host is started again."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < deadline:
            try:
                self.revive()
                if value := attempt():
                    return value
            except httpx.TransportError:
                pass
            time.sleep(0.02)
        raise AssertionError(f"not so: {what}\n{self.host.log.read_text()[-6000:]}")

    def revive(self) -> None:
        """Start the host again until it lives, and run the reconciler as its timer would."""
        while not self.host.process.is_running:
            self.deaths += 1
            self.host.log.write_text("")
            # What it was doing goes on at once, so it may die again before it says that it serves.
            with suppress(HostFailed):
                self.host.start()
                self.desk.reconcile()

    def ask(self, topic: str) -> str:
        """Have a request accepted; the key makes trying again safe."""
        headers = {"Idempotency-Key": "the-one"}
        body = {"topic": self.desk.TOPIC, "subtopics": [topic]}

        def accepted() -> str | None:
            answer = self.host.call(
                "POST", "research", self.desk.requester, json=body, headers=headers
            )
            return answer.json()["operation_id"] if answer.status_code in {200, 202} else None

        return self.persist(accepted, "the request is accepted")

    def version(self, operation: str, number: int) -> dict[str, Any]:
        """Wait for a version."""

        def opened() -> dict[str, Any] | None:
            proposal = self.desk.operation(operation)["proposal"]
            return proposal if proposal and proposal["version"] == number else None

        return self.persist(opened, f"version {number} is open")

    def decide(self, operation: str, number: int, decision: str, **more: Any) -> dict[str, Any]:
        """Have a decision recorded; returns its receipt."""
        proposal = self.version(operation, number)

        def recorded() -> dict[str, Any] | None:
            answer = self.desk.decide(operation, proposal, decision, **more)
            return answer.json()["receipt"] if answer.status_code == 200 else None

        return self.persist(recorded, f"{decision} is recorded")

    def told(self, operation: str, notice: str) -> None:
        """Wait until it is known what became of a notice."""

        def ended() -> bool:
            history = self.desk.history(operation)
            return any(
                event["type"] in {"NoticeSent", "NoticeInDoubt"}
                and event["data"]["notice"] == notice
                for event in history
            )

        self.persist(ended, f"{notice} was told")

    def answered(self, operation: str, question: str) -> dict[str, Any]:
        """Ask about the first version, once, and wait for the answer."""
        path = f"operations/{operation}/proposals/1/questions"

        def settled() -> dict[str, Any] | None:
            asked = self.host.call("GET", path, self.desk.reviewer).json()["questions"]
            if not asked:
                self.host.call("POST", path, self.desk.reviewer, json={"question": question})
            return next((each for each in asked if each["status"] != "asked"), None)

        return self.persist(settled, f"{question!r} is answered")

    def closed(self, operation: str) -> dict[str, Any]:
        """Wait for the end."""

        def ended() -> dict[str, Any] | None:
            shown = self.desk.operation(operation)
            return shown if shown["stage"] == "closed" else None

        return self.persist(ended, "the operation is closed")


@pytest.fixture(params=RUNS.values(), ids=list(RUNS))
def mortals(
    request: pytest.FixtureRequest,
    make_host: Callable[..., Any],
    tmp_path: Path,
    desk_at: Any,
    listener: Any,
) -> Mortals:
    stores, share = request.param
    share = share or third_of_the_day()
    print(f"dies after the effects of share {share}")  # noqa: T201 - a failure shows it
    settings = (
        {}
        if stores == "embedded"
        else {
            "COUNTERSIGN_STORAGE": request.getfixturevalue("azurite"),
            "COUNTERSIGN_STORAGE_PREFIX": f"t{uuid.uuid4().hex[:12]}",
        }
    )
    host = make_host(
        app=APP,
        COUNTERSIGN_NOTIFY=listener.url,
        CRASH_PLACES=str(tmp_path / "places"),
        CRASH_DIARY=str(tmp_path / "diary"),
        CRASH_SHARE=share,
        **settings,
    )
    return Mortals(desk_at(host.start()), reports_in(host.data, settings))


def third_of_the_day() -> str:
    """The share for today (UTC), or the one that was asked for."""
    today = datetime.now(timezone.utc).timetuple().tm_yday
    return f"{int(os.environ.get('CRASH_THIRD', today)) % 3}/3"


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


@pytest.mark.timeout(1_200)
def test_no_death_loses_doubles_or_repays_anything(
    mortals: Mortals, listener: Any, tmp_path: Path
) -> None:
    operation = mortals.ask("Durable timers")
    mortals.told(operation, "opened:1")
    asked = mortals.decide(operation, 1, "revise", comment="Make it shorter.")
    mortals.told(operation, "opened:2")
    approved = mortals.decide(operation, 2, "approve")
    assert mortals.closed(operation)["state"] == "published"
    mortals.told(operation, "outcome")
    # The last places to die at are those after the end can be seen from outside.
    history = mortals.persist(lambda: mortals.desk.history(operation), "its history can be read")

    places = (tmp_path / "places").read_text("utf-8").splitlines()
    assert mortals.deaths >= len(places) - 1 > 20
    assert len(places) == len(set(places))
    assert_recorded_once(history, [asked, approved])
    assert_published_once(mortals, operation)
    assert_told_once(history, listener.subjects)
    assert_paid_once((tmp_path / "diary").read_text("utf-8").splitlines())


@pytest.mark.timeout(1_200)
def test_no_death_costs_a_question_its_answer_or_has_it_paid_for_twice(
    make_host: Callable[..., Any], desk_at: Any, tmp_path: Path
) -> None:
    host = make_host(
        app=APP,
        CRASH_PLACES=str(tmp_path / "places"),
        CRASH_DIARY=str(tmp_path / "diary"),
        CRASH_SHARE="0/1",
        CRASH_ONLY="ask_question dafx-FactChecker settle_question",
    )
    mortals = Mortals(desk_at(host.start()), reports_in(host.data, {}))
    operation = mortals.ask("Durable timers")
    mortals.version(operation, 1)
    assert mortals.answered(operation, "What does a durable timer outlive?")["status"] == "answered"
    mortals.decide(operation, 1, "approve")
    assert mortals.closed(operation)["state"] == "published"

    history = mortals.persist(lambda: mortals.desk.history(operation), "its history can be read")
    types = [event["type"] for event in history]
    assert [types.count(each) for each in ("QuestionAsked", "QuestionAnswered")] == [1, 1]
    assert "QuestionFailed" not in types
    places = (tmp_path / "places").read_text("utf-8").splitlines()
    assert mortals.deaths >= len(places) - 1 > 10
    assert any("append QuestionAnswered" in each for each in places)
    diary = (tmp_path / "diary").read_text("utf-8").splitlines()
    assert "stored dafx-FactChecker" in diary
    assert_paid_once(diary)


def assert_recorded_once(history: list[dict[str, Any]], receipts: list[dict[str, Any]]) -> None:
    types = [event["type"] for event in history]
    assert {name: types.count(name) for name in ONCE} == dict.fromkeys(ONCE, 1)
    assert types.count("ProposalOpened") == 2
    recorded = [event for event in history if event["type"] == "DecisionRecorded"]
    assert [each["sequence"] for each in recorded] == [each["sequence"] for each in receipts]


def assert_published_once(mortals: Mortals, operation: str) -> None:
    path = f"operations/{operation}/proposals/2"
    shown = mortals.persist(
        lambda: mortals.host.call("GET", path, mortals.desk.reviewer).json(), "it can be read"
    )
    assert mortals.reports() == {f"{operation}.md": shown["content"]["text"].encode()}


def assert_told_once(history: list[dict[str, Any]], subjects: list[str]) -> None:
    def told(event_type: str) -> list[str]:
        return [each["data"]["notice"] for each in history if each["type"] == event_type]

    assert sorted(told("NoticeClaimed")) == ["opened:1", "opened:2", "outcome"]
    assert sorted(told("NoticeSent") + told("NoticeInDoubt")) == sorted(told("NoticeClaimed"))
    assert len(set(subjects)) == len(subjects)
    assert len(subjects) >= len(told("NoticeSent"))


def assert_paid_once(diary: list[str]) -> None:
    stored: set[str] = set()
    for line in diary:
        what, _, step = line.partition(" ")
        assert not (what == "called" and step in stored), f"{step} was paid for again"
        if what == "stored":
            stored.add(step)
    assert len(stored) >= 5
