"""Samples of a purchasing system in one process, each with one fault and books of its own.

    services.py FOLDER PORT GUARDS FAULT...

Each is below a path with the fault's name, such as `/drop`. There the first call with an order
meets the fault, whichever order it is; further calls with the same order do not.
"""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.routing import Mount
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from samples.purchasing.books import Books
from samples.purchasing.server import Connections, serve
from samples.purchasing.service import Service

STRANGE = {"none": "", "killed": "slow:60"}
"""What the sample does where the fault is none of its own."""


class OnceEach:
    """A sample that is told of its fault whenever an order comes for the first time."""

    def __init__(self, app: ASGIApp, books: Books, fault: str) -> None:
        self._app, self._books, self._fault = app, books, fault
        self._known: set[str] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] != "POST":
            return await self._app(scope, receive, send)
        body = await Request(scope, receive).body()
        self._books.plan(self._faults_for(json.loads(body)["reference"]))

        async def again() -> Message:
            return {"type": "http.request", "body": body}

        # Nothing is awaited for real until the fault is used up, so no other order can take it.
        return await self._app(scope, again, send)

    def _faults_for(self, reference: str) -> list[str]:
        is_new = reference not in self._known and not self._books.orders(reference)
        self._known.add(reference)
        return [self._fault] if is_new and self._fault else []


def sample(folder: Path, guards: frozenset[str], fault: str) -> Mount:
    """One of the samples."""
    name = fault.partition(":")[0]
    books = Books(folder / name)
    planned = STRANGE.get(name, fault)
    service = Service(books, guards=guards, token=None, hang_up=Connections.hang_up)
    return Mount(f"/{name}", OnceEach(service.app(), books, planned))


def main(folder: str, port: str, guards: str, *faults: str) -> None:
    """Serve until killed."""
    supported = frozenset(guards.split()) - {"none"}
    app = Starlette(routes=[sample(Path(folder), supported, fault) for fault in faults])
    asyncio.run(serve(app, int(port)))


if __name__ == "__main__":
    main(*sys.argv[1:])
