"""Write texts, each for an operation of its own, at the same time as others; show the receipts."""

import asyncio
import json
import sys

from conftest import DESTINATIONS

from countersign.operations.writing import write_once


async def main(name: str, place: str, operation_id: str, *texts: str) -> None:
    destination = DESTINATIONS[name](place)
    say("ready")
    sys.stdin.readline()
    for number, text in enumerate(texts):
        receipt = await write_once(
            destination, tenant="home", operation_id=f"{operation_id}-{number}", data=text.encode()
        )
        say(json.dumps(receipt))


def say(what: str) -> None:
    sys.stdout.write(f"{what}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
