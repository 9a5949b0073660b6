import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from countersign.approvals.errors import Conflict
from countersign.approvals.events import Event
from countersign.approvals.ledger import Ledger, chain, verify

Work = Callable[[str], Event]
Start = Callable[..., Any]
Race = Callable[..., list[list[str]]]


async def test_an_unknown_operation_has_no_rows(ledger: Ledger) -> None:
    assert await ledger.read("home", "op-1") == []


async def test_what_is_read_is_what_was_appended(
    ledger: Ledger, started: Event, work: Work
) -> None:
    first = await ledger.append("home", "op-1", 0, [started, work("plan")])
    second = await ledger.append("home", "op-1", 2, [work("draft")])
    rows = await ledger.read("home", "op-1")
    assert rows == first + second
    assert rows == chain("home", "op-1", None, [started, work("plan"), work("draft")])
    assert verify("home", "op-1", rows) is None


@pytest.mark.parametrize("expected", [0, 2, -1])
async def test_only_the_next_sequence_can_be_appended(
    ledger: Ledger, started: Event, expected: int
) -> None:
    rows = await ledger.append("home", "op-1", 0, [started])
    with pytest.raises(Conflict):
        await ledger.append("home", "op-1", expected, [started])
    assert await ledger.read("home", "op-1") == rows


async def test_nothing_begins_in_the_middle(ledger: Ledger, started: Event) -> None:
    with pytest.raises(Conflict):
        await ledger.append("home", "op-1", 1, [started])
    assert await ledger.read("home", "op-1") == []


async def test_appending_nothing_changes_nothing_but_still_notices_a_conflict(
    ledger: Ledger, started: Event
) -> None:
    assert await ledger.append("home", "op-1", 0, []) == []
    await ledger.append("home", "op-1", 0, [started])
    with pytest.raises(Conflict):
        await ledger.append("home", "op-1", 0, [])


@pytest.mark.parametrize(
    ("tenant", "operation_id"),
    [
        ("other", "op-1"),  # another tenant
        ("home", "op-2"),  # another operation
        ("homeop-", "1"),  # the same letters, cut elsewhere
        ("HOME", "op-1"),  # capitals are other names
        ("home ", "op-1"),  # so are blanks
        ("' OR 1=1 --", "op-1"),
        ("home/op-1", ""),  # what means something in a path or a key
        ("home", "op-1/"),
        ("home", "..\\#?%2F"),
        ("home:op-1", ""),
        ("home", "\x00\n😀" * 100),
    ],
)
async def test_rows_are_seen_in_their_own_tenant_and_operation_only(
    ledger: Ledger, started: Event, tenant: str, operation_id: str
) -> None:
    await ledger.append("home", "op-1", 0, [started])
    assert await ledger.read(tenant, operation_id) == []
    (row,) = await ledger.append(tenant, operation_id, 0, [started])
    assert row.sequence == 1
    assert len(await ledger.read("home", "op-1")) == 1


async def test_one_of_many_appends_at_once_wins(ledger: Ledger, work: Work) -> None:
    tries = [ledger.append("home", "op-1", 0, [work(str(n))]) for n in range(8)]
    answers = await asyncio.gather(*tries, return_exceptions=True)
    won = [answer for answer in answers if not isinstance(answer, BaseException)]
    assert len(won) == 1
    assert all(isinstance(answer, Conflict) for answer in answers if answer not in won)
    assert await ledger.read("home", "op-1") == won[0]


async def test_two_processes_never_win_the_same_sequence(
    ledger: Ledger, other: Start, race: Race
) -> None:
    names = ("one", "two")
    answers = race(*(other("append_in_turns", name, "40") for name in names))
    won = {int(said): name for name, each in zip(names, answers, strict=True) for said in each}
    rows = await ledger.read("home", "op-1")
    assert sum(map(len, answers)) == len(rows) == 40
    assert {row.sequence: getattr(row.event, "step", "") for row in rows} == won
    assert verify("home", "op-1", rows) is None


async def test_a_kill_in_the_middle_of_appending_leaves_an_intact_chain(
    ledger: Ledger, other: Start
) -> None:
    before = 0
    for appends in (1, 4, 9, 2):
        writer = other("append_until_killed")
        answered = [writer.line() for _ in range(appends)] + writer.kill()
        rows = await ledger.read("home", "op-1")
        assert verify("home", "op-1", rows) is None
        assert len(rows) >= int(answered[-1]) > before
        assert len(rows) % 3 == 0
        before = len(rows)
