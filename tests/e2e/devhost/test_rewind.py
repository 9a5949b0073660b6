from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .conftest import RunningHost

API = "/durabletask/instances"


def failed(host: RunningHost, name: str, given: str) -> str:
    (host.marks / f"{given}-before").write_text("x")
    instance = host.begin(name, given, id=given)
    assert host.ended(instance)["runtimeStatus"] == "Failed"
    return instance


def rewind(host: RunningHost, instance: str) -> int:
    return host.http.post(f"{API}/{instance}/rewind?reason=mended").status_code


def test_a_rewound_instance_repeats_only_what_failed_last(host: RunningHost) -> None:
    instance = failed(host, "mendable", "mended")
    host.release("mended")
    assert host.http.post(f"/api/client/{instance}/rewind").status_code == 200
    host.until(lambda: host.marked("mended") == 3)
    host.ring(instance, "rung")
    handled = "Activity function 'fail' failed:  KeyError: 'k'"
    assert host.ended(instance)["output"] == [handled, 2, 3, '"rung"']
    assert host.marked("mended-before") == 2
    assert "ExecutionRewound" in host.history(instance)


def test_what_fails_again_can_be_rewound_again(host: RunningHost) -> None:
    instance = failed(host, "mendable", "twice")
    for runs in (3, 4):
        assert rewind(host, instance) == 202
        host.until(lambda runs=runs: host.marked("twice") == runs)
        assert host.ended(instance)["runtimeStatus"] == "Failed"


def test_a_failed_child_is_rewound_with_its_parent(host: RunningHost) -> None:
    instance = failed(host, "family", "kin")
    host.release("kin")
    assert rewind(host, instance) == 202
    host.ring("kin-child", "rung")
    beside, child = host.ended(instance)["output"]
    assert (beside, child[1:]) == ("beside", [2, 3, '"rung"'])
    assert host.marked("kin-before") == 2


def test_a_child_that_is_gone_is_started_again(host: RunningHost) -> None:
    instance = failed(host, "family", "lost")
    assert host.http.delete(f"{API}/lost-child").status_code == 200
    host.release("lost")
    assert rewind(host, instance) == 202
    host.ring("lost-child", "rung")
    assert host.ended(instance)["output"][1][1:] == [3, 3, '"rung"']


def test_an_orchestrator_that_failed_by_itself_repeats_its_last_episode(
    host: RunningHost,
) -> None:
    instance = failed(host, "stubborn", "stub")
    host.release("stub")
    assert rewind(host, instance) == 202
    assert host.ended(instance)["output"] == "at last"


def test_a_rewinding_survives_a_kill(own_host: RunningHost) -> None:
    instance = failed(own_host, "family", "dead")
    own_host.release("dead")
    assert rewind(own_host, instance) == 202
    own_host.kill()
    own_host.start()
    own_host.ring("dead-child", "rung")
    assert own_host.ended(instance)["output"][1][1:] == [2, own_host.marked("dead"), '"rung"']


def test_only_what_has_failed_can_be_rewound(host: RunningHost) -> None:
    assert rewind(host, "unknown") == 404
    done = host.begin("chain")
    host.ended(done)
    assert rewind(host, done) == 410
    waiting = host.begin("listener")
    host.reached(waiting, "Running")
    assert rewind(host, waiting) == 500
