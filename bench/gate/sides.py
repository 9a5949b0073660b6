"""What is measured: this app, the same gate without it, and a peer; all over HTTP with tokens."""

from __future__ import annotations

import asyncio
import json
import os
import time
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import IO, Any, NamedTuple, Protocol

from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from jwt import PyJWK

from bench.gate.shop import Shop
from bench.loopback import Client
from devhost.identity.tokens import Tokens
from devhost.process import HostProcess, ServerProcess, free_port
from local.settings import APP, complete

_BARE = Path(__file__).parent / "bare"
_NUMBER = "NUMBER"
_ORDER = {
    "vendor": "Nordwind Office GmbH",
    "destination": "Goods in, Hafenstraße 12, Hamburg",
    "currency": "EUR",
    "lines": [
        {"sku": "DESK-160", "description": "Desk", "quantity": 2, "unit_price": "289.50"},
        {"sku": "LAMP-2", "description": "Desk lamp", "quantity": 2, "unit_price": "39.90"},
    ],
    "reason": f"Two people join team {_NUMBER} in March.",
}
_LIMITS = "EUR 1000 50000"
_QUESTION = f"When does the ferry of timetable {_NUMBER} leave for the island?"
_FERRY = {
    "title": "The ferry",
    "text": f"This is timetable {_NUMBER}. The ferry to the island leaves every morning at seven."
    " In winter it leaves at nine, because the harbour freezes. A ticket costs four euros."
    " The crossing takes forty minutes. Bicycles travel free of charge. The last ferry returns"
    " at six in the evening.",
}


class Decision(NamedTuple):
    """What has to be sent to approve one order."""

    path: str
    body: bytes


@dataclass(frozen=True, kw_only=True, slots=True)
class Place:
    """Where a side runs: what it may fill, who asks and decides there, and where it orders."""

    folder: Path
    shop: Shop
    output: IO[str]

    def token(self, name: str, *roles: str) -> str:
        """Return the token of somebody, as a host with this folder would hand it out."""
        return self._tokens.token(name=name, roles=roles)

    @property
    def public_key(self) -> str:
        """What the tokens are checked with (PEM)."""
        key = PyJWK(self._tokens.keys["keys"][0]).key
        return key.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode()

    @property
    def settings(self) -> Mapping[str, str]:
        """What the sides that are not this app are told."""
        return {"BENCH_SHOP": self.shop.url, "BENCH_PUBLIC_KEY": self.public_key}

    @property
    def _tokens(self) -> Tokens:
        return Tokens(self.folder, lambda: datetime.now(timezone.utc))


class Side(Protocol):
    """One of those that are measured.

    Attributes:
        name: what it is called in the table.
        process: its server, which can be killed and started again.
        requester: the token of who asks.
        approver: the token of who decides.
    """

    name: str
    process: ServerProcess
    requester: str
    approver: str

    async def begin(self, client: Client, number: int) -> str:
        """Ask for an order; returns what it is called, there and at the shop."""
        ...

    async def is_waiting(self, client: Client, order: str) -> bool:
        """Return whether an order that was begun waits for its decision."""
        ...

    async def decision(self, client: Client, order: str) -> Decision:
        """Return how an order that waits is approved."""
        ...

    async def written(self, order: str) -> float:
        """Wait until an approved order is placed; returns when it was (`time.perf_counter`)."""
        ...


