"""What the sample answers: the protocol of docs/purchasing.md, and the faults that were planned."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from typing import TypeAlias

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from devhost.guards import BoundedBody, OwnPagesOnly
from samples.purchasing.books import Books, KeyTaken
from samples.purchasing.faults import Fault, read_fault
from samples.purchasing.requests import OrderRequest, read_order

_HERE = ("127.0.0.1", "localhost")
_MOST_BYTES = 1_000_000

Endpoint: TypeAlias = Callable[[Request], Awaitable[Response]]


class Service:
    """The sample.

    Args:
        books: where orders are entered.
        guards: `key`, if orders with the same key are one order, and `lookup`, if orders can be
            found by their reference.
        token: what callers have to know, if anything.
        hang_up: closes the connection of a request without an answer.
    """

    def __init__(
        self,
        books: Books,
        *,
        guards: frozenset[str],
        token: str | None,
        hang_up: Callable[[Request], None],
    ) -> None:
        self._books = books
        self._guards = guards
        self._token = token
        self._hang_up = hang_up
        self._at_work: set[str] = set()

    def app(self) -> Starlette:
        """Make the ASGI app; it answers programs that call it by a name of this machine."""
        routes = [
            Route("/health", _health),
            Route("/orders", self._for_callers(self._order), methods=["POST"]),
            Route("/orders", self._for_callers(self._list)),
            Route("/faults", self._for_callers(self._plan), methods=["POST"]),
            Route("/faults", self._for_callers(self._planned)),
        ]
        guards = [
            Middleware(TrustedHostMiddleware, allowed_hosts=_HERE),
            Middleware(OwnPagesOnly),
            Middleware(BoundedBody, most_bytes=_MOST_BYTES),
        ]
        return Starlette(routes=routes, middleware=guards)

    def _for_callers(self, endpoint: Endpoint) -> Endpoint:
        wanted = f"Bearer {self._token}".encode()

        async def answer(request: Request) -> Response:
            given = request.headers.get("authorization", "").encode()
            if self._token and not secrets.compare_digest(given, wanted):
                return _problem(401, "the token is missing or wrong")
            return await endpoint(request)

        return answer

    async def _plan(self, request: Request) -> Response:
        try:
            faults = [str(fault) for fault in (await request.json())["faults"]]
            for fault in faults:
                read_fault(fault)
        except (ValueError, TypeError, KeyError) as error:
            return _problem(400, f"that is no list of faults: {error}")
        self._books.plan(faults)
        return await self._planned(request)

    async def _planned(self, _: Request) -> Response:
        return JSONResponse({"faults": self._books.planned()})

    async def _list(self, request: Request) -> Response:
        reference = request.query_params.get("reference")
        if reference is not None and "lookup" not in self._guards:
            return _problem(404, "orders can't be found by their reference here")
        return JSONResponse({"orders": self._books.orders(reference)})

    async def _order(self, request: Request) -> Response:
        key = request.headers.get("idempotency-key") if "key" in self._guards else None
        try:
            order = read_order(await request.body(), key)
        except ValueError as error:
            return _problem(400, str(error))
        if key is None:
            return await self._work_on(order, request)
        if key in self._at_work:
            return _problem(409, "an order with this key is being worked on")
        self._at_work.add(key)
        try:
            return await self._work_on(order, request)
        except KeyTaken:
            return _problem(422, "another order came with this key")
        finally:
            self._at_work.discard(key)

    async def _work_on(self, order: OrderRequest, request: Request) -> Response:
        fault = read_fault(planned) if (planned := self._books.next_fault()) else Fault()
        if fault.name == "unavailable":
            return _problem(503, "no orders are taken now", {"Retry-After": "1"})
        if fault.name == "late":
            await asyncio.sleep(fault.seconds)
        before = self._books.accepted_with_key_of(order)
        accepted = before or self._books.accept(
            order.times(10) if fault.name == "wrong_amount" else order
        )
        if fault.name == "slow":
            await asyncio.sleep(fault.seconds)
        if fault.name == "drop":
            self._hang_up(request)
        if fault.name == "error_after":
            return _problem(500, "something went wrong")
        return JSONResponse(accepted, 200 if before else 201)


async def _health(_: Request) -> Response:
    return JSONResponse({"service": "a sample of a purchasing system: nothing is bought"})


def _problem(status: int, detail: str, headers: dict[str, str] | None = None) -> Response:
    return JSONResponse(
        {"status": status, "detail": detail},
        status,
        headers=headers,
        media_type="application/problem+json",
    )
