"""Has one order and one report go through, and returns what was counted of each."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.gate.shop import Shop
from bench.gate.sides import Countersign, Place, Reports
from bench.loopback import Client

Counts = Mapping[str, int]

_APP = Path(__file__).parent / "app"
_ON_THE_WAY = {"running", "awaiting_approval"}
_ENDED = {"ordered", "published"}


async def count(storage: str | None = None) -> Mapping[str, Counts]:
    """Count what an approved order and an approved report cost, by what it is.

    Args:
        storage: the connection string of a storage account; None for the embedded stores.
    """
    kinds = {"order": Countersign, "report": Reports}
    async with _place() as place:
        found: dict[str, Counts] = {}
        for name, kind in kinds.items():
            settings = {"COUNTERSIGN_RECONCILE_AFTER_SECONDS": "3600"}
            if storage:
                settings["COUNTERSIGN_STORAGE"] = storage
                settings["COUNTERSIGN_STORAGE_PREFIX"] = f"t{uuid.uuid4().hex[:12]}"
            side = kind(place, app=_APP, settings=settings)
            side.process.start()
            try:
                # What is made once, such as a table, belongs to none.
                await _carried_through(side)
                found[name] = await _carried_through(side)
            finally:
                side.process.kill()
    return found


@asynccontextmanager
async def _place() -> AsyncIterator[Place]:
    shop = Shop()
    await shop.open()
    with TemporaryDirectory() as name:
        folder = Path(name)
        with folder.joinpath("host.log").open("w") as output:
            yield Place(folder=folder, shop=shop, output=output)
    await shop.close()


async def _carried_through(side: Countersign) -> Counts:
    asking = Client(side.process.port, side.requester)
    deciding = Client(side.process.port, side.approver)
    await asking.json("POST", "/api/counts", 200)
    operation = await side.begin(asking, 1)
    await _until(side, asking, operation, {"awaiting_approval"})
    decision = await side.decision(deciding, operation)
    await deciding.json("POST", decision.path, 200, body=decision.body)
    await _until(side, asking, operation, _ENDED)
    await _until_over(asking, operation)
    counts = await asking.json("POST", "/api/counts", 200)
    asking.close()
    deciding.close()
    return counts


async def _until(side: Countersign, client: Client, operation: str, states: set[str]) -> None:
    while (state := await side.state(client, operation)) not in states:
        if state not in _ON_THE_WAY:
            raise RuntimeError(f"{operation} is {state}")
        await asyncio.sleep(0.02)


async def _until_over(client: Client, operation: str) -> None:
    """Wait for the last turn of its orchestration, which comes after its end is recorded."""
    status = "/runtime/webhooks/durabletask/instances"
    while True:
        found = await client.json("GET", f"{status}/{operation}", 200, 202)
        if found["runtimeStatus"] == "Completed":
            return
        await asyncio.sleep(0.02)
