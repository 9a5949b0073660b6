"""Work that takes long has threads of its own, and nothing else waits for them."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextvars import ContextVar

import pytest

from countersign.platform.threads import Threads

CALLER: ContextVar[str] = ContextVar("caller")
PATIENCE_SECONDS = 30.0


@pytest.fixture
def gate() -> Iterator[threading.Event]:
    """What work waits for that is to take as long as the test."""
    gate = threading.Event()
    yield gate
    gate.set()


async def test_work_that_takes_long_holds_up_neither_the_loop_nor_other_threads(
    gate: threading.Event,
) -> None:
    busy = Threads("busy", 2)
    work = [asyncio.create_task(busy.run(gate.wait)) for _ in range(3)]
    assert await Threads("free", 1).run(str, 7) == "7"
    assert await asyncio.to_thread(str, 7) == "7"
    assert not any(each.done() for each in work)
    gate.set()
    assert await asyncio.wait_for(asyncio.gather(*work), PATIENCE_SECONDS) == [True] * 3


async def test_what_comes_on_top_waits_for_its_turn(gate: threading.Event) -> None:
    one, begun = Threads("one", 1), threading.Event()
    first = asyncio.create_task(one.run(gate.wait))
    second = asyncio.create_task(one.run(begun.set))
    assert await asyncio.to_thread(str, 7) == "7"
    assert not begun.is_set()
    gate.set()
    await asyncio.wait_for(asyncio.gather(first, second), PATIENCE_SECONDS)
    assert begun.is_set()


async def test_work_is_within_the_context_of_who_wanted_it() -> None:
    CALLER.set("research-1")
    assert await Threads("work", 1).run(CALLER.get) == "research-1"


async def test_what_work_raises_reaches_who_wanted_it() -> None:
    with pytest.raises(ZeroDivisionError):
        await Threads("work", 1).run(divmod, 1, 0)
