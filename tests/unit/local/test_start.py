"""`dev.py start` with more than the local host."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from threading import Event
from typing import Any

import httpx
import pytest

from devhost.process import is_free
from local.settings import APP
from testbed.chat_provider import completion, provided

Start = Callable[..., "tuple[subprocess.Popen[str], str]"]

pytestmark = [
    pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGTERM; stop it there with Ctrl-C"),
    pytest.mark.usefixtures("azurite"),
]


def ports(told: str) -> set[int]:
    return {int(port) for port in re.findall(r"127\.0\.0\.1:(\d+)", told)}


def stop(process: subprocess.Popen[str]) -> str:
    process.send_signal(signal.SIGTERM)
    return process.communicate(timeout=60)[0]


def test_azurite_keeps_what_the_app_stores(start: Start, tmp_path: Path) -> None:
    process, told = start("--storage", "azurite")
    assert "ledger, artifacts and reports are in Azurite" in told
    assert "/orders" in told
    assert (tmp_path / "data" / "storage" / "azurite.log").exists()
    stop(process)
    assert process.returncode == 0
    assert all(is_free(port) for port in ports(told))


@pytest.mark.skipif(sys.platform != "linux", reason="/proc tells which process is Azurite")
def test_the_end_of_azurite_is_said_and_ends_the_rest(start: Start, tmp_path: Path) -> None:
    process, told = start("--storage", "azurite")
    [azurite] = children_of(process, "azurite.js")
    os.kill(azurite, signal.SIGKILL)
    assert process.stdout
    assert "Azurite (its log is " in process.stdout.read()
    assert process.wait(30) == 1
    assert all(is_free(port) for port in ports(told))


@pytest.mark.skipif(sys.platform != "linux", reason="/proc tells which process is the service")
def test_the_end_of_the_purchasing_service_is_said_and_ends_the_rest(start: Start) -> None:
    process, told = start()
    [service] = children_of(process, "samples.purchasing")
    os.kill(service, signal.SIGKILL)
    assert process.stdout
    assert "the purchasing service ended unexpectedly" in process.stdout.read()
    assert process.wait(30) == 1
    assert all(is_free(port) for port in ports(told))


def test_a_purchasing_system_that_was_named_is_the_one_that_orders_go_to(
    start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COUNTERSIGN_PURCHASING_URL", "https://purchasing.example")
    process, told = start()
    assert "/orders" not in told
    assert not (tmp_path / "data" / "purchasing").exists()
    stop(process)


def test_the_sample_is_started_where_the_sample_settings_name_it(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COUNTERSIGN_PURCHASING_URL", "http://127.0.0.1:7080")
    process, told = start()
    orders = re.search(r"orders +(http://\S+)", told)
    assert orders
    assert httpx.get(orders[1]).status_code == 200
    stop(process)


def test_core_tools_run_the_app_beside_a_sign_in_of_its_own(
    start: Start, path_with_func: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", path_with_func)
    process, told = start("--func")
    assert "runs in Azure Functions Core Tools" in told
    assert "by the Azure Storage provider" in told
    assert "/orders" in told
    signin = re.search(r"sign in +(http://\S+)", told)
    assert signin
    assert "Sign in" in httpx.get(signin[1]).text
    command = re.search(r"a token +python3 (.+)", told)
    assert command
    token = subprocess.run(
        [sys.executable, *command[1].split()], cwd=APP, capture_output=True, text=True, check=True
    )
    health = re.search(r"health +(http://\S+)/health", told)
    assert health
    headers = {"Authorization": f"Bearer {token.stdout.strip()}"}
    asked = httpx.post(f"{health[1]}/research", headers=headers, json={"topic": "Durable timers"})
    assert asked.status_code == 202
    # Not the sign-in's, whose tokens it takes.
    assert asked.json()["review_url"].startswith(f"{health[1]}/review?")
    assert len(told.splitlines()) < 60
    stop(process)
    assert process.returncode == 0
    assert all(is_free(port) for port in ports(told))


def test_the_page_opens_before_the_model_has_answered_and_its_state_is_told_then(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = Event()

    def answer(asked: dict[str, Any]) -> tuple[int, bytes]:
        assert opened.wait(60)
        return completion(asked, {"content": '{"subtopics": ["Growing", "Drinking"]}'})

    with provided() as provider:
        provider.script.append(answer)
        for name, value in {"PROVIDER": "compatible", "URL": provider.url, "KEY": "k"}.items():
            monkeypatch.setenv(f"COUNTERSIGN_MODEL_{name}", value)
        monkeypatch.setenv("COUNTERSIGN_MODEL", "stub")
        process, told = start()
        assert "health" in told
        opened.set()
        assert process.stdout
        told = next(line for line in process.stdout if line.startswith("ok"))
        assert f"stub (compatible) at {provider.url} answers correctly" in told
        stop(process)


def test_without_core_tools_nothing_is_started(tmp_path: Path) -> None:
    told = subprocess.run(
        [sys.executable, "-m", "local.start", "--func", "--data", str(tmp_path / "data")],
        cwd=APP,
        env={**os.environ, "PATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert told.returncode == 1
    assert told.stderr.startswith("dev.py: Azure Functions Core Tools 4.14 or later is required")
    assert not (tmp_path / "data").exists()


def children_of(process: subprocess.Popen[str], program: str) -> list[int]:
    """The ids of the children whose command names a program."""
    folder = Path(f"/proc/{process.pid}/task/{process.pid}")
    children = (folder / "children").read_text().split()
    return [int(pid) for pid in children if program in Path(f"/proc/{pid}/cmdline").read_text()]
