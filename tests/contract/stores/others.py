"""What other processes do to the stores meanwhile; run as `others.py WHAT ADAPTER PLACE …`."""

import asyncio
import sys
from dataclasses import replace
from datetime import datetime, timezone

from conftest import ADAPTERS

from countersign.approvals.errors import Conflict
from countersign.approvals.events import Event, WorkDone
from countersign.approvals.person import SYSTEM


async def append_in_turns(adapter: str, place: str, name: str, turns: str) -> None:
    """Try to append at every sequence; say which were won."""
    ledger = ADAPTERS[adapter].ledger(place)
    wait_for_the_others()
    for turn in range(int(turns)):
        try:
            (row,) = await ledger.append("home", "op-1", turn, [event(name)])
        except Conflict:
            continue
        say(row.sequence)


async def append_until_killed(adapter: str, place: str) -> None:
    """Append three rows at a time; say so once they are stored."""
    ledger = ADAPTERS[adapter].ledger(place)
    sequence = len(await ledger.read("home", "op-1"))
    while True:
        rows = await ledger.append("home", "op-1", sequence, [event("draft")] * 3)
        sequence = rows[-1].sequence
        say(sequence)


async def put_in_turns(adapter: str, place: str, first: str, last: str) -> None:
    """Put every second state of one operation."""
    index = ADAPTERS[adapter].index(place)
    summary = await index.get("home", "op-1")
    assert summary is not None
    wait_for_the_others()
    for sequence in range(int(first), int(last) + 1, 2):
        await index.put(replace(summary, sequence=sequence, tokens=sequence), "none")


async def remember(adapter: str, place: str, reference: str, keys: str) -> None:
    """Remember a result of each piece of work; say which one stands."""
    artifacts = ADAPTERS[adapter].artifacts(place)
    wait_for_the_others()
    for key in range(int(keys)):
        say(await artifacts.remember("home", str(key), reference))


async def read_first(adapter: str, place: str) -> None:
    """Read from stores that may not be there yet."""
    wait_for_the_others()
    await ADAPTERS[adapter].ledger(place).read("home", "op-1")


def event(step: str) -> Event:
    return WorkDone(at=datetime.now(timezone.utc), actor=SYSTEM, step=step, result="1" * 64)


def wait_for_the_others() -> None:
    say("ready")
    sys.stdin.readline()


def say(what: object) -> None:
    sys.stdout.write(f"{what}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    asyncio.run(globals()[sys.argv[1]](*sys.argv[2:]))
