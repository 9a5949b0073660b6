"""Worker processes that never get as far as serving."""

from __future__ import annotations

from pathlib import Path

import pytest

from devhost.app.launcher import Launcher, WorkerOptions
from devhost.config.settings import read_settings
from devhost.errors import AppBroken, WorkerLost


async def launched(app: Path, source: str, seconds: float = 60) -> None:
    (app / "host.json").write_text('{"version": "2.0"}')
    (app / "function_app.py").write_text(source)
    told = {"DEVHOST_URL": "", "DEVHOST_CLIENT": "{}", "DEVHOST_VERBOSE": ""}
    options = WorkerOptions(environment=told, import_seconds=seconds)
    launcher = Launcher(read_settings(app), options)
    await launcher.open()
    try:
        await launcher.launch()
    finally:
        launcher.close()


async def test_an_import_that_does_not_end_is_given_up(tmp_path: Path) -> None:
    with pytest.raises(WorkerLost, match="longer than 3 s to import"):
        await launched(tmp_path, "import time\ntime.sleep(1000)\n", seconds=3)


async def test_what_stands_beside_devhost_is_not_taken_for_a_part_of_the_app(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(AppBroken, match="could not be started"):
        await launched(tmp_path, "import countersign\n")
    assert "No module named 'countersign'" in capfd.readouterr().err
