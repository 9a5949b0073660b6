"""What operators hear of passkeys, and from whom."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timezone

import pytest

from countersign.notices.addresses import Address, Addresses
from countersign.notices.channels import Delivery
from countersign.notices.message import Message
from countersign.notices.passkey_notice import PasskeyNotices, passkey_message
from countersign.passkeys.news import PasskeyChange
from countersign.passkeys.ring import Passkey, PasskeyAct

NOON = datetime(2026, 11, 2, 12, tzinfo=timezone.utc)
HOME = "https://sign.example.org"
VICTOR, OLGA = (PasskeyAct(at=NOON, by=f"{name}-1", name=name) for name in ("Victor", "Olga"))
PASSKEY = Passkey(
    id="AAAA", public_key="AAAA", label="My key", added=VICTOR, confirmed=OLGA, removed=OLGA
)
OPERATORS, OTHERS = Address(label="ops", url="json://ops"), Address(label="all", url="json://all")


class Recorder:
    """A channel that keeps what it is given, and can say that nobody was reached."""

    def __init__(self, fault: str = "") -> None:
        self.fault = fault
        self.sent: list[tuple[Sequence[Address], Message]] = []

    async def send(self, addresses: Sequence[Address], message: Message) -> Delivery:
        self.sent.append((addresses, message))
        labels = [each.label for each in addresses]
        return Delivery(
            taken=() if self.fault else tuple(labels),
            failed=dict.fromkeys(labels, self.fault) if self.fault else {},
        )


@pytest.mark.parametrize(
    ("step", "first", "follows"),
    [
        ("added", "Victor (Victor-1) added a passkey", "until an operator has confirmed it"),
        ("confirmed", "Olga (Olga-1) confirmed a passkey of Victor (Victor-1)", "can sign"),
        ("removed", "Olga (Olga-1) removed a passkey of Victor (Victor-1)", "an older state"),
    ],
)
def test_it_says_who_did_what_and_to_which_passkey(
    step: PasskeyChange, first: str, follows: str
) -> None:
    message = passkey_message(PASSKEY, step, HOME)
    assert message.subject == f"Passkey {step}: Victor (Victor-1)"
    assert message.lines[0] == first
    assert f"Fingerprint: {PASSKEY.fingerprint}" in message.lines
    assert follows in message.lines[-1]
    assert message.link == f"{HOME}/api/review?passkeys"


def test_who_removes_their_own_is_not_named_twice() -> None:
    message = passkey_message(replace(PASSKEY, removed=VICTOR), "removed", None)
    assert message.lines[0] == "Victor (Victor-1) removed their own passkey"


def test_nobody_puts_a_link_or_a_line_into_it_with_a_name() -> None:
    liar = replace(VICTOR, name="Eve\n[x](https://evil.example)", by="<a>`*")
    message = passkey_message(replace(PASSKEY, added=liar), "confirmed", HOME)
    for line in (message.subject, *message.lines):
        assert not set("<>[]`*\n") & set(line)
        assert "://" not in line


async def test_it_goes_to_the_channels_of_operators_and_a_dead_one_is_no_error(
    caplog: pytest.LogCaptureFixture,
) -> None:
    addresses = Addresses(everybody=(OTHERS,), by_role={"Operator": (OPERATORS,)})
    recorder = Recorder("it answered 500")
    notices = PasskeyNotices(channels=recorder, addresses=addresses, home=HOME)
    with caplog.at_level(logging.WARNING):
        await notices.tell(PASSKEY, "added")
    [(told, _)] = recorder.sent
    assert told == (OPERATORS,)
    assert "it answered 500" in caplog.text


async def test_where_nobody_is_named_nothing_is_sent() -> None:
    recorder = Recorder()
    await PasskeyNotices(channels=recorder, addresses=Addresses(), home=HOME).tell(PASSKEY, "added")
    assert recorder.sent == []
