from __future__ import annotations

from typing import Any

import httpx
import pytest
from starlette.routing import request_response

from devhost.app.calls import Answer, Call
from devhost.console import Console
from devhost.functions.catalogue import Catalogue, Function
from devhost.http.server import ReadTargets
from devhost.http.triggers import HttpTriggers
from devhost.time.clock import SystemClock


class Echo:
    """An app that answers as it was made to, and remembers how it was called."""

    def __init__(self, *functions: Function, status: int = 200, headers: Any = ()) -> None:
        self.catalogue = Catalogue(functions or [function("f")])
        self.calls: list[Call] = []
        self._extra: dict[str, Any] = {"status": status, "headers": headers}

    async def call(self, call: Call) -> Answer:
        self.calls.append(call)
        return Answer(body=b"body", extra=self._extra)

    async def asked(
        self, path: str, method: str = "GET", prefix: str = "api", **request: Any
    ) -> httpx.Response:
        """Return the answer to a request."""
        triggers = HttpTriggers(self, prefix, lambda _: {}, Console(SystemClock()), most_bytes=9)
        app = ReadTargets(request_response(triggers.answer))
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app)) as client:
            return await client.request(method, f"http://host{path}", **request)

    @property
    def told(self) -> dict[str, Any]:
        """What the function was told by the request that came last."""
        return self.calls[-1].extra["http"]


def function(name: str, *, disabled: bool = False, **trigger: Any) -> Function:
    return Function(name=name, trigger={"type": "httpTrigger", **trigger}, disabled=disabled)


@pytest.mark.parametrize(
    ("status", "header"),
    [
        (200, ["X-Name", "\u6771\u4eac"]),
        (200, ["X-Name", "Gr\u00fc\u00dfe"]),
        (200, ["X-N\u00e4me", "value"]),
        (200, ["X-Name", "one\r\nX-Other: two"]),
        (200, ["Content-Length", "3"]),
        (200, ["Content-Length", "x"]),
        (200, ["Transfer-Encoding", "chunked"]),
        (7, ["X-Name", "value"]),
        (102, ["X-Name", "value"]),
        (1000, ["X-Name", "value"]),
    ],
)
async def test_an_answer_that_http_cannot_carry_is_told_on_the_console(
    status: int, header: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    refused = await Echo(status=status, headers=[header]).asked("/api/f")
    assert (refused.status_code, refused.text) == (500, "")
    assert "f answered with a " in capsys.readouterr().out


async def test_any_header_of_ascii_goes_through() -> None:
    headers = [["X-Name", " ~value "], ["X-Empty", ""], ["Content-Length", "4"]]
    given = await Echo(status=201, headers=headers).asked("/api/f")
    assert (given.status_code, given.text) == (201, "body")
    assert (given.headers["x-name"], given.headers["x-empty"]) == ("~value", "")


@pytest.mark.parametrize("status", [204, 205, 304])
async def test_an_answer_that_has_no_body_is_sent_without(status: int) -> None:
    given = await Echo(status=status).asked("/api/f")
    assert (given.status_code, given.content) == (status, b"")


async def test_the_first_route_by_the_functions_names_answers() -> None:
    app = Echo(function("b_search", route="users/search"), function("A_get", route="users/{id}"))
    assert (await app.asked("/api/users/search")).status_code == 200
    assert (app.calls[0].function, app.told["params"]) == ("A_get", {"id": "search"})


async def test_a_disabled_function_hides_what_comes_after_it() -> None:
    app = Echo(function("a", route="x", disabled=True), function("b", route="x"))
    assert (await app.asked("/api/x")).status_code == 404


@pytest.mark.parametrize(
    ("methods", "method", "status"),
    [
        (None, "PROPFIND", 200),
        (None, "TRACE", 200),
        (["get"], "GET", 200),
        (["GET"], "get", 200),
        (["GET"], "HEAD", 404),
        (["GET"], "POST", 404),
    ],
)
async def test_a_route_takes_the_methods_it_names_and_any_without(
    methods: list[str] | None, method: str, status: int
) -> None:
    app = Echo(function("f", methods=methods))
    assert (await app.asked("/api/f", method)).status_code == status


async def test_without_a_route_the_name_is_it() -> None:
    assert (await Echo(function("f", route="")).asked("/api/F")).status_code == 200


@pytest.mark.parametrize("path", ["//api/f", "/api/f//", "/api//f", "/x"])
async def test_another_path_leads_nowhere(path: str) -> None:
    assert (await Echo().asked(path)).status_code == 404


async def test_a_path_reaches_the_function_as_the_web_server_reads_it() -> None:
    app = Echo(function("f", route="files/{*rest}"))
    await app.asked("/api/%66iles/x/%2e%2e/a%2Fb/%C3%BC%FF%0A?q=%C3%BC&r=%2F&s=")
    assert app.told["params"] == {"rest": "a%2Fb/\u00fc%FF\n"}
    assert app.told["url"] == "http://host/api/files/a%2Fb/%C3%BC%FF%0A?q=%C3%BC&r=%2F&s="
    assert app.told["query"] == {"q": "\u00fc", "r": "/"}
    assert (await app.asked("/api/files/a%00b")).status_code == 400


async def test_headers_are_utf8_and_reach_the_function_once_each() -> None:
    app = Echo()
    given = [
        ("X-Name", "\u6771\u4eac".encode()),
        ("Key", b"k"),
        ("Key", b""),
        ("A", b"1"),
        ("A", b"2"),
    ]
    assert (await app.asked("/api/f", headers=given)).status_code == 200
    headers = app.told["headers"]
    assert (headers["x-name"], headers["key"], headers["a"]) == ("\u6771\u4eac", "k", "1,2")
    assert (await app.asked("/api/f", headers=[("X", b"\xff")])).status_code == 400


async def test_a_body_reaches_the_function_only_with_its_length() -> None:
    async def chunks() -> Any:
        yield b"body"

    app = Echo()
    await app.asked("/api/f", "POST", content=b"body")
    assert app.calls[-1].body == b"body"
    await app.asked("/api/f", "POST", content=chunks())
    assert (app.calls[-1].body, app.told["headers"]["transfer-encoding"]) == (b"", "chunked")


async def test_a_body_that_is_too_long_reaches_no_function() -> None:
    app = Echo()
    assert (await app.asked("/api/f", "POST", content=b"0123456789")).status_code == 500
    assert app.calls == []


async def test_who_hangs_up_while_a_body_is_read_reaches_no_function_and_is_no_fault() -> None:
    app, sent = Echo(), []

    async def gone() -> Any:
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        sent.append(message)

    triggers = HttpTriggers(app, "api", lambda _: {}, Console(SystemClock()), most_bytes=9)
    scope = {
        "type": "http",
        "scheme": "http",
        "method": "POST",
        "path": "/api/f",
        "raw_path": b"/api/f",
        "query_string": b"",
        "headers": [(b"content-length", b"5")],
        "server": ("host", 80),
    }
    await ReadTargets(request_response(triggers.answer))(scope, gone, send)
    assert sent[0]["status"] == 499
    assert app.calls == []
