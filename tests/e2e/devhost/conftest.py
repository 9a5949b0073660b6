from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import httpx
import pytest

from testbed.pauses import pauses

ROOT = Path(__file__).parents[3]
APP = Path(__file__).parent / "app"
SETTINGS = {"HUB": "Conformance", "YEARLY": "0 0 0 1 1 *"}
OVER = {"Completed", "Failed", "Terminated"}


def until(condition: Callable[[], Any], seconds: float = 60.0) -> Any:
    """Return the first true value of `condition`."""
    deadline = time.monotonic() + seconds
    waiting = pauses()
    while not (value := condition()):
        assert time.monotonic() < deadline, "the condition did not come true in time"
        time.sleep(next(waiting))
    return value


class RunningHost:
    """The host as its users run it: a process."""

    until = staticmethod(until)

    def __init__(
        self,
        folder: Path,
        *options: str,
        app: Path = APP,
        settings: Mapping[str, str] = SETTINGS,
    ) -> None:
        self.folder = folder
        self.marks = folder / "marks"
        self.marks.mkdir()
        self.app = shutil.copytree(app, folder / "app")
        values = {"IsEncrypted": False, "Values": dict(settings)}
        (self.app / "local.settings.json").write_text(json.dumps(values))
        self._options = options

    def start(self) -> None:
        """Start it, and return once it listens or has ended."""
        self.log = self.folder / f"log-{time.monotonic_ns()}.txt"
        command = [sys.executable, "-m", "devhost", "start", "--app", str(self.app)]
        with self.log.open("w") as log:
            self.process = subprocess.Popen(
                [*command, "--data", str(self.folder), "--port", "0", *self._options],
                env={**os.environ, "MARKS": str(self.marks), "PYTHONPATH": str(ROOT)},
                stdout=log,
                stderr=log,
            )
        until(lambda: self.url or self.process.poll() is not None, 100)
        self.http = httpx.Client(base_url=self.url or "http://nowhere", trust_env=False)

    @property
    def output(self) -> str:
        return self.log.read_text()

    @property
    def url(self) -> str:
        found = re.search(r"devhost listening on (\S+)", self.output)
        return found[1] if found else ""

    def kill(self) -> None:
        self.http.close()
        self.process.kill()
        self.process.wait()

    def stop(self) -> int:
        """Ask it to end, and return its exit code."""
        self.http.close()
        self.process.send_signal(getattr(signal, "CTRL_BREAK_EVENT", signal.SIGTERM))
        return self.process.wait(60)

    def begin(self, name: str, given: Any = None, id: str = "") -> str:
        answer = self.http.post(f"/api/start/{name}/{id}", json=given)
        assert answer.status_code == 202, answer.text
        return answer.json()["id"]

    def begin_deadly(self, name: str, given: Any) -> str:
        """Begin what kills the worker: the app itself might not live to answer that it began."""
        answer = self.http.post(f"/durabletask/orchestrators/{name}", json=json.dumps(given))
        assert answer.status_code == 202, answer.text
        return answer.json()["id"]

    def status(self, instance: str, **query: Any) -> dict[str, Any]:
        return self.http.get(f"/durabletask/instances/{instance}", params=query).json()

    def history(self, instance: str) -> list[str]:
        """Return the types of the events that the management API shows."""
        events = self.status(instance, showHistory="true").get("historyEvents", [])
        return [event["EventType"] for event in events]

    def reached(self, instance: str, *statuses: str) -> dict[str, Any]:
        """Return the instance's status once it is one of `statuses`."""

        def look() -> dict[str, Any] | None:
            status = self.status(instance)
            return status if status.get("runtimeStatus") in statuses else None

        return until(look)

    def ended(self, instance: str) -> dict[str, Any]:
        return self.reached(instance, *OVER)

    def output_of(self, name: str, given: Any = None, id: str = "") -> Any:
        status = self.ended(self.begin(name, given, id))
        assert status["runtimeStatus"] == "Completed", status
        return status["output"]

    def ring(self, instance: str, payload: Any = None, event: str = "go") -> None:
        answer = self.http.post(f"/api/raise/{instance}/{event}", content=json.dumps(payload))
        assert answer.status_code == 200, answer.text

    def marked(self, name: str) -> int:
        path = self.marks / name
        return len(path.read_text()) if path.exists() else 0

    def release(self, name: str) -> None:
        (self.marks / f"{name}.go").touch()


@pytest.fixture
def own_host(tmp_path: Path) -> Iterator[RunningHost]:
    """A host that the test may kill."""
    host = RunningHost(tmp_path)
    host.start()
    yield host
    host.stop()


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningHost]:
    host = RunningHost(tmp_path_factory.mktemp("host"))
    host.start()
    yield host
    host.stop()
