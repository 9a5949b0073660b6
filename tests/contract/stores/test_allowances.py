"""What each person has used is kept as it was written, and of two writers one is told."""

from __future__ import annotations

from datetime import datetime

from countersign.stores.allowances import Allowance, AllowanceStore


def used(now: datetime, *names: str, tokens: int = 0) -> Allowance:
    return Allowance(open=dict.fromkeys(names, now), day=now.date(), tokens=tokens)


async def test_nobody_has_used_anything_at_first(allowances: AllowanceStore) -> None:
    assert await allowances.get("home", "rita") == (Allowance(), "")


async def test_what_is_written_is_read_back_by_person_and_tenant(
    allowances: AllowanceStore, now: datetime
) -> None:
    mine, theirs = used(now, "op-1", "op-2", tokens=7), used(now, "op-3")
    assert await allowances.put("home", "rita", mine, "")
    assert await allowances.put("away", "rita", theirs, "")
    assert (await allowances.get("home", "rita"))[0] == mine
    assert (await allowances.get("away", "rita"))[0] == theirs
    assert (await allowances.get("home", "Rita"))[0] == Allowance()


async def test_of_two_who_write_at_once_one_is_told(
    allowances: AllowanceStore, now: datetime
) -> None:
    _, fresh = await allowances.get("home", "rita")
    assert await allowances.put("home", "rita", used(now, "op-1"), fresh)
    assert not await allowances.put("home", "rita", used(now, "op-2"), fresh)
    _, before = await allowances.get("home", "rita")
    assert await allowances.put("home", "rita", used(now, "op-1", "op-3"), before)
    assert not await allowances.put("home", "rita", used(now, "op-4"), before)
    assert (await allowances.get("home", "rita"))[0] == used(now, "op-1", "op-3")


async def test_as_many_as_a_person_can_have_fit(allowances: AllowanceStore, now: datetime) -> None:
    many = used(now, *(f"purchase-{n:024x}" for n in range(500)))
    assert await allowances.put("home", "rita", many, "")
    assert (await allowances.get("home", "rita"))[0] == many
