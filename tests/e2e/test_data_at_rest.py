"""What the host and the app keep on this machine can be read by its user alone."""

from __future__ import annotations

import os
import stat
from typing import Any

import pytest


@pytest.mark.skipif(os.name == "nt", reason="Windows has rights of another kind")
@pytest.mark.devhost_only("it is the host that keeps data on this machine")
def test_every_folder_and_file_is_its_users_alone(desk: Any) -> None:
    operation = desk.ask()
    desk.until_version(operation)
    data = desk.host.data
    # Made by the test, before the host was started.
    lent = {desk.host.log, *(data / "devhost").glob("signin.pem")}
    kept = [path for path in data.rglob("*") if not path.is_symlink() and path not in lent]
    assert len(kept) > 10
    modes = {path: stat.S_IMODE(path.stat().st_mode) for path in kept if path.exists()}
    assert {str(path): oct(mode) for path, mode in modes.items() if mode & 0o077} == {}
    assert stat.S_IMODE(data.stat().st_mode) == 0o700
