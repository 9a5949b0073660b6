"""`dev.py start` is killed, and nothing that it has started is left."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from devhost.process import is_free

PATIENCE_SECONDS = 60.0
"""On a machine that is busy; it takes a few milliseconds."""

Start = Callable[..., "tuple[subprocess.Popen[str], str]"]


def until(holds: Callable[[], bool], what: str) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not holds():
        assert time.monotonic() < deadline, what
        time.sleep(0.02)


def ports(told: str) -> set[int]:
    return {int(port) for port in re.findall(r"127\.0\.0\.1:(\d+)", told)}


def test_all_that_it_serves_ends_with_it(start: Start) -> None:
    process, told = start()
    assert len(ports(told)) == 2, "the app, and where orders go"
    process.kill()
    until(lambda: all(map(is_free, ports(told))), "something still listens")


def test_its_folder_can_be_used_at_once(start: Start) -> None:
    process, _ = start()
    process.kill()
    process.wait()
    _, told = start()
    assert "sign in" in told


def test_with_core_tools_too(
    azurite: str, start: Start, path_with_func: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert azurite
    monkeypatch.setenv("PATH", path_with_func)
    process, told = start("--func")
    assert len(ports(told)) == 4, "the app, its sign-in, where orders go, and Azurite"
    process.kill()
    until(lambda: all(map(is_free, ports(told))), "something still listens")


@pytest.mark.skipif(sys.platform != "linux", reason="/proc tells who started whom")
def test_no_process_is_left(start: Start) -> None:
    process, _ = start()
    all_of_it = descendants(process.pid)
    assert {"devhost start", "devhost.worker", "samples.purchasing"} <= {
        name for pid in all_of_it for name in NAMES if name in command_of(pid)
    }
    process.kill()
    until(lambda: not any(map(command_of, all_of_it)), "a process is left")


NAMES = ("devhost start", "devhost.worker", "samples.purchasing")


def descendants(pid: int) -> list[int]:
    lists = Path(f"/proc/{pid}/task").glob("*/children")
    children = [int(child) for text in lists for child in text.read_text().split()]
    return [*children, *(one for child in children for one in descendants(child))]


def command_of(pid: int) -> str:
    """The command line of a process; empty once it has ended."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ")
    except FileNotFoundError:
        return ""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no `kill`")
def test_a_folder_in_use_is_said_with_what_ends_whoever_uses_it(start: Start) -> None:
    first, _ = start()
    second, told = start()
    assert second.wait(PATIENCE_SECONDS) == 1
    remedy = re.search(r"uses the data folder .*: process (\d+); end it with `(kill \1)`", told)
    assert remedy, told
    assert f"PowerShell: `Stop-Process -Id {remedy[1]}`" in told
    assert len(told.splitlines()) == 1
    subprocess.run(remedy[2].split(), check=True)
    first.wait(PATIENCE_SECONDS)
    _, told = start()
    assert "sign in" in told
