from __future__ import annotations

import os
from pathlib import Path

import pytest

from devhost.app import source_files
from devhost.app.source_files import SourceFiles


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source_files, "_LOOK_SECONDS", 0.001)


@pytest.fixture
def app(tmp_path: Path) -> Path:
    for name in ("function_app.py", "host.json", "steps/one.py", "notes.txt"):
        file = tmp_path / name
        file.parent.mkdir(exist_ok=True)
        file.write_text("before")
    return tmp_path


async def test_changed_new_and_removed_files_are_told(app: Path) -> None:
    source = SourceFiles(app, app / ".data")
    (app / "steps" / "one.py").write_text("after all")
    assert await source.changed() == ["steps/one.py"]
    (app / "steps" / "two.py").write_text("new")
    assert await source.changed() == ["steps/two.py"]
    (app / "host.json").unlink()
    assert await source.changed() == ["host.json"]


async def test_a_change_that_keeps_the_size_is_told(app: Path) -> None:
    source = SourceFiles(app, app / ".data")
    file = app / "function_app.py"
    os.utime(file, ns=(0, file.stat().st_mtime_ns + 1_000_000))
    assert await source.changed() == ["function_app.py"]


@pytest.mark.parametrize(
    "name",
    [
        "notes.txt",
        # Of the host
        "state/devhost/made.py",
        # Written by Python itself
        "steps/__pycache__/one.py",
        # Of a package
        ".venv/lib/package.py",
        "environment/lib/package.py",
        # Settings count at the top only
        "steps/host.json",
    ],
)
async def test_what_is_not_the_apps_source_is_passed_over(app: Path, name: str) -> None:
    (app / "environment").mkdir()
    (app / "environment" / "pyvenv.cfg").touch()
    source = SourceFiles(app, app / "state")
    (app / name).parent.mkdir(parents=True, exist_ok=True)
    (app / name).write_text("after all")
    (app / "last.py").touch()
    assert await source.changed() == ["last.py"]


def test_a_folder_that_cannot_be_looked_into_is_no_fault(app: Path) -> None:
    # What root may look into all the same; a name that is too long is refused to everybody.
    source = SourceFiles(app, app / ".data")
    assert source._counts(app / ("x" * 300))
