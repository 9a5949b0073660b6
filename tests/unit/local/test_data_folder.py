"""A folder of state is used in one way only."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from local.data_folder import ForeignFolder, claim
from local.settings import APP


def test_a_folder_may_be_used_again_in_the_same_way(tmp_path: Path) -> None:
    for _ in range(2):
        claim(tmp_path / "data", "--storage embedded")


def test_another_way_is_refused_and_the_folder_stays_what_it_was(tmp_path: Path) -> None:
    claim(tmp_path, "--storage embedded")
    with pytest.raises(ForeignFolder, match=r"belongs to `dev[.]py start --storage embedded`"):
        claim(tmp_path, "--storage azurite")
    claim(tmp_path, "--storage embedded")


def test_the_command_says_so_and_starts_nothing(tmp_path: Path) -> None:
    claim(tmp_path, "--storage azurite")
    command = [sys.executable, "-m", "local.start", "--data", str(tmp_path)]
    done = subprocess.run(command, cwd=APP, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "belongs to" in done.stderr
    assert {path.name for path in tmp_path.iterdir()} == {"begun-by", "devhost"}


@pytest.mark.parametrize("port", ["0", "65536", "-1", "x", "²"])
def test_a_port_that_is_none_is_told_in_one_line(port: str, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "local.start", "--data", str(tmp_path), f"--port={port}"]
    done = subprocess.run(command, cwd=APP, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1].endswith("is not a port from 1 to 65535")
