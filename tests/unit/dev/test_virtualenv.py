"""The `.venv` holds what the lock file says, and nothing else is taken for that."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from local.setup.failure import Failure
from local.setup.locks import ROOT
from local.setup.pythons import suitable
from local.setup.virtualenv import Virtualenv
from testbed.wheels import Pin

SET_UP = """
import pathlib, sys
from local.setup.virtualenv import Virtualenv
Virtualenv(*map(pathlib.Path, sys.argv[1:])).make_ready()
"""


def set_up(folder: Path, lock: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", SET_UP, str(folder), str(lock)]
    return subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True)


def packages_in(virtualenv: Virtualenv) -> str:
    code = "from importlib.metadata import distributions as all; print([d.name for d in all()])"
    names = subprocess.run(
        [str(virtualenv.python), "-c", code], capture_output=True, text=True, check=True
    )
    return names.stdout


def add(lock: Path, pinned: str) -> None:
    lock.write_text(lock.read_text("utf-8") + pinned, "utf-8")


def test_runs_at_the_same_time_set_up_once_and_distrust_what_was_left_over(
    tmp_path: Path, lock: Path
) -> None:
    folder = tmp_path / ".venv"
    left_over = folder / "lib" / "half.py"
    left_over.parent.mkdir(parents=True)
    left_over.touch()
    runs = [set_up(folder, lock) for _ in range(2)]
    told = [run.communicate(timeout=120)[1] for run in runs]
    assert [run.returncode for run in runs] == [0, 0]
    assert sum("Installing" in text for text in told) == 1
    assert not left_over.exists()
    assert suitable([str(Virtualenv(folder, lock).python)])


def test_what_is_locked_is_installed_and_no_old_setuptools_with_it(
    tmp_path: Path, lock: Path, pin: Pin
) -> None:
    add(lock, pin("plan"))
    virtualenv = Virtualenv(tmp_path / "ein Ördner" / ".venv", lock)
    virtualenv.folder.parent.mkdir()
    virtualenv.make_ready()
    assert "'plan'" in packages_in(virtualenv)
    assert "'setuptools'" not in packages_in(virtualenv)


def test_a_failed_installation_is_never_believed(
    tmp_path: Path, lock: Path, pin: Pin, capfd: pytest.CaptureFixture[str]
) -> None:
    right = lock.read_text("utf-8") + pin("plan")
    lock.write_text(right.replace("plan==1.0", "plan==2.0"), "utf-8")
    virtualenv = Virtualenv(tmp_path / ".venv", lock)
    with pytest.raises(Failure, match=r"plan==2\.0"):
        virtualenv.make_ready()
    lock.write_text(right, "utf-8")
    virtualenv.make_ready()
    capfd.readouterr()
    virtualenv.make_ready()
    assert capfd.readouterr().err == ""
