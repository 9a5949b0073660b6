from __future__ import annotations

import asyncio
from dataclasses import replace

from devhost.durable.instance import Instance
from devhost.engine.endings import Endings

RUNNING = Instance(
    id="one",
    execution="e",
    name="chain",
    version="",
    status="Running",
    input=None,
    created="2026-01-01T00:00:00.0000000Z",
    updated="2026-01-01T00:00:00.0000000Z",
)
OVER = replace(RUNNING, status="Completed", output='"done"')


async def test_all_who_wait_for_an_instance_are_told_its_end() -> None:
    endings = Endings()
    with endings.awaited("one") as first, endings.awaited("one") as second:
        endings.tell(RUNNING)
        endings.tell(replace(OVER, id="another"))
        assert not first.done()
        endings.tell(OVER)
        assert first.result() == second.result() == OVER


async def test_who_has_given_up_keeps_nobody_else_from_being_told() -> None:
    endings = Endings()
    with endings.awaited("one") as patient:
        with endings.awaited("one") as hasty:
            await asyncio.wait([hasty], timeout=0)
        endings.tell(OVER)
        assert patient.result() == OVER
        assert not hasty.done()
    endings.tell(OVER)
