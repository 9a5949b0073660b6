"""What the management API answers where the engine refuses a request."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import Response

from devhost.api.payloads import WRONG, fault
from devhost.api.queries import LenientJson
from devhost.errors import (
    BadRequest,
    InstanceExists,
    InstanceOver,
    NoSuchFunction,
    NoSuchInstance,
    NotFailed,
    NotOver,
    Refused,
)

Endpoint = Callable[[Request], Awaitable[Response]]


def answering_refusals(endpoint: Endpoint) -> Endpoint:
    """Answer what the engine refuses as the extension does."""

    async def answer(request: Request) -> Response:
        try:
            return await endpoint(request)
        except Refused as refused:
            return _refusal(refused)

    return answer


def _refusal(refused: Refused) -> Response:
    sentence = str(refused)
    match refused:
        case NoSuchInstance():
            return Response(status_code=404)
        case InstanceOver():
            return Response(status_code=410)
        case InstanceExists():
            return LenientJson({"Message": sentence}, status_code=409)
        case NotOver() | NotFailed():
            return LenientJson(sentence, status_code=412)
        case BadRequest(detail=str(detail)):
            return LenientJson(fault(sentence, detail, "System.ArgumentException"), status_code=400)
        case BadRequest() | NoSuchFunction():
            return LenientJson({"Message": sentence}, status_code=400)
        case _:
            return LenientJson(fault(WRONG, sentence), status_code=500)
