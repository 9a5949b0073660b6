"""What an HTTP function is told of a request, and what HTTP is told of its answer."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from devhost.app.calls import Answer
from devhost.http.targets import BadTarget, joined, read_query, written
from devhost.identity.platform_headers import RESERVED

# The connection is the host's and its client's.
_OF_THE_CONNECTION = {"connection", "keep-alive"}
_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
# Kestrel writes headers in ASCII.
_VALUE = re.compile(r"[\t -~]*")
_WITHOUT_BODY = {204, 205, 304}


def told(
    request: Request, parameters: Mapping[str, str], signed_in: Mapping[str, str]
) -> dict[str, Any]:
    """Return what a function gets to know of a request besides its body.

    Args:
        request: Its scope has the path as `targets.read_path` returns it.
        parameters: Those of the route.
        signed_in: The headers that the platform adds.

    Raises:
        BadTarget: A header is no UTF-8.
    """
    headers = _headers(request)
    query = request.scope["query_string"].decode("ascii")
    scheme, path = request.scope["scheme"], written(request.scope["path"])
    address = f"{scheme}://{headers.get('host', '')}{path}"
    return {
        "method": request.method,
        "url": f"{address}?{query}" if query else address,
        "headers": {**headers, **signed_in},
        "params": parameters,
        "query": read_query(query),
    }


def _headers(request: Request) -> dict[str, str]:
    try:
        pairs = [(name.decode(), value.decode()) for name, value in request.headers.raw]
    except UnicodeDecodeError as error:
        raise BadTarget from error
    return joined((name, value) for name, value in pairs if not name.startswith(RESERVED))


def respond(answer: Answer, *, to: str) -> Response:
    """Return a function's answer to a request with the method `to`.

    Raises:
        ValueError: HTTP can't carry it; the message says what.
    """
    status = answer.extra["status"]
    if not 200 <= status <= 999:
        raise ValueError(f"a status that can't end an exchange: {status}")
    response = Response(b"" if status in _WITHOUT_BODY else answer.body, status_code=status)
    for name, value in answer.extra["headers"]:
        if not (_NAME.fullmatch(name) and isinstance(value, str) and _VALUE.fullmatch(value)):
            raise ValueError(f"a header that HTTP can't carry: {name!r}")
        if name.lower() == "transfer-encoding":
            raise ValueError("a Transfer-Encoding, which is the host's")
        if name.lower() == "content-length":
            _check_length(value, response, to)
        elif name.lower() not in _OF_THE_CONNECTION:
            response.headers.append(name, value.strip(" \t"))
    return response


def _check_length(said: str, response: Response, to: str) -> None:
    has_body = to.upper() != "HEAD" and response.status_code not in _WITHOUT_BODY
    if has_body and said.strip() != str(len(response.body)):
        raise ValueError(f"a Content-Length of {said}, and {len(response.body)} bytes")
