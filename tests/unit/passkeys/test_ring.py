"""Who may add, confirm and remove a passkey, and what stays of it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from countersign.approvals.person import OPERATOR
from countersign.passkeys import ring
from countersign.passkeys.errors import PasskeyFault
from countersign.passkeys.ring import from_text, to_text
from countersign.platform.environment import SettingsError
from countersign.stores.errors import StoreError
from testbed.authenticator import USER_PRESENT, Authenticator
from tests.unit.passkeys.conftest import NOON, OLGA, VICTOR, Room


async def test_each_step_is_kept_with_who_took_it(room: Room) -> None:
    added = await room.add(Authenticator(), replace(VICTOR, token="a" * 64))
    await room.passkeys.confirm(OLGA, VICTOR.id, added.id)
    await room.passkeys.remove(VICTOR, VICTOR.id, added.id)
    [kept] = await room.passkeys.of("home", VICTOR.id)
    assert kept.confirmed
    assert kept.removed
    assert (kept.added.name, kept.added.token, kept.added.at) == ("Victor", "a" * 64, NOON)
    assert (kept.confirmed.name, kept.removed.name) == ("Olga", "Victor")
    assert await room.passkeys.of("away", VICTOR.id) == ()


async def test_whoever_adds_a_passkey_can_not_confirm_it(room: Room) -> None:
    both = replace(VICTOR, roles=VICTOR.roles | {OPERATOR})
    added = await room.add(Authenticator(), both)
    for person, reason in (
        (both, "of their own"),
        (replace(OLGA, roles=VICTOR.roles), "requires a person with the role"),
        (replace(OLGA, program=True), "requires a person"),
        # There is no such passkey where she is.
        (replace(OLGA, tenant="away"), "no such passkey"),
    ):
        with pytest.raises(PasskeyFault, match=reason):
            await room.passkeys.confirm(person, VICTOR.id, added.id)
    assert [each.waits for each in await room.passkeys.of_all("home")] == [True]
    await room.passkeys.confirm(OLGA, VICTOR.id, added.id)
    assert [each.waits for each in await room.passkeys.of_all("home")] == [False]


async def test_its_owner_and_operators_remove_one_and_nobody_has_it_back(room: Room) -> None:
    mine, other = Authenticator(), replace(VICTOR, id="w1")
    added = await room.add(mine)
    for person in (other, replace(VICTOR, program=True)):
        with pytest.raises(PasskeyFault, match="Only its owner"):
            await room.passkeys.remove(person, VICTOR.id, added.id)
    await room.passkeys.remove(OLGA, VICTOR.id, added.id)
    with pytest.raises(PasskeyFault, match="was removed"):
        await room.passkeys.confirm(OLGA, VICTOR.id, added.id)
    with pytest.raises(PasskeyFault, match="added before"):
        await room.add(mine)


async def test_the_same_again_changes_nothing(room: Room) -> None:
    added = await room.add(Authenticator())
    one = await room.passkeys.confirm(OLGA, VICTOR.id, added.id)
    edith = replace(OLGA, id="e1", name="Edith")
    assert await room.passkeys.confirm(edith, VICTOR.id, added.id) == one
    gone = await room.passkeys.remove(VICTOR, VICTOR.id, added.id)
    assert await room.passkeys.remove(OLGA, VICTOR.id, added.id) == gone


async def test_operators_hear_of_each_step_once_and_of_no_other(room: Room) -> None:
    added = await room.add(Authenticator())
    for _ in range(2):
        await room.passkeys.confirm(OLGA, VICTOR.id, added.id)
    with pytest.raises(PasskeyFault):
        await room.passkeys.remove(replace(VICTOR, id="w1"), VICTOR.id, added.id)
    for by in (VICTOR, OLGA):
        await room.passkeys.remove(by, VICTOR.id, added.id)
    assert room.told == [(added.id, step) for step in ("added", "confirmed", "removed")]


async def test_an_answer_of_the_browser_adds_one_passkey_of_one_person(room: Room) -> None:
    options = await room.options()
    await room.add(Authenticator())
    for challenge in (options["challenge"], (await room.options(OLGA))["challenge"]):
        with pytest.raises(PasskeyFault, match="challenge"):
            await room.add(Authenticator(), challenge=challenge)


@pytest.mark.parametrize(
    ("forged", "reason"),
    [
        ({"origin": "https://evil.example"}, "origin"),
        ({"type": "webauthn.get"}, "type"),
        ({"challenge": "AAAA"}, "challenge"),
        ({"challenge": None}, "error parsing"),
    ],
)
async def test_a_passkey_that_was_made_elsewhere_is_not_taken(
    room: Room, forged: dict[str, Any], reason: str
) -> None:
    with pytest.raises(PasskeyFault, match=reason):
        await room.add(Authenticator(), **forged)
    with pytest.raises(PasskeyFault, match="flag"):
        await room.add(Authenticator(flags=USER_PRESENT))


async def test_what_somebody_writes_to_the_storage_is_no_passkey(room: Room) -> None:
    mine = Authenticator()
    added = await room.add(mine)
    store = room.passkeys.store
    text, before = await store.get("home", VICTOR.id)
    [kept] = from_text(text).passkeys
    planted = replace(kept, confirmed=replace(kept.added, by=OLGA.id, name=OLGA.name))
    assert await store.put(
        "home", VICTOR.id, to_text(from_text(text).with_changed(planted)), before
    )
    assert await room.passkeys.of("home", VICTOR.id) == ()
    with pytest.raises(PasskeyFault, match="no such passkey"):
        await room.signed(mine)
    # A passkey that the app recorded for somebody else is no better.
    assert await store.put("home", "w1", text, "")
    assert await room.passkeys.of("home", "w1") == ()
    assert added.signature


@pytest.mark.parametrize("text", ["[]", "no JSON", '{"passkeys": [{"id": "AAAA"}]}'])
async def test_what_is_damaged_is_a_fault_of_the_store(room: Room, text: str) -> None:
    assert await room.passkeys.store.put("home", VICTOR.id, text, "")
    for asked in (
        room.passkeys.of("home", VICTOR.id),
        room.passkeys.of_all("home"),
        room.passkeys.remove(VICTOR, VICTOR.id, "AAAA"),
    ):
        with pytest.raises(StoreError, match="damaged"):
            await asked


async def test_nobody_has_more_than_so_many(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ring, "MOST_PASSKEYS", 2)
    for _ in range(2):
        await room.add(Authenticator())
    with pytest.raises(PasskeyFault, match="limit"):
        await room.add(Authenticator())


# An id can be anything that an issuer writes, also what JSON writes in another way.
@pytest.mark.parametrize("operator", [OLGA.id, 'HOME\\olga "o"', "ölga"])
async def test_who_is_erased_has_no_passkeys_and_no_name_at_those_of_others(
    room: Room, operator: str
) -> None:
    mine = Authenticator()
    added = await room.add(mine)
    await room.passkeys.confirm(replace(OLGA, id=operator), VICTOR.id, added.id)
    assert await room.passkeys.erase("home", operator) == 0
    [kept] = await room.passkeys.of_all("home")
    assert not kept.names(operator)
    assert "Olga" not in (await room.passkeys.store.get("home", VICTOR.id))[0]
    await room.signed(mine)
    assert await room.passkeys.erase("home", VICTOR.id) == 1
    assert await room.passkeys.of("home", VICTOR.id) == ()
    assert await room.passkeys.store.people("home") == []


async def test_without_a_page_or_a_key_there_are_none(room: Room) -> None:
    for lacking in (replace(room.passkeys, site=None), replace(room.passkeys, seal=None)):
        with pytest.raises(SettingsError, match="Passkeys need"):
            lacking.require_site()
        assert await lacking.of("home", VICTOR.id) == ()


async def test_an_older_state_brings_back_a_removed_passkey_but_confirms_none(room: Room) -> None:
    # The limit that docs/proof.md states: what the app signed once cannot be told from what is.
    mine = Authenticator(counter=None)
    added = await room.add(mine)
    store = room.passkeys.store
    waiting, _ = await store.get("home", VICTOR.id)
    await room.passkeys.confirm(OLGA, VICTOR.id, added.id)
    confirmed, _ = await store.get("home", VICTOR.id)
    await room.passkeys.remove(OLGA, VICTOR.id, added.id)
    for older, faults in ((waiting, "waits for an operator"), (confirmed, None)):
        _, before = await store.get("home", VICTOR.id)
        assert await store.put("home", VICTOR.id, older, before)
        if faults:
            with pytest.raises(PasskeyFault, match=faults):
                await room.signed(mine)
    thief = Authenticator(counter=None, id=mine.id)
    with pytest.raises(PasskeyFault, match="signature"):
        await room.signed(thief)
    assert await room.signed(mine)
