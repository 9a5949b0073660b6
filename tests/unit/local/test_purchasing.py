"""`dev.py purchasing`, where it can't run."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from local.settings import APP as ROOT


def test_without_its_packages_the_sample_says_what_to_run(tmp_path: Path) -> None:
    folder = tmp_path / "books"
    bare = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ}
    command = [sys.executable, "-S", "-m", "samples.purchasing", "--data", str(folder)]
    told = subprocess.run(command, cwd=ROOT, env=bare, capture_output=True, text=True, check=False)
    assert told.returncode == 2
    assert told.stderr.startswith("purchasing: a package is missing (No module named ")
    assert "`python3 dev.py purchasing`" in told.stderr
    assert told.stderr.count("\n") == 1
    assert not folder.exists()
