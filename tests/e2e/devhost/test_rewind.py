from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

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


def test_a_rewound_instance_repeats_only_what_failed(host: RunningHost) -> None:
    instance = failed(host, "mendable", "mended")
    host.release("mended")
    assert host.http.post(f"/api/client/{instance}/rewind").status_code == 200
    assert host.ended(instance)["output"] == [2, 2]
    assert host.marked("mended-before") == 2
    assert "GenericEvent" in host.history(instance)


def test_what_failed_side_by_side_is_repeated_by_one_rewinding(host: RunningHost) -> None:
    instance = failed(host, "broken_twice", "both")
    for name in ("both-1", "both-2"):
        host.release(name)
    assert rewind(host, instance) == 202
    assert host.ended(instance)["output"] == [2, 2]


def test_what_fails_again_can_be_rewound_again(host: RunningHost) -> None:
    instance = failed(host, "mendable", "twice")
    for runs in (2, 3):
        assert rewind(host, instance) == 202
        host.until(lambda runs=runs: host.marked("twice") == runs)
        assert host.ended(instance)["runtimeStatus"] == "Failed"


def test_a_failed_child_is_rewound_with_its_parent(host: RunningHost) -> None:
    instance = failed(host, "family", "kin")
    host.release("kin")
    assert rewind(host, instance) == 202
    assert host.ended(instance)["output"] == ["beside", [2, 2]]
    assert host.marked("kin-before") == 2


@pytest.mark.parametrize("name", ["retrying", "handling"])
def test_one_that_handled_a_failure_does_not_find_its_way_again(
    host: RunningHost, name: str
) -> None:
    instance = failed(host, name, f"{name}-once")
    host.release(f"{name}-once")
    assert rewind(host, instance) == 202
    status = host.ended(instance)
    assert status["runtimeStatus"] == "Failed"
    assert status["output"].startswith("Non-Deterministic workflow detected: A previous execution")


def test_an_orchestrator_that_failed_by_itself_is_called_again(host: RunningHost) -> None:
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
    assert own_host.ended(instance)["output"] == ["beside", [2, own_host.marked("dead")]]


def test_only_what_has_failed_can_be_rewound(host: RunningHost) -> None:
    assert rewind(host, "unknown") == 404
    done = host.begin("chain")
    host.ended(done)
    assert rewind(host, done) == 412
    waiting = host.begin("listener")
    host.reached(waiting, "Running")
    refused = host.http.post(f"{API}/{waiting}/rewind?reason=mended")
    assert refused.status_code == 412
    assert refused.json() == (
        "This orchestration has status Running, but only orchestrations in the"
        ' "Failed" state can be rewound.'
    )
    host.http.post(f"{API}/{waiting}/terminate")
    host.reached(waiting, "Terminated")
    assert rewind(host, waiting) == 412
