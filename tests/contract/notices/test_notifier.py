"""Notices from the ledger to real receivers: once each, and what became of them is written down."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from countersign.approvals import offering, rules
from countersign.approvals.digest import canonical, sha256
from countersign.approvals.events import (
    NoticeClaimed,
    NoticeInDoubt,
    NoticeSent,
    OperationStarted,
)
from countersign.approvals.hold import Hold
from countersign.approvals.ledger import Entry, Row
from countersign.approvals.operation import Operation
from countersign.approvals.person import Actor
from countersign.approvals.policy import Policy
from countersign.notices.addresses import Address, read_addresses
from countersign.notices.apprise import AppriseChannels
from countersign.notices.channels import Delivery
from countersign.notices.message import Message
from countersign.notices.notifier import PAUSES, Notifier
from countersign.operations.repository import Changed, Operations, Rule
from countersign.roles import REPORT_ESCALATION, REPORT_REVIEWER
from countersign.stores.errors import StoreError
from countersign.stores.memory import MemoryArtifacts
from countersign.stores.sqlite import SqliteLedger
from countersign.stores.sqlite_index import SqliteIndex
from countersign.stores.summary import Summary
from testbed.listener import Listener

# Apprise imports it for a library that needs it, where there still is one.
pytestmark = pytest.mark.filterwarnings("ignore:'imghdr' is deprecated:DeprecationWarning")

OFFER = offering.Open(version=1, digest="0" * 64, content="c", evidence="e")


class Office:
    """One operation whose first version is open, and what tells people of it."""

    def __init__(self, data: Path) -> None:
        self.now = datetime(2026, 11, 2, 12, tzinfo=timezone.utc)
        file = data / "countersign.db"
        self.operations = Operations(SqliteLedger(file), SqliteIndex(file), lambda: self.now)
        self.artifacts = MemoryArtifacts()

    def notifier(self, *, escalation: str = "", everybody: str = "") -> Notifier:
        addresses = read_addresses(
            {"COUNTERSIGN_NOTIFY": everybody, "COUNTERSIGN_NOTIFY__Report_Escalation": escalation}
        )
        return Notifier(
            self.operations, AppriseChannels(), addresses, "https://home.example", self.artifacts
        )

    async def open(self) -> Operation:
        policy = Policy(
            reviewer_role=REPORT_REVIEWER, escalation_role=REPORT_ESCALATION, window_seconds=1_000.0
        )
        started = OperationStarted(
            at=self.now,
            actor=Actor(id="rita", name="Rita"),
            kind="research",
            title="Tides",
            request="r",
            policy=policy,
        )
        await self.operations.start("home", "o-1", started)
        return await self.do(lambda state, now: offering.open_proposal(state, OFFER, now))

    async def do(self, rule: Rule) -> Operation:
        changed = await self.operations.change("home", "o-1", rule)
        assert isinstance(changed, Changed)
        return changed.operation

    async def wait(self, seconds: float) -> Operation:
        self.now += timedelta(seconds=seconds)
        return await self.do(lambda state, now: rules.settle(state, 1, now))

    async def recorded(self) -> list[object]:
        rows = await self.operations.ledger.read("home", "o-1")
        kinds = (NoticeClaimed, NoticeSent, NoticeInDoubt)
        return [row.event for row in rows if isinstance(row.event, kinds)]


@pytest.fixture
async def office(tmp_path: Path) -> Office:
    office = Office(tmp_path)
    await office.open()
    return office


async def test_what_is_due_is_sent_once_however_often_somebody_looks(
    office: Office, listener: Listener
) -> None:
    notifier = office.notifier(everybody=listener.url)
    for _ in range(3):
        await notifier.notify("home", "o-1")
    assert [body["title"] for body in listener.bodies] == ["Decision needed: “Tides”"]
    claimed, sent = await office.recorded()
    assert isinstance(claimed, NoticeClaimed)
    assert isinstance(sent, NoticeSent)
    assert (sent.notice, sent.taken, sent.failed) == ("opened:1", ("json 1",), {})


async def test_several_that_look_at_once_send_it_once(office: Office, listener: Listener) -> None:
    notifier = office.notifier(everybody=listener.url)
    await asyncio.gather(*(notifier.notify("home", "o-1") for _ in range(5)))
    assert len(listener.bodies) == 1
    sent = [each for each in await office.recorded() if isinstance(each, NoticeSent)]
    assert len(sent) == 1


def held(operation: Operation, episode: int) -> Operation:
    """The operation as it is shown while its ledger can't be trusted from a row on."""
    hold = Hold(
        step=None,
        cause="ledger_untrusted",
        reason=f"Row {episode} is not as it was recorded.",
        needs_operator=True,
        episode=episode,
        since=operation.updated_at,
        tries=1,
        tried_at=operation.updated_at,
        next_try=None,
        costly=False,
    )
    return replace(operation, hold=hold)


