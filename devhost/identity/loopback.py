"""Pages that answer to the names of this machine alone."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from typing import TypeAlias

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

GuardedEndpoint: TypeAlias = Callable[[Request], Awaitable[Response]]

_NAMES = re.compile(r"(localhost|127\.0\.0\.1|\[::1\])(:\d+)?")


def loopback_only(endpoint: GuardedEndpoint) -> GuardedEndpoint:
    """Refuse foreign host names: a site that points its own at 127.0.0.1 would read the tokens."""

    async def guarded(request: Request) -> Response:
        if not _NAMES.fullmatch(request.headers.get("host", "")):
            return PlainTextResponse("Use http://127.0.0.1 or http://localhost here.", 421)
        return await endpoint(request)

    return guarded
