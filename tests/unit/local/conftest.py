"""The app that commands work with, a PATH of a test's own, and stand-ins for missing programs."""

from __future__ import annotations

import asyncio
import itertools
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import datetime, timezone
from pathlib import Path

import pytest

from countersign.services import Services
from countersign.wiring import services
from devhost.process import free_port
from local.settings import APP, complete
from local.unsigned import unsigned_until

# It runs the app in the local host, as Core Tools would in theirs.
FUNC = f"""
import os, sys
if sys.argv[1:] == ["--version"]:
    raise SystemExit(print("4.14.0"))
os.environ["PYTHONPATH"] = {str(APP)!r}
data = os.environ["COUNTERSIGN_DATA"] + "/func"
options = ["--app", ".", "--port", sys.argv[3], "--data", data]
os.execv(sys.executable, [sys.executable, "-m", "devhost", "start", *options])
"""


@pytest.fixture
def app_data(tmp_path: Path) -> Path:
    """The folder of the app's data."""
    return tmp_path


@pytest.fixture
def app(app_data: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Services]:
    """What commands work with in this process, on a folder of the test's own."""
    unsigned_until(app_data, datetime.now(timezone.utc))  # as the first start records it
    for name, value in complete({}, port=0, data=app_data).items():
        monkeypatch.setenv(name, value)
    services.cache_clear()
    # A look makes the ledger, without which commands would take the folder for another one's name.
    asyncio.run(services().operations.ledger.read("home", "none"))
    yield services()
    services.cache_clear()


@pytest.fixture
def machine_path() -> str:
    """The PATH of this machine."""
    return os.environ["PATH"]


@pytest.fixture
def stand_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], Path]:
    """Puts a program in Python on a PATH that has nothing else; returns its file."""
    if os.name == "nt":
        pytest.skip("a stand-in is a script with a shebang, which Windows does not know")
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))

    def put(name: str, source: str) -> Path:
        program = folder / name
        program.write_text(f"#!{sys.executable}\n{source}", "utf-8")
        program.chmod(0o755)
        return program

    return put


@pytest.fixture
def path_with_func(machine_path: str, stand_in: Callable[[str, str], Path]) -> str:
    """The PATH of a machine that also has Core Tools, and a Docker that does not work."""
    stand_in("docker", "raise SystemExit(1)")
    return f"{stand_in('func', FUNC).parent}{os.pathsep}{machine_path}"


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., tuple[subprocess.Popen[str], str]]]:
    """Starts the app, and returns the process and what it told when the app was ready."""
    started: list[subprocess.Popen[str]] = []

    def begin(*options: str) -> tuple[subprocess.Popen[str], str]:
        command = [sys.executable, "-m", "local.start", "--data", str(tmp_path / "data")]
        process = subprocess.Popen(
            [*command, "--port", str(free_port()), *options],
            cwd=APP,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        started.append(process)
        assert process.stdout
        told = itertools.takewhile(lambda line: line != "or in PowerShell:\n", process.stdout)
        return process, "".join(told)

    yield begin
    for process in started:
        process.kill()
        print(process.communicate()[0])  # noqa: T201 - beside a test that failed
