"""Append three rows at a time and say so once they are stored, until somebody ends it."""

import asyncio
import sys
from datetime import datetime, timezone

from conftest import ADAPTERS

from countersign.approvals.events import WorkDone
from countersign.approvals.person import SYSTEM


async def main(adapter: str, place: str) -> None:
    ledger = ADAPTERS[adapter].ledger(place)
    event = WorkDone(at=datetime.now(timezone.utc), actor=SYSTEM, step="draft", result="1" * 64)
    sequence = len(await ledger.read("home", "op-1"))
    while True:
        rows = await ledger.append("home", "op-1", sequence, [event, event, event])
        sequence = rows[-1].sequence
        print(sequence, flush=True)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
