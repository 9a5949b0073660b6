from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from .conftest import RunningHost

APP = Path(__file__).parent / "agents_app"


@pytest.fixture(scope="module")
def agents(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningHost]:
    host = RunningHost(tmp_path_factory.mktemp("agents"), app=APP)
    host.start()
    yield host
    host.stop()


def talk(host: RunningHost, text: str, session: str) -> str:
    body = {"message": text, "session_id": session}
    answer = host.http.post("/api/agents/Parrot/run", json=body, timeout=30)
    assert answer.status_code == 200, answer.text
    return answer.json()["response"]


def begin(host: RunningHost, name: str, given: Any) -> str:
    # As the SDK's client would send it.
    answer = host.http.post(f"/durabletask/orchestrators/{name}", json=given)
    assert answer.status_code == 202
    return answer.json()["id"]


def test_an_agent_answers_over_http_and_remembers(agents: RunningHost) -> None:
    assert talk(agents, "hello", "ada") == "1: hello"
    assert talk(agents, "again", "ada") == "3: again"
    assert talk(agents, "hello", "bob") == "1: hello"
    assert agents.http.get("/api/health").json()["agent_count"] == 2


def test_an_orchestrator_talks_to_an_agent(agents: RunningHost) -> None:
    talking = begin(agents, "dialogue", '["one", "two"]')
    assert agents.ended(talking)["output"] == ["1: one", "3: two"]


def test_agents_and_a_workflow_go_on_after_kills(agents: RunningHost) -> None:
    host = agents
    run = host.http.post("/api/workflow/review/run", json="wait workflow").json()["instanceId"]
    talking = begin(host, "dialogue", '["wait dialogue", "and then"]')
    with ThreadPoolExecutor() as pool:
        # Its connection dies with the host; the entity has the message all the same.
        lost = pool.submit(talk, host, "wait http", "carol")
        for name in ("wait-workflow", "wait-dialogue", "wait-http"):
            host.until((host.marks / name).exists)
        host.kill()
        assert lost.exception() is not None
    host.release("answer")
    host.start()
    assert host.ended(talking)["output"] == ["1: wait dialogue", "3: and then"]
    assert talk(host, "remember?", "carol") == "3: remember?"
    [question] = host.until(lambda: pending(host, run))
    assert question["requestData"] == {"draft": "1: wait workflow"}
    host.kill()
    host.start()
    [question] = pending(host, run)
    path = f"/api/workflow/review/respond/{run}/{question['requestId']}"
    assert host.http.post(path, json={"verdict": "approve"}).status_code == 200
    host.kill()
    host.start()
    assert host.ended(run)["runtimeStatus"] == "Completed"
    outputs = host.http.get(f"/api/workflow/review/status/{run}").json()["output"]
    assert outputs == [{"draft": "1: wait workflow", "verdict": "approve"}]


def pending(host: RunningHost, run: str) -> list[dict[str, Any]]:
    status = host.http.get(f"/api/workflow/review/status/{run}").json()
    return status.get("pendingHumanInputRequests", [])
