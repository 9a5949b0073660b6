from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from testbed.wheels import Pin, make_wheel


@pytest.fixture
def pin(tmp_path: Path) -> Pin:
    """Makes a package, and returns its entry for the `lock`."""
    return partial(make_wheel, tmp_path)


@pytest.fixture
def lock(tmp_path: Path) -> Path:
    """A lock file that names no package yet, for those that `pin` makes."""
    file = tmp_path / "requirements.lock"
    file.write_text(f"--no-index\n--find-links {tmp_path.as_uri()}\n", "utf-8")
    return file
