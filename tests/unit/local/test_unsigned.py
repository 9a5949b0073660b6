"""A folder from before decisions were signed goes on for a stated time, and no other does."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from countersign.settings import read_settings
from countersign.stores.account import read_account
from local.settings import complete
from local.unsigned import GRACE, RECORD, STORES, unsigned_until

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


@pytest.mark.parametrize(
    ("storage", "goes_on"),
    [
        ({"COUNTERSIGN_STORAGE": "UseDevelopmentStorage=true"}, True),
        ({"COUNTERSIGN_STORAGE": "AccountName=house;AccountKey=a2V5"}, False),
        ({"COUNTERSIGN_STORAGE": "AccountName=127;AccountKey=a2V5"}, False),
        ({"COUNTERSIGN_STORAGE__accountName": "devstoreaccount1"}, False),
    ],
)
def test_an_older_folder_says_nothing_about_a_ledger_on_another_machine(
    tmp_path: Path, storage: dict[str, str], goes_on: bool
) -> None:
    (tmp_path / STORES[0]).touch()
    assert bool(unsigned_until(tmp_path, NOW, read_account(storage))) == goes_on
    assert (tmp_path / RECORD).exists() == goes_on
