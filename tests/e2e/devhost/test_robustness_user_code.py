"""Whatever user code does: the host answers, the culprit fails with a reason, the rest goes on."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from .conftest import OVER, RunningHost

HOSTILE = Path(__file__).parent / "hostile"
MEMORY = ("--worker-memory", "400")

no_limit = pytest.mark.skipif(
    sys.platform != "linux", reason="memory is limited where /proc tells of it"
)


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningHost]:
    folder = tmp_path_factory.mktemp("hostile")
    host = RunningHost(folder, "--episode-seconds", "2", *MEMORY, app=HOSTILE)
    host.start()
    yield host
    host.stop()


@pytest.fixture(scope="module")
def patient_host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningHost]:
    """A host that stops nothing for its time: a busy machine needs some to give 400 MB out."""
    folder = tmp_path_factory.mktemp("patient")
    host = RunningHost(folder, "--episode-seconds", "100", *MEMORY, app=HOSTILE)
    host.start()
    yield host
    host.stop()


def start(host: RunningHost, name: str, given: Any = None) -> str:
    # The SDK's client, too, sends a text that holds JSON.
    answer = host.http.post(f"/durabletask/orchestrators/{name}", json=json.dumps(given))
    assert answer.status_code == 202, answer.text
    return answer.json()["id"]


def outcome_while_watched(host: RunningHost, instance: str) -> tuple[dict[str, Any], int]:
    """Return how an instance ends, and how often the API told of it until then."""
    looks = 0

    def look() -> dict[str, Any] | None:
        nonlocal looks
        status, looks = host.status(instance), looks + 1
        return status if status["runtimeStatus"] in OVER else None

    return host.until(look, 120), looks


@pytest.mark.parametrize(
    ("name", "given", "reason"),
    [
        ("spinner", None, "did not finish within 2 s and was given up"),
        ("deserter", None, "the worker process died during the call"),
        ("activity", "blocks", "did not finish within 6 s and was given up"),
        ("activity", "spins", "did not finish within 6 s and was given up"),
        ("activity", "exits", "the worker process died during the call"),
    ],
)
def test_the_culprit_fails_with_a_reason_and_its_neighbour_completes(
    host: RunningHost, name: str, given: str | None, reason: str
) -> None:
    only_the_culprit_fails(host, name, given, reason)


@no_limit
@pytest.mark.parametrize(("name", "given"), [("hoarder", None), ("activity", "hoards")])
def test_who_takes_too_much_memory_fails_and_its_neighbour_completes(
    patient_host: RunningHost, name: str, given: str | None
) -> None:
    only_the_culprit_fails(patient_host, name, given, "used more than 400 MB of memory")


def only_the_culprit_fails(host: RunningHost, name: str, given: str | None, reason: str) -> None:
    beside = f"beside-{name}-{given}"
    neighbour = start(host, "activity", ["neighbour", beside])
    host.until(lambda: host.marked(beside))
    culprit = start(host, name, [given, f"by-{given}"] if given else None)
    # The neighbour is no less bound to the limit of six seconds, so it may not wait to the end.
    host.until(lambda: name != "activity" or host.marked(f"by-{given}"))
    host.release(beside)
    ended, looks = outcome_while_watched(host, culprit)
    assert ended["runtimeStatus"] == "Failed"
    assert reason in ended["output"]
    assert host.ended(neighbour)["runtimeStatus"] == "Completed"
    # Had the API stood still meanwhile, it would have told of the end at once.
    assert looks > 1
    assert host.http.get("/hello").text == "hello"


def test_a_request_that_takes_too_long_is_given_up_and_no_other(host: RunningHost) -> None:
    began = time.monotonic()
    answer = host.http.get("/stuck", timeout=60)
    assert answer.status_code == 500
    assert answer.text == ""
    assert "did not finish within 6 s" in host.output
    assert time.monotonic() - began > 5.9
    assert host.http.get("/hello").text == "hello"


def test_what_spins_can_be_terminated(host: RunningHost) -> None:
    before = host.marked("spinning")
    spinner = start(host, "spinner")
    host.until(lambda: host.marked("spinning") > before)
    host.http.post(f"/durabletask/instances/{spinner}/terminate", params={"reason": "enough"})
    assert host.ended(spinner)["runtimeStatus"] == "Terminated"


def test_the_reasons_are_on_the_console(host: RunningHost) -> None:
    start(host, "activity", ["exits", "told"])
    host.until(lambda: "the worker process ended (3); starting another" in host.output)
