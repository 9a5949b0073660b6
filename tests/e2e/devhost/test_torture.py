"""Hundreds of instances of all kinds, and a host that is killed again and again."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from contextlib import closing
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .conftest import RunningHost

API = "/durabletask"
ROUNDS = 5
# In every round so many of each are started.
CHAINS, WAITERS, RACERS, SLEEPERS, TALLIES, GENERATIONS, NESTED, DOOMED = 40, 30, 10, 10, 8, 4, 4, 4
COUNTERS = 3
PER_TALLY = 8


def start(host: RunningHost, name: str, id: str, given: Any) -> None:
    text = json.dumps(json.dumps(given))
    answer = host.http.post(f"{API}/orchestrators/{name}/{id}", content=text)
    assert answer.status_code == 202, answer.text


def ring(host: RunningHost, name: str, number: int) -> None:
    path = f"{API}/instances/{name}-{number}/raiseEvent/go"
    answer = host.http.post(path, json=number)
    assert answer.status_code == 202, answer.text


def start_round(host: RunningHost, current: int) -> None:
    kinds: list[tuple[str, int, Any]] = [
        ("listener", WAITERS, None),
        ("race", RACERS, 3_600_000),
        ("long_wait", SLEEPERS, 400),
        ("generations", GENERATIONS, 2),
        ("nested", NESTED, None),
        ("tally", TALLIES, None),
        ("chain", CHAINS, None),
    ]
    for name, count, given in kinds:
        for number in range(current * count, (current + 1) * count):
            usual = f"counter-{number % COUNTERS}" if name == "tally" else number
            start(host, name, f"{name}-{number}", usual if given is None else given)
    for number in range(current * DOOMED, (current + 1) * DOOMED):
        start(host, "race", f"doomed-{number}", 3_600_000)
        terminated = host.http.post(f"{API}/instances/doomed-{number}/terminate?reason=enough")
        assert terminated.status_code == 202


def ring_round(host: RunningHost, current: int) -> None:
    for name, count in (("listener", WAITERS), ("race", RACERS)):
        for number in range(current * count, (current + 1) * count):
            ring(host, name, number)


def statuses(host: RunningHost) -> Counter[str]:
    listed = host.http.get(f"{API}/instances?top=5000&showInput=false").json()
    return Counter(one["runtimeStatus"] for one in listed if one["name"][0] != "@")


def outputs(host: RunningHost, name: str) -> dict[int, Any]:
    listed = host.http.get(f"{API}/instances?top=5000&instanceIdPrefix={name}-").json()
    return {int(one["instanceId"].rpartition("-")[2]): one["output"] for one in listed}


def test_nothing_is_lost_or_left_behind_whenever_the_host_is_killed(own_host: RunningHost) -> None:
    host = own_host
    for current in range(ROUNDS):
        start_round(host, current)
        if current:
            ring_round(host, current - 1)
        # Chains, tallies and what was rung are on their way.
        host.kill()
        host.start()
    ring_round(host, ROUNDS - 1)
    # An event that comes before the last generation is lost: that is how Azure has it.
    host.until(lambda: all(one["customStatus"] == "0 left" for one in generations(host)), 100)
    for number in range(ROUNDS * GENERATIONS):
        ring(host, "generations", number)
    # A nested one has two children.
    each = CHAINS + WAITERS + RACERS + SLEEPERS + TALLIES + GENERATIONS + 3 * NESTED
    ends = {"Completed": ROUNDS * each, "Terminated": ROUNDS * DOOMED}
    host.until(lambda: statuses(host) == ends, 100)
    check_outputs(host)
    host.stop()
    check_database(host, sum(ends.values()))


def generations(host: RunningHost) -> list[dict[str, Any]]:
    return host.http.get(f"{API}/instances?top=500&instanceIdPrefix=generations-").json()


def check_outputs(host: RunningHost) -> None:
    chains = outputs(host, "chain")
    assert chains == {number: {"was": [number]} for number in range(ROUNDS * CHAINS)}
    for name, count in (("listener", WAITERS), ("race", RACERS), ("generations", GENERATIONS)):
        assert outputs(host, name) == {number: number for number in range(ROUNDS * count)}
    pairs = [[{"was": [[number, n]]} for n in range(2)] for number in range(ROUNDS * NESTED)]
    assert outputs(host, "nested") == dict(enumerate(pairs))
    assert set(outputs(host, "doomed").values()) == {"enough"}
    assert set(outputs(host, "long_wait").values()) == {"woken"}
    sums = [host.http.get(f"{API}/entities/counter/counter-{n}").json() for n in range(COUNTERS)]
    assert sum(sums) == ROUNDS * TALLIES * PER_TALLY


def check_database(host: RunningHost, total: int) -> None:
    with closing(sqlite3.connect(host.folder / "devhost" / "state.db")) as db:

        def count(table: str) -> int:
            return db.execute(f"SELECT count(*) FROM {table}").fetchone()[0]  # noqa: S608 - ours

        tables = ("inbox", "activities", "timers", "entities", "instances")
        assert [count(table) for table in tables] == [0, 0, 0, COUNTERS, total]
        strays = "SELECT count(*) FROM history WHERE instance NOT IN (SELECT id FROM instances)"
        assert db.execute(strays).fetchone() == (0,)
        wrong = """SELECT count(*) FROM instances WHERE episodes !=
            (SELECT count(*) FROM history WHERE instance = id)"""
        assert db.execute(wrong).fetchone() == (0,)
