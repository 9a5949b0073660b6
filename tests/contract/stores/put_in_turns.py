"""Put the states of one operation, newest last, at the same time as others."""

import asyncio
import sys
from dataclasses import replace

from conftest import ADAPTERS


async def main(adapter: str, place: str, first: str, last: str, step: str) -> None:
    index = ADAPTERS[adapter].index(place)
    summary = await index.get("home", "op-1")
    assert summary is not None
    print("ready", flush=True)
    sys.stdin.readline()
    for sequence in range(int(first), int(last), int(step)):
        await index.put(replace(summary, sequence=sequence, tokens=sequence), "none")
    print("done", flush=True)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
