from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from .conftest import RunningHost

Start = Callable[..., RunningHost]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Starts a host whose host.json says more about durable functions."""
    host = RunningHost(tmp_path)

    def with_settings(**more: Any) -> RunningHost:
        path = host.app / "host.json"
        content = json.loads(path.read_text())
        content["extensions"]["durableTask"] |= more
        path.write_text(json.dumps(content))
        host.start()
        return host

    yield with_settings
    host.stop()


def test_a_start_may_take_the_place_of_what_runs(start: Start) -> None:
    host = start(overridableExistingInstanceStates="AnyState")
    host.reached(host.begin("listener", id="again"), "Running")
    assert host.http.post("/durabletask/orchestrators/chain/again", json="1").status_code == 202
    assert host.ended("again")["output"] == {"was": [1]}
    assert host.status("again")["name"] == "chain"


def test_the_last_start_in_the_place_of_another_counts(start: Start) -> None:
    host = start(overridableExistingInstanceStates="AnyState")
    host.reached(host.begin("listener", id="again"), "Running")
    for given in range(5):
        host.http.post("/durabletask/orchestrators/chain/again", json=str(given))
    host.until(lambda: host.ended("again")["output"] == {"was": [4]})


def test_a_start_in_the_place_of_another_survives_a_kill(start: Start) -> None:
    host = start(overridableExistingInstanceStates="AnyState")
    host.reached(host.begin("listener", id="again"), "Running")
    host.http.post("/durabletask/orchestrators/listener/again")
    host.kill()
    host.start()
    host.reached("again", "Running")
    host.ring("again", "heard")
    assert host.ended("again")["output"] == '"heard"'
    assert host.history("again").count("ExecutionStarted") == 1


def test_host_json_limits_the_activities_at_a_time(start: Start) -> None:
    host = start(maxConcurrentActivityFunctions=2)
    names = ["first", "second", "third"]
    working = [host.begin("one_activity", ["block", name]) for name in names]
    for instance in working:
        host.reached(instance, "Running")
    host.until(lambda: sum(map(host.marked, names)) == 2)
    # Others go on meanwhile, and no third activity does.
    host.reached(host.begin("listener", id="beside"), "Running")
    host.ring("beside")
    host.ended("beside")
    begun = [name for name in names if host.marked(name)]
    assert len(begun) == 2
    host.release(begun[0])
    host.until(lambda: sum(map(host.marked, names)) == 3)
    for name in names:
        host.release(name)
    assert [host.ended(one)["output"] for one in working] == [1, 1, 1]


def test_an_instance_has_no_version_unless_one_is_given(host: RunningHost) -> None:
    assert host.output_of("versioned", given=True) == [None, None, "", "2"]
    began = host.http.post("/durabletask/orchestrators/versioned?version=3")
    assert host.ended(began.json()["id"])["output"] == ["3"]


def test_host_json_gives_instances_their_version(start: Start) -> None:
    host = start(defaultVersion="1.0")
    assert host.output_of("versioned", given=True) == ["1.0", "1.0", "", "2"]
