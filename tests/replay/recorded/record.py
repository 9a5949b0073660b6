"""Record how instances of the app's present version wait.

Run it when `defaultVersion` in host.json was raised, or when there is something new to wait for:

    python3 dev.py test tests/replay/recorded/record.py

It drives the real app on the local host through every wait that there is, and keeps the histories
as the host has them. One that is there already stays as it is, for it shows what may be waiting
somewhere. Being no `test_*.py`, it runs only when it is named.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from devhost.durable.history import parse
from testbed.buyers import Buyers
from testbed.purchasing import PurchasingService

ROOT = Path(__file__).parent.parent.parent.parent
HOUR, DAY = 3_600.0, 86_400.0
POISON = {"__class__": "Popen", "__module__": "subprocess", "__data__": "-"}
NOBODY = "127.0.0.1:9"
TOLD = {"COUNTERSIGN_NOTIFY": f"json://{NOBODY}"}
MODEL_AWAY = {
    "COUNTERSIGN_MODEL_PROVIDER": "compatible",
    "COUNTERSIGN_MODEL": "away",
    "COUNTERSIGN_MODEL_URL": f"http://{NOBODY}/v1",
}


class Recorder:
    """Takes histories out of a host's state and writes them to files, a line for each event.

    Args:
        desk: the people at the host.
        folder: where the files go.
    """

    def __init__(self, desk: Any, folder: Path) -> None:
        self._host, self._folder = desk.host, folder

    def take(self, instance_id: str, name: str) -> None:
        """Keep the history of an instance as it is once nothing goes on any more.

        If there is one of that name, it is the one that is kept.
        """
        file = self._folder / f"{name}.jsonl"
        if file.exists():
            return
        self._host.advance(0)
        with closing(sqlite3.connect(self._host.data / "devhost" / "state.db")) as state:
            turns = state.execute(
                "SELECT events FROM history WHERE instance = ? ORDER BY episode", (instance_id,)
            ).fetchall()
        lines = map(json.dumps, parse(turn for (turn,) in turns))
        # Where it was recorded is nobody's business.
        text = "\n".join([*lines, ""]).replace(str(ROOT), "/app")
        file.write_text(text, "utf-8")


@pytest.fixture
def folder() -> Path:
    settings = json.loads((ROOT / "host.json").read_text("utf-8"))
    version = settings["extensions"]["durableTask"].get("defaultVersion", "unversioned")
    folder = Path(__file__).parent / version
    folder.mkdir(exist_ok=True)
    return folder


@pytest.fixture
def new_desk(make_host: Callable[..., Any], desk_at: Callable[..., Any]) -> Callable[..., Any]:
    return lambda **settings: desk_at(
        make_host(clock="virtual", **settings).start(), lifetime=60 * DAY
    )


def test_what_waits_after_news_is_recorded(new_desk: Callable[..., Any], folder: Path) -> None:
    desk = new_desk(**TOLD)
    told(desk, Recorder(desk, folder))


def test_every_wait_is_recorded(new_desk: Callable[..., Any], folder: Path) -> None:
    desk = new_desk()
    recorder = Recorder(desk, folder)
    for story in (
        approved,
        revised,
        expired,
        half_reached,
        rejected,
        withdrawn,
        unsupported,
        published_later,
        poisoned,
        waiting_for_days,
        asked,
        asked_while_the_model_is_away,
    ):
        story(desk, recorder)


@pytest.fixture
def service(tmp_path: Path) -> Iterator[PurchasingService]:
    with PurchasingService(tmp_path / "purchasing") as service:
        yield service


def test_every_wait_of_a_purchase_is_recorded(
    make_host: Callable[..., Any], service: PurchasingService, folder: Path
) -> None:
    host = make_host(clock="virtual", COUNTERSIGN_PURCHASING_URL=service.url).start()
    buyers = Buyers(host, lifetime=60 * DAY)
    recorder = Recorder(buyers, folder)
    for story in (ordered, corrected, escalated, taken_back):
        story(buyers, recorder)
    ordered_later(buyers, recorder, service)


def approved(desk: Any, recorder: Recorder) -> None:
    operation = desk.ask(subtopics=["Replay", "Durable timers"])
    first = desk.until_version(operation)
    recorder.take(f"{operation}-v1", "gate-waiting")
    desk.host.advance(13 * HOUR)
    recorder.take(f"{operation}-v1", "gate-reminded")
    assert desk.decide(operation, first).status_code == 200
    recorder.take(f"{operation}-v1", "gate-approved")
    recorder.take(operation, "research-approved")


def revised(desk: Any, recorder: Recorder) -> None:
    operation = desk.ask()
    first = desk.until_version(operation)
    assert desk.decide(operation, first, "revise", comment="Shorter.").status_code == 200
    second = desk.until_version(operation, 2)
    recorder.take(f"{operation}-v1", "gate-revised")
    recorder.take(f"{operation}-v2", "gate-waiting-revised")
    assert desk.decide(operation, second).status_code == 200
    recorder.take(operation, "research-revised")


def expired(desk: Any, recorder: Recorder) -> None:
    operation = desk.ask()
    desk.until_version(operation)
    desk.host.advance(DAY)
    recorder.take(f"{operation}-v1", "gate-escalated")
    recorder.take(f"{operation}-v2", "gate-waiting-escalated")
    desk.host.advance(DAY)
    recorder.take(f"{operation}-v2", "gate-expired")
    recorder.take(operation, "research-expired")


def half_reached(desk: Any, recorder: Recorder) -> None:
    operation = desk.ask(approval={"quorum": 2})
    first = desk.until_version(operation)
    assert desk.decide(operation, first).json()["status"] == "pending"
    recorder.take(f"{operation}-v1", "gate-waiting-half-reached")


def rejected(desk: Any, recorder: Recorder) -> None:
    operation = desk.ask()
    assert desk.decide(operation, desk.until_version(operation), "reject").status_code == 200
    recorder.take(f"{operation}-v1", "gate-rejected")
    recorder.take(operation, "research-rejected")


def withdrawn(desk: Any, recorder: Recorder) -> None:
    operation = desk.ask()
    desk.until_version(operation)
    path = f"operations/{operation}/withdraw"
    assert desk.host.call("POST", path, desk.requester, json={}).status_code == 200
    recorder.take(operation, "research-withdrawn")


def unsupported(desk: Any, recorder: Recorder) -> None:
    operation = desk.ask("Zebra crossings", subtopics=["Zebra stripes", "Durable timers"])
    desk.until_state(operation, "needs_revision")
    recorder.take(operation, "research-unsupported")


def published_later(desk: Any, recorder: Recorder) -> None:
    operation = desk.ask()
    first = desk.until_version(operation)
    reports = desk.host.data / "reports"
    reports.rename(aside := desk.host.data / "aside")
    reports.write_text("no folder")
    assert desk.decide(operation, first).status_code == 200
    desk.host.advance(0)
    reports.unlink()
    aside.rename(reports)
    desk.host.advance(10)
    desk.until_state(operation, "published")
    recorder.take(operation, "research-published-later")


def poisoned(desk: Any, recorder: Recorder) -> None:
    operation = desk.ask()
    first = desk.until_version(operation)
    instances = f"{desk.host.url}/runtime/webhooks/durabletask/instances"
    ring = f"{instances}/{operation}-v1/raiseEvent/ApprovalDecision"
    assert desk.host.http.post(ring, json=POISON).status_code == 202
    desk.host.advance(1)
    assert desk.decide(operation, first).status_code == 200
    recorder.take(operation, "research-poisoned")


def waiting_for_days(desk: Any, recorder: Recorder) -> None:
    operation = desk.ask(approval={"window_seconds": 14 * DAY})
    desk.until_version(operation)
    desk.host.advance(6 * DAY)
    recorder.take(f"{operation}-v1", "gate-waiting-for-days")


def told(desk: Any, recorder: Recorder) -> None:
    operation = desk.ask()
    first = desk.until_version(operation)
    recorder.take(f"{operation}-v1", "gate-waiting-told")
    desk.host.advance(13 * HOUR)
    recorder.take(f"{operation}-v1", "gate-reminded-told")
    assert desk.decide(operation, first).status_code == 200
    recorder.take(f"{operation}-v1", "gate-approved-told")
    recorder.take(operation, "research-told")


def asked(desk: Any, recorder: Recorder) -> None:
    operation = desk.ask()
    desk.until_version(operation)
    question = ask(desk.host, desk.reviewer, operation)
    recorder.take(f"{operation}-{question}", "question-answered")


def asked_while_the_model_is_away(desk: Any, recorder: Recorder) -> None:
    operation = desk.ask()
    desk.until_version(operation)
    host = desk.host
    host.process.kill()
    alone = type(host)(host.data, clock="virtual", **MODEL_AWAY).start()
    question = ask(alone, desk.reviewer, operation)
    alone.advance(0)
    alone.close()
    host.start().advance(20)
    recorder.take(f"{operation}-{question}", "question-tried-again")


def ask(host: Any, token: str, operation: str) -> str:
    path = f"operations/{operation}/proposals/1/questions"
    answer = host.call("POST", path, token, json={"question": "What does replay rebuild?"})
    assert answer.status_code == 202, answer.text
    return answer.json()["question_id"]


def ordered(buyers: Buyers, recorder: Recorder) -> None:
    operation, first = buyers.waiting("100.00")
    assert buyers.decide(operation, first).status_code == 200
    buyers.host.advance(0)
    buyers.until_state(operation, "ordered")
    recorder.take(operation, "purchase-approved")


def corrected(buyers: Buyers, recorder: Recorder) -> None:
    operation, first = buyers.waiting("100.00")
    more = {"lines": [{"sku": "S-1", "quantity": 20}]}
    assert buyers.decide(operation, first, "revise", correction=more).status_code == 200
    second = buyers.until_version(operation, 2)
    assert buyers.decide(operation, second).json()["status"] == "pending"
    buyers.host.advance(0)
    assert buyers.decide(operation, second, token=buyers.second).status_code == 200
    buyers.host.advance(0)
    buyers.until_state(operation, "ordered")
    recorder.take(operation, "purchase-corrected")


def escalated(buyers: Buyers, recorder: Recorder) -> None:
    operation, _ = buyers.waiting("100.00")
    buyers.host.advance(DAY)
    second = buyers.until_version(operation, 2)
    assert buyers.decide(operation, second, token=buyers.escalation).status_code == 200
    buyers.host.advance(0)
    buyers.until_state(operation, "ordered")
    recorder.take(operation, "purchase-escalated")


def taken_back(buyers: Buyers, recorder: Recorder) -> None:
    operation, _ = buyers.waiting("100.00")
    path = f"operations/{operation}/withdraw"
    assert buyers.host.call("POST", path, buyers.requester, json={}).status_code == 200
    buyers.host.advance(0)
    recorder.take(operation, "purchase-withdrawn")


def ordered_later(buyers: Buyers, recorder: Recorder, service: PurchasingService) -> None:
    operation, first = buyers.waiting("100.00")
    service.kill()
    assert buyers.decide(operation, first).status_code == 200
    buyers.host.advance(0)
    service.start()
    buyers.host.advance(10)
    buyers.until_state(operation, "ordered")
    recorder.take(operation, "purchase-ordered-later")
