"""A round through a long list is bounded, fair, and not held up by any one entry."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from countersign.stores.index import Stalled
from endpoints.rounds import AT_ONCE, MOST_AWAY, ListRound
from endpoints.runtime import RuntimeAway, patiently

MANY = 20_000
LONG = 60.0


async def listed(after: str | None = None, most: int = MANY) -> AsyncIterator[Stalled]:
    """A list as an index gives it out."""
    for number in range(int(after) + 1 if after else 0, most):
        yield Stalled("home", f"op-{number}", f"{number}")


async def test_all_of_a_list_are_seen_to_some_side_by_side() -> None:
    seen: list[str] = []
    most = busy = 0

    async def work(item: Stalled) -> None:
        nonlocal most, busy
        busy += 1
        most = max(most, busy)
        await asyncio.sleep(0)
        busy -= 1
        seen.append(item.operation_id)

    going = ListRound(listed(most=500), work)
    await going.run(LONG)
    assert sorted(seen) == sorted(f"op-{number}" for number in range(500))
    assert going.ended
    assert 1 < most <= AT_ONCE


async def test_what_is_wrong_with_one_holds_up_no_other() -> None:
    seen: list[str] = []

    async def work(item: Stalled) -> None:
        if item.operation_id.endswith("0"):
            raise KeyError("damaged")
        seen.append(item.operation_id)

    await ListRound(listed(most=100), work).run(LONG)
    assert len(seen) == 90


async def test_a_runtime_that_hangs_is_asked_about_a_few_of_20_000(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("endpoints.runtime.PATIENCE_SECONDS", 0.01)
    asked: list[str] = []

    async def work(item: Stalled) -> None:
        asked.append(item.operation_id)
        await patiently(asyncio.Event().wait())

    going = ListRound(listed(), work)
    await going.run(LONG)
    assert not going.ended
    assert MOST_AWAY <= len(asked) <= AT_ONCE + MOST_AWAY


async def test_some_about_which_the_runtime_gives_no_answer_do_not_end_a_round() -> None:
    seen: list[str] = []

    async def work(item: Stalled) -> None:
        number = int(item.position)
        # Side by side they come back in their order.
        if number % MOST_AWAY == 0:
            raise RuntimeAway("no answer")
        seen.append(item.operation_id)

    going = ListRound(listed(most=300), work)
    await going.run(LONG)
    assert going.ended
    assert len(seen) == 200


async def test_a_head_that_is_stuck_does_not_keep_the_tail_from_its_turn() -> None:
    seen: set[str] = set()

    async def work(item: Stalled) -> None:
        if int(item.position) < 3 * AT_ONCE:
            await asyncio.Event().wait()
        seen.add(item.operation_id)

    after, runs, ended = None, 0, False
    while not ended:
        going = ListRound(listed(after, most=400), work)
        await going.run(0.05)
        assert going.last
        after, ended, runs = going.last.position, going.ended, runs + 1
        assert runs < 50
    assert len(seen) == 400 - 3 * AT_ONCE
