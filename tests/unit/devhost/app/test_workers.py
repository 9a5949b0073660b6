from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from devhost.app.launcher import Launcher, WorkerOptions
from devhost.app.worker_process import WorkerProcess
from devhost.app.workers import Workers
from devhost.background import Background
from devhost.config.settings import read_settings
from devhost.console import Console
from devhost.errors import WorkerLost
from devhost.time.clock import SystemClock


@pytest.fixture
def launcher(tmp_path: Path) -> Launcher:
    (tmp_path / "host.json").write_text('{"version": "2.0"}')
    (tmp_path / "function_app.py").write_text(
        "import azure.functions as func\napp = func.FunctionApp()\n"
    )
    environment = {"DEVHOST_URL": "", "DEVHOST_CLIENT": "{}", "DEVHOST_ORCHESTRATORS": "1"}
    return Launcher(read_settings(tmp_path), WorkerOptions(environment=environment))


@pytest.fixture
async def workers(launcher: Launcher) -> AsyncIterator[Workers]:
    console = Console(SystemClock())
    workers = Workers(launcher, console, background=Background(console, pytest.fail))
    await workers.open()
    yield workers
    await workers.close()


@pytest.mark.parametrize("patient", [True, False])
async def test_a_worker_that_died_as_it_came_is_not_handed_out(
    workers: Workers, launcher: Launcher, monkeypatch: pytest.MonkeyPatch, patient: bool
) -> None:
    launch, launched = launcher.launch, []

    async def launch_one_that_dies() -> WorkerProcess:
        worker = await launch()
        launched.append(worker)
        if len(launched) == 1:
            await worker.end()
        return worker

    monkeypatch.setattr(launcher, "launch", launch_one_that_dies)
    await (await workers.present(patient=patient)).end()
    worker = await asyncio.wait_for(workers.present(patient=patient), 60)
    assert worker.alive
    assert worker is launched[1]


async def test_a_worker_that_runs_keeps_no_thread_of_the_loop_waiting(workers: Workers) -> None:
    assert (await workers.present(patient=True)).alive
    assert not [each for each in threading.enumerate() if each.name.startswith("asyncio_")]


async def test_a_python_that_cannot_be_started_is_said_in_a_sentence(
    tmp_path: Path, launcher: Launcher
) -> None:
    missing = Launcher(read_settings(tmp_path), WorkerOptions(python=str(tmp_path / "none")))
    await missing.open()
    with pytest.raises(WorkerLost, match="none could not be started"):
        await missing.launch()
    missing.close()
