"""A signature counts for one approval, by a passkey of that person's which counts."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import pytest

from countersign.approvals.person import Person
from countersign.passkeys.challenge import Approval, approval_challenge
from countersign.passkeys.errors import PasskeyFault
from countersign.passkeys.signature import check, read_signed
from countersign.platform.base64url import to_base64url
from testbed.authenticator import USER_PRESENT, USER_VERIFIED, Authenticator
from tests.unit.passkeys.conftest import APPROVAL, OLGA, SITE, VICTOR, Room

Device = Callable[..., Awaitable[Authenticator]]


async def test_what_a_passkey_signed_can_be_checked_without_the_app(
    room: Room, device: Device
) -> None:
    signed = await room.signed(await device())
    again = read_signed(signed.to_text())
    assert again == signed
    assert check(again, approval_challenge(APPROVAL)).origin == SITE.origin


@pytest.mark.parametrize(
    "other",
    [
        {"operation": "research-2"},
        {"version": 2},
        {"digest": "c" * 64},
        {"comment": ""},
        # Each row of the ledger makes another challenge, so nothing is used twice.
        {"after": 5},
        {"previous": "f" * 64},
    ],
)
async def test_it_counts_for_nothing_else(
    room: Room, device: Device, other: dict[str, Any]
) -> None:
    with pytest.raises(PasskeyFault, match="wrong challenge"):
        await room.signed(await device(), meant=replace(APPROVAL, **other))


async def test_it_counts_for_nobody_else(room: Room, device: Device) -> None:
    mine = await device()
    wanda = Person(id="w1", name="Wanda", tenant="home", roles=VICTOR.roles)
    hers = await room.add(Authenticator(), wanda)
    await room.passkeys.confirm(OLGA, wanda.id, hers.id)
    for other in ({"person": wanda.id}, {"tenant": "away"}):
        with pytest.raises(PasskeyFault, match="has no such passkey"):
            await room.signed(mine, replace(APPROVAL, **other))


@pytest.mark.parametrize(
    ("forged", "reason"),
    [
        ({"origin": "https://sign.example.org.evil.example"}, "origin"),
        # The domain would do, but it is not the app's page.
        ({"origin": "https://other.sign.example.org"}, "signed on https://other"),
        ({"origin": "http://sign.example.org"}, "origin"),
        ({"domain": "example.org"}, "RP ID"),
        ({"type": "webauthn.create"}, "type"),
        ({"crossOrigin": True}, "embedded in another"),
        ({"challenge": to_base64url(bytes(32))}, "challenge"),
        ({"challenge": 1}, "challenge"),
    ],
)
async def test_what_was_signed_elsewhere_or_for_something_else_does_not_count(
    room: Room, device: Device, forged: dict[str, Any], reason: str
) -> None:
    with pytest.raises(PasskeyFault, match=reason):
        await room.signed(await device(), **forged)


@pytest.mark.parametrize("flags", [0, USER_PRESENT, USER_VERIFIED])
async def test_a_user_who_was_not_there_or_not_verified_signs_nothing(
    room: Room, device: Device, flags: int
) -> None:
    mine = await device()
    mine.flags = flags
    with pytest.raises(PasskeyFault, match="flag not set"):
        await room.signed(mine)


async def test_another_key_of_the_same_id_signs_nothing(room: Room, device: Device) -> None:
    mine = await device()
    with pytest.raises(PasskeyFault, match=r"nvalid signature"):
        await room.signed(Authenticator(id=mine.id))


async def test_a_counter_that_does_not_go_on_gives_a_copy_away(room: Room, device: Device) -> None:
    mine = await device(counter=7)
    await room.signed(mine)
    mine.counter = 7
    with pytest.raises(PasskeyFault, match="counter did not increase"):
        await room.signed(mine)
    mine.counter = None
    with pytest.raises(PasskeyFault, match="counter did not increase"):
        await room.signed(mine)


async def test_a_passkey_that_does_not_count_signs_again_and_again(
    room: Room, device: Device
) -> None:
    mine = await device(counter=None)
    for _ in range(2):
        await room.signed(mine)


async def test_only_a_confirmed_passkey_signs_and_a_removed_one_does_not(room: Room) -> None:
    mine = Authenticator()
    added = await room.add(mine)
    with pytest.raises(PasskeyFault, match="waits for an operator"):
        await room.signed(mine)
    await room.passkeys.confirm(OLGA, VICTOR.id, added.id)
    await room.signed(mine)
    await room.passkeys.remove(VICTOR, VICTOR.id, added.id)
    with pytest.raises(PasskeyFault, match="was removed"):
        await room.signed(mine)


@pytest.mark.parametrize("part", ["client_data", "authenticator_data", "signature", "public_key"])
@pytest.mark.parametrize("text", ["", "A", "AA", "oQEC", to_base64url(b'{"type":[]}'), "!"])
async def test_what_is_no_signature_is_refused_in_words(
    room: Room, device: Device, part: str, text: str
) -> None:
    signed = replace(await room.signed(await device()), **{part: text})
    with pytest.raises(PasskeyFault, match=r"\.$"):
        check(signed, approval_challenge(APPROVAL))


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"id":1}', "[erased]"])
def test_what_is_no_record_of_one_is_refused(text: str) -> None:
    with pytest.raises(PasskeyFault):
        read_signed(text)


async def test_a_record_has_one_form(room: Room, device: Device) -> None:
    text = (await room.signed(await device())).to_text()
    with pytest.raises(PasskeyFault, match="not in the form"):
        read_signed(text.replace(",", ", "))


def test_a_challenge_is_one_that_other_programs_can_compute() -> None:
    approval = Approval(
        tenant="t",
        operation="o",
        version=1,
        digest="d",
        person="p",
        comment="",
        after=1,
        previous="r",
    )
    assert approval_challenge(approval).hex() == (
        "4cc803c833b328aefd3d1f3730935bf9c5e774926ec5202c29773eedded8714e"
    )
