"""How long one waits for the app: for loading it, and from `dev.py start` to the first page."""

from __future__ import annotations

import contextlib
import http.client
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from devhost.process import free_port

_BARE = Path(__file__).parent / "bare"
_OURS = Path(__file__).parent.parent
_LOAD = """
import time
before = time.perf_counter()
import function_app
print(time.perf_counter() - before)
"""
_PATIENCE_SECONDS = 120.0

ROUNDS = 9


def run(rounds: int = ROUNDS) -> None:
    """Measure each beside something bare, each time in new processes, and print two tables.

    The first is what a cold start in the cloud waits for, the second a person at a terminal.
    """
    with tempfile.TemporaryDirectory() as compiled:
        loading = {
            "a bare AgentFunctionApp()": lambda: _load(_BARE, compiled),
            "this app": lambda: _load(_OURS, compiled),
        }
        _print(f"loading the app, median of {rounds}", _medians(loading, rounds))
    starting = {"python -c pass": _start_python, "dev.py start, to the first page": _start}
    _print(f"\nat a terminal, median of {rounds}", _medians(starting, rounds))


def _medians(measures: Mapping[str, Callable[[], float]], rounds: int) -> Mapping[str, float]:
    # What is compiled to byte code once, or read from the disk, is not what is measured.
    for measure in measures.values():
        measure()
    taken = [[measure() for measure in measures.values()] for _ in range(rounds)]
    return dict(zip(measures, map(statistics.median, zip(*taken, strict=True)), strict=True))


def _print(title: str, medians: Mapping[str, float]) -> None:
    first = next(iter(medians.values()))
    print(f"{title:57}{'ms':>10}{'ratio':>10}")
    for name, seconds in medians.items():
        print(f"{name:57}{1000 * seconds:>10.0f}{seconds / first:>10.2f}")


def _load(app: Path, compiled: str) -> float:
    """Load an app in a new process, with the byte code in a folder, whatever is set here."""
    command = [sys.executable, "-c", _LOAD]
    keeping = {"PYTHONPYCACHEPREFIX": compiled, "PYTHONDONTWRITEBYTECODE": ""}
    loaded = subprocess.run(
        command, cwd=app, env={**os.environ, **keeping}, capture_output=True, text=True, check=True
    )
    return float(loaded.stdout)


def _start_python() -> float:
    before = time.perf_counter()
    subprocess.run([sys.executable, "-c", "pass"], check=True)
    return time.perf_counter() - before


def _start() -> float:
    port = free_port()
    with tempfile.TemporaryDirectory() as data:
        before = time.perf_counter()
        command = [sys.executable, str(_OURS / "dev.py"), "start", "--port", str(port)]
        app = subprocess.Popen([*command, "--data", data], stdout=subprocess.DEVNULL)
        try:
            while not _answers(port):
                if app.poll() is not None or time.perf_counter() - before > _PATIENCE_SECONDS:
                    raise RuntimeError("`dev.py start` did not get there")
                time.sleep(0.005)
            return time.perf_counter() - before
        finally:
            app.terminate()
            app.wait()


def _answers(port: int) -> bool:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    with contextlib.closing(connection):
        try:
            connection.request("GET", "/api/review")
            return connection.getresponse().status == 200
        except (OSError, http.client.HTTPException):
            return False
