"""A folder from before decisions were signed goes on for a stated time, and no other does."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from countersign.settings import read_settings
from local.settings import complete
from local.unsigned import GRACE, STORES, unsigned_until

NOW = datetime(2026, 12, 1, 9, 30, tzinfo=timezone.utc)


@pytest.mark.parametrize("store", STORES)
def test_what_was_begun_in_an_older_folder_goes_on_until_a_moment_that_never_moves(
    tmp_path: Path, store: str
) -> None:
    (tmp_path / store).touch()
    made = unsigned_until(tmp_path, NOW)
    settings = read_settings({**complete({}, port=1, data=tmp_path), **made})
    assert settings.unsigned_until == NOW + GRACE
    assert unsigned_until(tmp_path, NOW + timedelta(days=20)) == made


def test_in_a_folder_that_was_begun_by_a_release_that_signs_nothing_goes_on_unsigned(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "new"
    assert unsigned_until(folder, NOW) == {}
    (folder / STORES[0]).touch()
    assert unsigned_until(folder, NOW) == {}
