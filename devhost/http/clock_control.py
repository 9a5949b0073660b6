"""The routes that show a virtual clock and move it. With the machine's clock there are none."""

from __future__ import annotations

import json
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from devhost.time.clock import Clock, stamp
from devhost.time.virtual_clock import PATIENCE, VirtualClock

_LONGEST = 3650 * 86400.0


def clock_routes(clock: Clock) -> list[Route]:
    """Return the routes of `clock`."""
    if not isinstance(clock, VirtualClock):
        return []

    async def show(_: Request) -> Response:
        return JSONResponse({"now": stamp(clock.now())})

    async def advance(request: Request) -> Response:
        try:
            wish = _object(await request.body())
            seconds = _seconds(wish, "seconds")
            patience = _seconds({"patience": PATIENCE, **wish}, "patience")
        except ValueError as error:
            return JSONResponse({"error": str(error)}, status_code=400)
        settled = await clock.advance(seconds, patience=patience)
        return JSONResponse({"now": stamp(clock.now()), "settled": settled})

    return [
        Route("/devhost/clock", show),
        Route("/devhost/clock/advance", advance, methods=["POST"]),
    ]


def _object(body: bytes) -> dict[str, Any]:
    try:
        wish = json.loads(body)
    except ValueError:
        wish = None
    if not isinstance(wish, dict):
        raise ValueError('send a JSON object with "seconds"')
    return wish


def _seconds(wish: dict[str, Any], name: str) -> float:
    seconds: Any = wish.get(name)
    # JSON's true is a number to Python.
    if type(seconds) in {int, float} and 0 <= seconds <= _LONGEST:
        return seconds
    raise ValueError(f'"{name}" must be a number of seconds from 0 to {_LONGEST:.0f}')
