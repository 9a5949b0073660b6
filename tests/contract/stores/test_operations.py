"""What is in a ledger can be found without an index."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from countersign.approvals.events import Event
from countersign.approvals.ledger import Ledger


async def every(names: AsyncIterator[str]) -> list[str]:
    return [each async for each in names]


async def test_nobody_has_operations_at_first(ledger: Ledger) -> None:
    assert await every(ledger.tenants()) == []
    assert await every(ledger.operations("home")) == []


async def test_each_operation_of_a_tenant_is_told_once_however_many_rows_it_has(
    ledger: Ledger, started: Event
) -> None:
    for operation_id in ("op-2", "op-1", "op-10"):
        await ledger.append("home", operation_id, 0, [started, started])
    await ledger.append("other", "op-3", 0, [started])
    assert sorted(await every(ledger.operations("home"))) == ["op-1", "op-10", "op-2"]
    assert await every(ledger.operations("other")) == ["op-3"]


async def test_a_walk_goes_on_behind_any_operation_in_the_same_order(
    ledger: Ledger, started: Event
) -> None:
    for number in range(5):
        await ledger.append("home", f"op-{number}", 0, [started])
    whole = await every(ledger.operations("home"))
    for place, each in enumerate(whole, start=1):
        assert await every(ledger.operations("home", after=each)) == whole[place:]


@pytest.mark.parametrize(
    ("tenant", "operation_id"),
    [
        ("home-2", "op-1"),  # sorts before "home" where a colon ends each name
        ("Home", "op-1"),
        ("home;", "op-1"),
        ("home", "' OR 1=1 --"),
        ("home", "op/1:2=3"),
        ("home", ""),
        ("home", "\n😀" * 100),  # too long to stand in a key
        ("t" * 300, "op-1"),
    ],
)
async def test_names_are_told_as_they_were_given(
    ledger: Ledger, started: Event, tenant: str, operation_id: str
) -> None:
    await ledger.append("home", "op-1", 0, [started])
    await ledger.append(tenant, operation_id, 0, [started])
    mine = {"op-1", operation_id} if tenant == "home" else {operation_id}
    assert set(await every(ledger.operations(tenant))) == mine
    assert sorted(await every(ledger.tenants())) == sorted({"home", tenant})


async def test_there_may_be_more_than_are_read_at_a_time(
    ledger: Ledger, started: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("countersign.stores.sqlite._NAMES_AT_ONCE", 2)
    monkeypatch.setattr("countersign.stores.table_ledger._BATCH", 2)
    names = [f"op-{number}" for number in range(5)]
    for each in names:
        await ledger.append("home", each, 0, [started])
    assert await every(ledger.operations("home")) == names