async def test_operators_are_told_once_of_a_ledger_that_cannot_be_trusted(
    office: Office, listener: Listener
) -> None:
    operation = await office.operations.load("home", "o-1")
    assert operation is not None
    notifier, another = (office.notifier(everybody=listener.url) for _ in range(2))
    await notifier.warn_of_ledger(operation)
    assert listener.bodies == []
    looks = [each.warn_of_ledger(held(operation, 3)) for each in (notifier, another, notifier)]
    await asyncio.gather(*looks)
    assert [body["title"] for body in listener.bodies] == ["Needs an operator: “Tides”"]
    await notifier.warn_of_ledger(held(operation, 2))
    assert len(listener.bodies) == 2
    assert "Row 2 is not as it was recorded." in listener.bodies[1]["message"]
    assert await office.recorded() == []


class CutOff(AppriseChannels):
    """Sends, or doesn't, and is ended in either case before it can say so."""

    def __init__(self, *, sends: bool) -> None:
        super().__init__()
        self.sends = sends

    async def send(self, addresses: Sequence[Address], message: Message) -> Delivery:
        if self.sends:
            await super().send(addresses, message)
        raise asyncio.CancelledError


@pytest.mark.parametrize("sends", [False, True])
async def test_a_warning_of_a_ledger_that_was_cut_off_is_sent_again_after_a_while(
    office: Office, listener: Listener, sends: bool
) -> None:
    operation = await office.operations.load("home", "o-1")
    assert operation is not None
    wrong, addresses = held(operation, 3), read_addresses({"COUNTERSIGN_NOTIFY": listener.url})
    cut_off, whole = (
        Notifier(office.operations, channels, addresses, None, office.artifacts)
        for channels in (CutOff(sends=sends), AppriseChannels())
    )
    with pytest.raises(asyncio.CancelledError):
        await cut_off.warn_of_ledger(wrong)
    await whole.warn_of_ledger(wrong)  # the other one may be at it yet
    assert len(listener.bodies) == sends
    for _ in range(3):
        office.now += timedelta(minutes=16)
        await whole.warn_of_ledger(wrong)
    assert len(listener.bodies) == sends + 1


async def test_a_ledger_that_an_earlier_release_told_of_is_not_told_of_again(
    office: Office, listener: Listener
) -> None:
    operation = await office.operations.load("home", "o-1")
    assert operation is not None
    key = sha256(canonical(["ledger warning", "o-1", "ledger_untrusted", 3]))
    await office.artifacts.remember("home", key, await office.artifacts.put("home", bytes(16)))
    office.now += timedelta(days=1)
    await office.notifier(everybody=listener.url).warn_of_ledger(held(operation, 3))
    assert listener.bodies == []


async def test_without_a_channel_nothing_is_news_and_nothing_is_recorded(office: Office) -> None:
    notifier = office.notifier()
    operation = await office.operations.load("home", "o-1")
    assert operation is not None
    assert not notifier.has_news(operation)
    await notifier.notify("home", "o-1")
    assert await office.recorded() == []


async def test_a_failing_channel_is_written_down_with_the_reason(
    office: Office, listener: Listener
) -> None:
    listener.status = 500
    await office.notifier(everybody=listener.url).notify("home", "o-1")
    _, sent = await office.recorded()
    assert isinstance(sent, NoticeSent)
    assert (sent.taken, sent.failed) == ((), {"json 1": "it answered 500"})


