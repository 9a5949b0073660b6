"""A host whose time only moves when told."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime
from typing import Any

import pytest

from .conftest import RunningHost

DAY = 86400.0
SPRING = "2026-03-01T12:00:00+00:00"


@pytest.fixture(scope="module")
def still(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningHost]:
    host = RunningHost(tmp_path_factory.mktemp("still"), "--clock", "virtual")
    # From New Year's Eve on a year and a day holds two New Years.
    (host.folder / "devhost").mkdir()
    (host.folder / "devhost" / "clock.txt").write_text(SPRING)
    host.start()
    yield host
    host.stop()


def now(host: RunningHost) -> datetime:
    return datetime.fromisoformat(host.http.get("/devhost/clock").json()["now"][:26])


def advance(host: RunningHost, seconds: float, **more: float) -> dict[str, Any]:
    wish = {"seconds": seconds, **more}
    answer = host.http.post("/devhost/clock/advance", json=wish, timeout=60)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_without_the_flag_there_are_no_such_routes(host: RunningHost) -> None:
    assert host.http.get("/devhost/clock").status_code == 404
    assert host.http.post("/devhost/clock/advance", json={"seconds": 1}).status_code == 404


def test_the_time_moves_by_what_is_asked_for_and_not_by_itself(still: RunningHost) -> None:
    before = now(still)
    answer = advance(still, 90.5)
    assert (now(still) - before).total_seconds() == 90.5
    assert answer["settled"] is True
    assert answer["now"] == still.http.get("/devhost/clock").json()["now"]


def test_a_durable_timer_fires_once_its_time_has_come(still: RunningHost) -> None:
    instance = still.begin("long_wait", 1000 * DAY)
    advance(still, 0)
    assert still.status(instance)["runtimeStatus"] == "Running"
    advance(still, DAY - 1)
    assert still.status(instance)["runtimeStatus"] == "Running"
    advance(still, 1)
    assert still.status(instance)["output"] == "woken"


def test_all_that_follows_has_happened_when_the_answer_comes(still: RunningHost) -> None:
    instances = [still.begin("race", 1000 * 60 * minutes) for minutes in range(1, 21)]
    advance(still, 1200)
    assert {still.status(one)["output"] for one in instances} == {"late"}


def test_a_retry_waits_by_this_clock(still: RunningHost) -> None:
    instance = still.begin("exhausted")
    advance(still, 1)
    assert still.status(instance)["runtimeStatus"] == "Completed"


def test_a_timer_function_runs_when_its_time_comes(still: RunningHost) -> None:
    before = still.marked("yearly")
    advance(still, 366 * DAY)
    assert still.marked("yearly") == before + 1


def test_what_runs_too_long_holds_the_time_up_only_for_a_while(still: RunningHost) -> None:
    instance = still.begin("one_activity", ["block", "held"])
    still.until(lambda: still.marked("held"))
    before = now(still)
    assert advance(still, 60, patience=0.2)["settled"] is False
    assert (now(still) - before).total_seconds() == 60
    still.release("held")
    assert still.ended(instance)["output"] == 1


@pytest.mark.parametrize(
    "body",
    [
        # Not even JSON
        "",
        "1",
        "{}",
        '{"seconds": "60"}',
        '{"seconds": true}',
        '{"seconds": -1}',
        '{"seconds": NaN}',
        '{"seconds": 1e12}',
        '{"seconds": 1, "patience": -1}',
    ],
)
def test_what_is_no_number_of_seconds_is_refused(still: RunningHost, body: str) -> None:
    before = now(still)
    answer = still.http.post("/devhost/clock/advance", content=body)
    assert answer.status_code == 400
    assert "seconds" in answer.json()["error"]
    assert now(still) == before


def test_the_time_survives_a_kill(still: RunningHost) -> None:
    instance = still.begin("long_wait", 1000 * DAY)
    advance(still, DAY / 2)
    before = now(still)
    still.kill()
    still.start()
    assert now(still) == before
    advance(still, DAY / 2)
    assert still.status(instance)["output"] == "woken"


def test_a_page_of_another_site_cannot_move_it(still: RunningHost) -> None:
    headers = {"Origin": "https://example.org", "Content-Type": "text/plain"}
    body = json.dumps({"seconds": 1})
    answer = still.http.post("/devhost/clock/advance", content=body, headers=headers)
    assert answer.status_code == 403
