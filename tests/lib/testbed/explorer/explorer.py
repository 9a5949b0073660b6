"""Worlds one after the other, each from a seed of its own, and what was found in them."""

from __future__ import annotations

import asyncio
import logging
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from countersign.approvals.events import DecisionRecorded
from countersign.approvals.folding import fold
from countersign.approvals.ledger import verify
from countersign.operations.summary import summarise
from testbed.explorer.loop import SimulatedLoop
from testbed.explorer.people import ROLES, TENANT
from testbed.explorer.promises import OrderWitness, ended_once
from testbed.explorer.services import at_home
from testbed.explorer.world import World


@dataclass(frozen=True, kw_only=True)
class Explored:
    """What came of one world.

    Attributes:
        steps: how often something passed between two parts of it.
        outcomes: as what its operations ended, and how often.
        broken: what was not as promised; empty if all was.
    """

    seed: int
    steps: int
    outcomes: Counter[str]
    broken: str = ""


def explore(first: int, seconds: float) -> Iterator[Explored]:
    """Play worlds, from a first seed on, for so long."""
    until = time.monotonic() + seconds
    seed = first
    while time.monotonic() < until:
        yield play(seed)
        seed += 1


def play(seed: int) -> Explored:
    """Play the world of a seed and look at it once it has come to rest."""
    loop = SimulatedLoop()
    world = World(seed)
    logging.disable(logging.CRITICAL)
    try:
        with at_home(world.system, loop), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            loop.run_until_complete(world.play())
            outcomes, broken = loop.run_until_complete(_looked_at(world))
    finally:
        logging.disable(logging.NOTSET)
        _close(loop)
    return Explored(seed=seed, steps=world.chance.steps, outcomes=outcomes, broken=broken)


async def _looked_at(world: World) -> tuple[Counter[str], str]:
    outcomes: Counter[str] = Counter()
    for operation_id in world.people.asked:
        try:
            outcomes[await _outcome(world, operation_id)] += 1
        except AssertionError:
            return outcomes, _told(world, operation_id, await _ledger(world, operation_id))
    return outcomes, ""


async def _outcome(world: World, operation_id: str) -> str:
    rows = await world.rows(operation_id)
    events = [row.event for row in rows]
    assert verify(TENANT, operation_id, rows) is None
    ended_once(events, world.system.of(operation_id), world.shared.contents)
    acknowledged = [event for name, event in world.people.acknowledged if name == operation_id]
    recorded = [event for event in events if isinstance(event, DecisionRecorded)]
    assert all(event in recorded for event in acknowledged), "an acknowledged decision is lost"
    OrderWitness(
        events=events,
        roles=ROLES,
        acknowledged=recorded,
        written=None,
        contents=world.shared.contents,
    ).finds_the_promises_kept()
    operation = fold(TENANT, operation_id, events)
    assert operation
    assert operation.closed
    assert await world.shared.index.get(TENANT, operation_id) == summarise(operation)
    return operation.closed.outcome


async def _ledger(world: World, operation_id: str) -> list[str]:
    return [f"{row.sequence:3} {row.type} {row.data}" for row in await world.rows(operation_id)]


def _told(world: World, operation_id: str, ledger: list[str]) -> str:
    placed = [f"{each}" for each in world.system.of(operation_id)]
    return "\n".join([operation_id, *world.told, *ledger, *placed, traceback.format_exc()])


def _close(loop: SimulatedLoop) -> None:
    for task in asyncio.all_tasks(loop):
        task.cancel()
    loop.run_until_complete(asyncio.sleep(0))
    loop.close()
