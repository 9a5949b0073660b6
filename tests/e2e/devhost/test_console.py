"""What the terminal shows: a line for each request and each step of an instance, and no more."""

from __future__ import annotations

import re
from pathlib import Path

from .conftest import RunningHost

STAMP = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z "


def lines_about(host: RunningHost, text: str) -> list[str]:
    return [re.sub(STAMP, "", line) for line in host.output.splitlines() if text in line]


def test_each_request_and_each_step_has_a_line(host: RunningHost) -> None:
    instance = host.begin("chain", 1, id="on-the-console")
    host.ended(instance)
    host.until(lambda: len(lines_about(host, instance)) >= 2)
    steps = [line for line in lines_about(host, instance) if line.startswith("chain")]
    assert steps == [f"chain {instance} Running", f"chain {instance} Completed"]
    (request,) = lines_about(host, "POST /api/start")[-1:]
    assert re.fullmatch(r"POST /api/start/chain/on-the-console 202 \d+ ms", request)


def test_a_failure_comes_with_its_reason(host: RunningHost) -> None:
    instance = host.begin("unhandled")
    host.ended(instance)
    host.until(lambda: f"unhandled {instance} Failed: Orchestrator function" in host.output)


def test_calls_and_messages_show_on_request(tmp_path: Path) -> None:
    host = RunningHost(tmp_path, "--verbose")
    host.start()
    instance = host.begin("chain", 1)
    host.ended(instance)
    host.stop()
    took_in = lines_about(host, "took in")
    assert took_in[:2] == [
        f"chain {instance} took in ExecutionStarted",
        f"chain {instance} took in TaskCompleted",
    ]
    assert any(re.fullmatch(r"called echo \d+ ms", line) for line in lines_about(host, "called"))
