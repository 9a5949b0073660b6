"""One hub serves a storage: the first that comes, until another one is named on purpose."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from uuid import uuid4

import pytest

from countersign.platform.clock import utc_now
from countersign.stores.account import StorageAccount
from countersign.stores.folder_serving import FolderServing
from countersign.stores.serving import ServingStore
from countersign.stores.table_serving import TableServing
from countersign.stores.tables import Entity, Table

Open = Callable[[], ServingStore]


async def test_the_first_hub_serves_and_stays(serving: Open) -> None:
    assert await serving().claim("blue") == "blue"
    assert await serving().claim("green") == "blue"
    assert await serving().claim("blue") == "blue"


async def test_of_many_that_come_at_once_one_serves(serving: Open) -> None:
    claims = await asyncio.gather(*(serving().claim(f"hub {number}") for number in range(8)))
    assert len(set(claims)) == 1


async def test_another_hub_takes_over_when_it_is_named(serving: Open) -> None:
    await serving().claim("blue")
    assert await serving().take_over("green") == "blue"
    assert await serving().claim("blue") == "green"


async def test_a_hub_can_be_named_before_any_comes(serving: Open) -> None:
    assert await serving().take_over("green") is None
    assert await serving().claim("blue") == "green"


async def test_who_serves_can_be_asked_without_a_claim(serving: Open) -> None:
    assert await serving().named() is None
    await serving().claim("blue")
    assert await serving().named() == "blue"


async def test_since_when_it_serves_is_known_and_stays_until_another_one_is_named(
    serving: Open,
) -> None:
    assert await serving().since() is None
    await serving().claim("blue")
    since = await serving().since()
    assert since
    # A file system may have a clock of its own.
    assert abs(since - utc_now()) < timedelta(minutes=1)
    await serving().claim("blue")
    await serving().claim("green")
    await serving().take_over("blue")
    assert await serving().since() == since
    await serving().take_over("green")
    later = await serving().since()
    assert later
    assert later >= since


async def test_one_that_was_named_by_an_older_release_serves_since_nobody_knows_when(
    azurite: str,
) -> None:
    account = StorageAccount(connection_string=azurite, prefix=f"t{uuid4().hex[:20]}")
    await Table(account, "serving").put("serving", Entity("hub", {"hub": "blue"}))
    assert await TableServing(account).named() == "blue"
    assert await TableServing(account).since() is None


async def test_stores_on_this_machine_have_no_other_clock(tmp_path: Path) -> None:
    store = FolderServing(tmp_path)
    await store.claim("blue")
    assert store.skew is None


@pytest.mark.parametrize("ahead", [timedelta(0), timedelta(hours=1), timedelta(hours=-1)])
async def test_each_look_compares_the_clock_with_the_storage_accounts(
    azurite: str, ahead: timedelta
) -> None:
    prefix = f"t{uuid4().hex[:20]}"
    store = TableServing(
        StorageAccount(connection_string=azurite, prefix=prefix), lambda: utc_now() + ahead
    )
    assert store.skew is None
    # The first time, its table and its entity are not there.
    for _ in range(2):
        await store.claim("blue")
        assert store.skew
        assert abs(store.skew.ahead - ahead) <= store.skew.uncertain
        assert (store.skew.warning is None) == (ahead == timedelta(0))