class Countersign:
    """This app, with all that it records.

    Args:
        place: see `Place`.
        app: the folder of the app.
        settings: more of its settings.
    """

    name = "this app"
    request = "/api/purchases"
    asked: Mapping[str, Any] = _ORDER

    def __init__(
        self, place: Place, *, app: Path = APP, settings: Mapping[str, str] | None = None
    ) -> None:
        self.requester = place.token("Ada", "Purchase.Requester", "Research.Requester")
        self.approver = place.token("Grace", "Purchase.Approver", "Report.Reviewer")
        self.written = place.shop.arrival
        self.place = place
        port = free_port()
        told = {
            "COUNTERSIGN_PURCHASING_URL": place.shop.url,
            "COUNTERSIGN_PURCHASE_LIMITS": _LIMITS,
            "COUNTERSIGN_OPEN_REQUESTS": "unlimited",
            "COUNTERSIGN_TOKENS_PER_DAY": "unlimited",
            "PYTHONPATH": str(APP),
            **(settings or {}),
        }
        foreign = {key: each for key, each in os.environ.items() if "COUNTERSIGN" not in key}
        self.process: ServerProcess = HostProcess(
            app=app,
            data=place.folder,
            port=port,
            environment=complete({**foreign, **told}, port=port, data=place.folder),
            output=place.output,
            options=["--no-local-settings", "--no-reload"],
        )

    async def begin(self, client: Client, number: int) -> str:
        """Ask for an order; see `Side`."""
        # No two are alike: of what is, a store would keep one.
        body = json.dumps(self.asked).replace(_NUMBER, f"{number}-{uuid.uuid4().hex[:8]}")
        answer = await client.json("POST", self.request, 202, body=body.encode())
        return answer["operation_id"]

    async def is_waiting(self, client: Client, order: str) -> bool:
        """Return whether it awaits its approval."""
        return await self.state(client, order) == "awaiting_approval"

    async def state(self, client: Client, order: str) -> str:
        """Return the state that it is in."""
        return (await self._operation(client, order))["state"]

    async def decision(self, client: Client, order: str) -> Decision:
        """Return the approval of exactly the version that is shown."""
        proposal = (await self._operation(client, order))["proposal"]
        body = json.dumps({"decision": "approve", "digest": proposal["digest"]}).encode()
        return Decision(f"/api/operations/{order}/proposals/{proposal['version']}/decision", body)

    async def _operation(self, client: Client, order: str) -> dict[str, Any]:
        return await client.json("GET", f"/api/operations/{order}", 200)


class Reports(Countersign):
    """This app with reports, whose text the embedded model takes from one document."""

    name = "this app, reports"
    request = "/api/research"
    asked: Mapping[str, Any] = {"topic": _QUESTION, "subtopics": [_QUESTION], "documents": [_FERRY]}

    def __init__(
        self, place: Place, *, app: Path = APP, settings: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(place, app=app, settings=settings)
        self.written = self._published

    async def _published(self, order: str) -> float:
        file = self.place.folder / "reports" / "home" / f"{order}.md"
        while not file.exists():  # noqa: ASYNC110 - it is another process's
            await asyncio.sleep(0.001)
        return time.perf_counter()


class _Gate:
    """A gate without a record: orders are begun and decided under names that the bench gives."""

    def __init__(self, place: Place) -> None:
        self.requester = place.token("Ada", "Purchase.Requester")
        self.approver = place.token("Grace", "Purchase.Approver")
        self.written = place.shop.arrival

    async def begin(self, client: Client, number: int) -> str:
        """Ask for an order; see `Side`."""
        body = json.dumps(_ORDER).encode()
        await client.json("POST", f"{self._root}/order-{number}", 202, body=body)
        return f"order-{number}"

    async def decision(self, client: Client, order: str) -> Decision:
        """Return an approval of whatever waits."""
        return Decision(f"{self._root}/{order}/decision", b'{"decision": "approve"}')

    _root = "/orders"


class Bare(_Gate):
    """The same gate on the same host, without this app's code."""

    name = "bare gate on devhost"
    _root = "/api/orders"

    def __init__(self, place: Place) -> None:
        super().__init__(place)
        self.process: ServerProcess = HostProcess(
            app=_BARE,
            data=place.folder,
            port=free_port(),
            environment={**os.environ, **place.settings},
            output=place.output,
            health="/durabletask/instances",
            options=["--no-local-settings", "--no-reload"],
        )

    async def is_waiting(self, client: Client, order: str) -> bool:
        """Return whether its orchestration says so."""
        found = await client.json("GET", f"/durabletask/instances/{order}", 202)
        return found["customStatus"] == "waiting"


class LangGraph(_Gate):
    """The same gate as a graph of LangGraph's with its SQLite saver.

    Args:
        place: see `Place`.
        python: the interpreter of its environment.
    """

    name = "LangGraph, SqliteSaver"

    def __init__(self, place: Place, python: Path) -> None:
        super().__init__(place)
        port, file = free_port(), place.folder / "checkpoints.db"
        server = Path(__file__).parent / "rival" / "serve.py"
        self.process: ServerProcess = ServerProcess(
            name="the server of LangGraph",
            command=[str(python), str(server), str(port), str(file)],
            port=port,
            environment={**os.environ, **place.settings},
            output=place.output,
            health="/health",
            folder=place.folder,
        )

    async def is_waiting(self, client: Client, order: str) -> bool:
        """Say that it waits: it does as soon as it has answered."""
        return True
