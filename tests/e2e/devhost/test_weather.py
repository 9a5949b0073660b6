"""A host as unkind as the Azure Storage engine: nothing is lost, whatever comes twice or late."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from .conftest import RunningHost

API = "/durabletask"
HIDDEN = "AzureFunctionsJobHost__extensions__durableTask__storageProvider__{}QueueVisibilityTimeout"
STARTED = {"chain": 30, "nested": 10, "listener": 20, "long_wait": 10, "retried": 10, "tally": 3}


@pytest.fixture
def stormy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[RunningHost]:
    """A host in bad weather that keeps what it had in hand hidden for a second."""
    for queue in ("control", "workItem"):
        monkeypatch.setenv(HIDDEN.format(queue), "00:00:01")
    host = RunningHost(tmp_path, "--weather", "azure-storage", "--weather-seed", "3")
    host.start()
    yield host
    host.stop()


def start(host: RunningHost, name: str, number: int) -> None:
    given = {"long_wait": 400, "retried": f"retry-{number}", "tally": f"counter-{number}"}
    text = json.dumps(json.dumps(given.get(name, number)))
    answer = host.http.post(f"{API}/orchestrators/{name}/{name}-{number}", content=text)
    assert answer.status_code == 202, answer.text


def ring(host: RunningHost) -> None:
    for number in range(STARTED["listener"]):
        path = f"{API}/instances/listener-{number}/raiseEvent/go"
        assert host.http.post(path, json=number).status_code in {202, 410}


def outputs(host: RunningHost, name: str) -> dict[int, Any]:
    """What came of all instances of that name, once they have ended."""

    def ended() -> list[dict[str, Any]] | None:
        listed = host.http.get(f"{API}/instances?top=500&instanceIdPrefix={name}-").json()
        over = all(one["runtimeStatus"] == "Completed" for one in listed)
        return listed if over and len(listed) == STARTED[name] else None

    return {int(one["instanceId"].rpartition("-")[2]): one["output"] for one in host.until(ended)}


def test_everything_comes_to_its_end_though_the_host_is_killed(stormy: RunningHost) -> None:
    for name, count in STARTED.items():
        for number in range(count):
            start(stormy, name, number)
    for _ in range(2):
        ring(stormy)
        stormy.kill()
        stormy.start()
    # What was rung before the start of its instance had come may be lost, as it is on Azure.
    ring(stormy)
    assert outputs(stormy, "chain") == {n: {"was": [n]} for n in range(STARTED["chain"])}
    pairs = [[{"was": [[n, k]]} for k in range(2)] for n in range(STARTED["nested"])]
    assert outputs(stormy, "nested") == dict(enumerate(pairs))
    assert outputs(stormy, "listener") == {n: n for n in range(STARTED["listener"])}
    assert {*outputs(stormy, "long_wait").values()} == {"woken"}
    assert all(after == "after" for _, after in outputs(stormy, "retried").values())
    assert len(outputs(stormy, "tally")) == STARTED["tally"]
    # Ten activities were asked for, and each is tried again when it fails at first.
    runs = [stormy.marked(f"retry-{number}") for number in range(STARTED["retried"])]
    assert sum(runs) > 2 * STARTED["retried"]


def test_histories_show_what_came_twice(stormy: RunningHost) -> None:
    for number in range(STARTED["chain"]):
        start(stormy, "chain", number)
    outputs(stormy, "chain")
    with closing(sqlite3.connect(stormy.folder / "devhost" / "state.db")) as db:
        texts = db.execute("SELECT instance, events FROM history").fetchall()
    results = Counter(
        (instance, event["TaskScheduledId"])
        for instance, text in texts
        for event in json.loads(f"[{text}]")
        if event["EventType"] == 5
    )
    assert max(results.values()) > 1


def test_what_a_killed_host_had_in_hand_is_hidden_for_the_set_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(HIDDEN.format("workItem"), "00:10:00")
    host = RunningHost(tmp_path, "--weather", "azure-storage")
    host.start()
    try:
        instance = host.begin("one_activity", ["block", "held"])
        host.until(lambda: host.marked("held"))
        host.kill()
        host.start()
        host.release("held")
        assert host.output_of("chain", 1) == {"was": [1]}
        # The activity may have begun before the turn that asked for it was kept.
        assert host.status(instance)["runtimeStatus"] in {"Pending", "Running"}
    finally:
        host.stop()
