"""HTTP over a connection that is kept, as the web server of the genuine host speaks it."""

from __future__ import annotations

import http.client
import json
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest

if TYPE_CHECKING:
    from .conftest import RunningHost

Send = Callable[..., tuple[int, bytes]]


@pytest.fixture
def send(host: RunningHost) -> Iterator[Send]:
    """Send a request over the test's one connection, and return its status and body."""
    line = http.client.HTTPConnection(urlsplit(host.url).netloc, timeout=60)
    line.connect()
    line.auto_open = 0  # A connection that was closed fails the test.

    def send_one(method: str, path: str, **request: Any) -> tuple[int, bytes]:
        line.request(method, path, **request)
        answer = line.getresponse()
        return answer.status, answer.read()

    yield send_one
    line.close()


@pytest.mark.parametrize("status", [204, 205, 304])
def test_an_answer_without_a_body_leaves_the_connection_good(send: Send, status: int) -> None:
    assert send("GET", f"/api/answer/{status}") == (status, b"")
    assert send("GET", "/api/text") == (200, b"plain")


@pytest.mark.parametrize("status", [226, 418, 599, 600, 999])
def test_any_status_that_ends_an_exchange_arrives(send: Send, status: int) -> None:
    assert send("GET", f"/api/answer/{status}") == (status, b"body")
    assert send("GET", "/api/text") == (200, b"plain")


@pytest.mark.parametrize(
    "path",
    [
        "/api/answer/101",
        "/api/answer/200?X-Name=%C3%BC",
        "/api/answer/200?Content-Length=3",
        "/api/answer/200?Content-Length=5",
        "/api/answer/200?Transfer-Encoding=chunked",
    ],
)
def test_an_answer_that_http_cannot_carry_is_500(send: Send, path: str) -> None:
    assert send("GET", path) == (500, b"")
    assert send("GET", "/api/text") == (200, b"plain")


def echoed(send: Send, method: str, path: str, **request: Any) -> Any:
    status, body = send(method, path, **request)
    assert status == 200
    return json.loads(body)


def test_a_path_and_a_query_arrive_as_the_web_server_reads_them(send: Send) -> None:
    seen = echoed(send, "PROPFIND", "/x/%2e%2e/api/%65cho/a%2Fb/%0A%FF?q=1&Q=3&e=&c=%FF")
    assert seen["method"] == "PROPFIND"
    assert seen["route"] == {"rest": "a%2Fb/\n%FF"}
    assert seen["query"] == {"Q": "1,3", "c": "%FF"}
    assert seen["url"].endswith("/api/echo/a%2Fb/%0A%FF?q=1&Q=3&e=&c=%FF")
    assert send("GET", "/api/echo/%00") == (400, b"")
    assert send("GET", "//api/echo")[0] == 404


def test_methods_in_lower_case_reach_a_route_that_names_them(send: Send) -> None:
    assert send("get", "/api/answer/200") == (200, b"body")


def test_a_function_sees_the_trace_of_its_request(send: Send) -> None:
    trace = "0af7651916cd43dd8448eb211c80319c"
    headers = {"traceparent": f"00-{trace}-b7ad6b7169203331-01", "tracestate": "a=b"}
    seen = json.loads(send("GET", "/api/context", headers=headers)[1])
    assert seen[0].startswith(f"00-{trace}-")
    assert seen[1:] == ["a=b", {}, 0]


def test_headers_are_utf8(send: Send) -> None:
    seen = echoed(send, "GET", "/api/echo", headers={"X-Name": "\u6771\u4eac".encode()})
    assert seen["headers"]["x-name"] == "\u6771\u4eac"


def test_a_body_without_a_length_reaches_no_function(send: Send) -> None:
    seen = echoed(send, "POST", "/api/echo", body=iter([b"some", b"thing"]))
    assert (seen["body"], seen["headers"]["transfer-encoding"]) == ("", "chunked")
    assert echoed(send, "POST", "/api/echo", body=b"something")["body"] == "something"