async def test_a_reminder_is_sent_once_and_one_that_came_too_late_never(
    office: Office, listener: Listener
) -> None:
    notifier = office.notifier(everybody=listener.url)
    await office.wait(500)
    await notifier.notify("home", "o-1")
    office.now += timedelta(seconds=499)
    await notifier.notify("home", "o-1")
    office.now += timedelta(seconds=1)
    await notifier.notify("home", "o-1")
    assert [body["title"][:13] for body in listener.bodies] == ["Reminder, 50 "]


async def test_a_role_with_channels_of_its_own_is_the_only_one_asked(
    office: Office, listener: Listener
) -> None:
    notifier = office.notifier(escalation=listener.url)
    await notifier.notify("home", "o-1")
    assert listener.bodies == []
    await office.wait(1_000)
    again = offering.Open(version=2, digest="1" * 64, content="c", evidence="e")
    await office.do(lambda state, now: offering.open_proposal(state, again, now))
    await notifier.notify("home", "o-1")
    [body] = listener.bodies
    assert "Nobody decided on version 1 in time, so it was escalated to the role" in body["message"]


class DyingChannels:
    """Channels during whose work the machine dies, before or after they have sent."""

    def __init__(self, dies_before: bool) -> None:
        self.dies_before = dies_before

    async def send(self, addresses: Sequence[Address], message: Message) -> Delivery:
        if not self.dies_before:
            await AppriseChannels().send(addresses, message)
        raise KeyboardInterrupt


@pytest.mark.parametrize("dies_before", [True, False])
async def test_what_a_dead_sender_left_is_in_doubt_and_never_sent_again(
    office: Office, listener: Listener, dies_before: bool
) -> None:
    addresses = read_addresses({"COUNTERSIGN_NOTIFY": listener.url})
    dying = Notifier(office.operations, DyingChannels(dies_before), addresses, None)
    with pytest.raises(KeyboardInterrupt):
        await dying.notify("home", "o-1")
    for _ in range(2):
        await office.notifier(everybody=listener.url).notify("home", "o-1")
    assert len(listener.bodies) == (0 if dies_before else 1)
    assert [type(each) for each in await office.recorded()] == [NoticeClaimed, NoticeInDoubt]


class AwayLedger(SqliteLedger):
    """A ledger that is away for some of its appends, counted from when it is told so."""

    appends = 0
    away: range = range(0)

    async def append(
        self,
        tenant: str,
        operation_id: str,
        expected_sequence: int,
        events: Sequence[Entry],
        *,
        shown: Summary | None = None,
        first: Callable[[], None] | None = None,
    ) -> list[Row]:
        self.appends += 1
        if self.appends in self.away:
            raise StoreError("it is away")
        return await super().append(
            tenant, operation_id, expected_sequence, events, shown=shown, first=first
        )


@pytest.mark.parametrize("first", [1, 2])  # the claim, and the result
async def test_a_ledger_that_is_away_for_a_while_costs_neither_the_notice_nor_its_result(
    office: Office, tmp_path: Path, listener: Listener, first: int
) -> None:
    ledger = AwayLedger(tmp_path / "countersign.db")
    ledger.away = range(first, first + len(PAUSES))
    office.operations = Operations(ledger, office.operations.index, office.operations.clock)
    addresses = read_addresses({"COUNTERSIGN_NOTIFY": listener.url})
    notifier = Notifier(
        office.operations, AppriseChannels(), addresses, None, pauses=[0.0] * len(PAUSES)
    )
    await notifier.notify("home", "o-1")
    assert len(listener.bodies) == 1
    assert [type(each) for each in await office.recorded()] == [NoticeClaimed, NoticeSent]


async def test_a_ledger_that_stays_away_is_given_up(office: Office, tmp_path: Path) -> None:
    ledger = AwayLedger(tmp_path / "countersign.db")
    ledger.away = range(1, 100)
    operations = Operations(ledger, office.operations.index, office.operations.clock)
    addresses = read_addresses({"COUNTERSIGN_NOTIFY": "json://127.0.0.1:1"})
    with pytest.raises(StoreError):
        await Notifier(operations, AppriseChannels(), addresses, None, pauses=[0.0] * 2).notify(
            "home", "o-1"
        )
    assert ledger.appends == 3


async def test_an_operation_that_does_not_exist_is_nothing_to_tell(office: Office) -> None:
    await office.notifier(everybody="json://127.0.0.1:1").notify("elsewhere", "o-1")
    assert await office.recorded() == []
