"""The data of a developer's machine is its user's alone."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from devhost.private import make_private

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows has rights of another kind")


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_new_folder_is_its_users_alone(tmp_path: Path) -> None:
    folder = tmp_path / "deep" / "data"
    make_private(folder)
    assert mode(folder) == 0o700


def test_what_was_open_to_others_is_closed_with_all_that_is_in_it_but_no_link_is_followed(
    tmp_path: Path,
) -> None:
    elsewhere = tmp_path / "elsewhere.txt"
    elsewhere.write_text("x")
    elsewhere.chmod(0o644)
    folder = tmp_path / "data"
    inner = folder / "inner"
    inner.mkdir(parents=True)
    (inner / "ledger.db").write_text("x")
    (inner / "ledger.db").chmod(0o666)
    (inner / "program").write_text("x")
    (inner / "program").chmod(0o755)
    inner.chmod(0o777)
    folder.chmod(0o755)
    (folder / "link").symlink_to(elsewhere)
    make_private(folder)
    assert [mode(each) for each in (folder, inner, inner / "ledger.db")] == [0o700, 0o700, 0o600]
    assert mode(inner / "program") == 0o700
    assert mode(elsewhere) == 0o644


def test_a_folder_that_is_private_is_not_searched_again(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    make_private(folder)
    (folder / "shared.txt").write_text("x")
    (folder / "shared.txt").chmod(0o644)
    make_private(folder)
    assert mode(folder / "shared.txt") == 0o644
