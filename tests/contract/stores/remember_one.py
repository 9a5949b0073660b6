"""Remember a result of the same work at the same time as others; say which one stands."""

import asyncio
import sys

from conftest import ADAPTERS


async def main(adapter: str, place: str, reference: str, keys: str) -> None:
    artifacts = ADAPTERS[adapter].artifacts(place)
    print("ready", flush=True)
    sys.stdin.readline()
    for key in range(int(keys)):
        print(await artifacts.remember("home", str(key), reference), flush=True)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
