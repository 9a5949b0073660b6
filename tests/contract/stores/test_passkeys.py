"""What is kept about passkeys is kept by person and tenant, and of two writers one is told."""

from __future__ import annotations

from countersign.stores.passkeys import PasskeyStore


async def test_nobody_has_any_at_first(passkeys: PasskeyStore) -> None:
    assert await passkeys.get("home", "rita") == ("", "")
    assert list(await passkeys.people("home")) == []


async def test_what_is_written_is_read_back_by_person_and_tenant(passkeys: PasskeyStore) -> None:
    long = "ä" * 40_000
    assert await passkeys.put("home", "rita", long, "")
    assert await passkeys.put("home", "Viktor/ÄÖ", "mine", "")
    assert await passkeys.put("away", "rita", "theirs", "")
    assert (await passkeys.get("home", "rita"))[0] == long
    assert sorted(await passkeys.people("home")) == [("Viktor/ÄÖ", "mine"), ("rita", long)]
    assert list(await passkeys.people("away")) == [("rita", "theirs")]


async def test_of_two_who_write_at_once_one_is_told(passkeys: PasskeyStore) -> None:
    assert await passkeys.put("home", "rita", "one", "")
    assert not await passkeys.put("home", "rita", "two", "")
    _, seen = await passkeys.get("home", "rita")
    assert await passkeys.put("home", "rita", "two", seen)
    assert not await passkeys.put("home", "rita", "three", seen)
    assert (await passkeys.get("home", "rita"))[0] == "two"


async def test_what_is_deleted_is_gone(passkeys: PasskeyStore) -> None:
    assert await passkeys.put("home", "rita", "one", "")
    for _ in range(2):
        await passkeys.delete("home", "rita")
    assert await passkeys.get("home", "rita") == ("", "")
