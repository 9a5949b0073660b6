"""Try to append at every sequence at the same time as others; say which were won."""

import asyncio
import sys
from datetime import datetime, timezone

from conftest import ADAPTERS

from countersign.approvals.errors import Conflict
from countersign.approvals.events import WorkDone
from countersign.approvals.person import SYSTEM


async def main(adapter: str, place: str, name: str, turns: str) -> None:
    ledger = ADAPTERS[adapter].ledger(place)
    event = WorkDone(at=datetime.now(timezone.utc), actor=SYSTEM, step=name, result="1" * 64)
    print("ready", flush=True)
    sys.stdin.readline()
    for turn in range(int(turns)):
        try:
            (row,) = await ledger.append("home", "op-1", turn, [event])
        except Conflict:
            continue
        print(row.sequence, flush=True)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
