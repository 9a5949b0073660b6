from __future__ import annotations

import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, cast

import pytest

from testbed.serving import serving

if TYPE_CHECKING:
    from .conftest import RunningHost


class Service(ThreadingHTTPServer):
    """What orchestrators call: it keeps all requests, and goes on working until it is told."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.requests: list[dict[str, Any]] = []
        self.finished = False
        self.url = f"http://127.0.0.1:{self.server_address[1]}"


class _Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        length = int(self.headers.get("content-length", 0))
        headers = {name.lower(): value for name, value in self.headers.items()}
        body = self.rfile.read(length).decode()
        service = cast(Service, self.server)
        service.requests.append({"method": self.command, "headers": headers, "body": body})
        if self.path == "/work" or (self.path == "/status" and not service.finished):
            self._answer(202, "working", Location="/status", **{"Retry-After": "0"})
        elif self.path == "/later":
            self._answer(202, "working", Location="/status", **{"Retry-After": "1"})
        elif self.path == "/moved":
            self._answer(302, "", Location="/plain")
        else:
            self._answer(404 if self.path == "/nothing" else 200, "done", **{"X-Own": "yes"})

    do_POST = do_GET

    def _answer(self, status: int, content: str, **headers: str) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": "text/plain", **headers}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content.encode())

    def log_message(self, format: str, *args: Any) -> None:
        pass


@pytest.fixture
def service() -> Iterator[Service]:
    service = Service()
    with serving(service):
        yield service


def fetch(service: Service, path: str, **given: Any) -> dict[str, Any]:
    return {"method": "GET", "uri": f"{service.url}{path}", **given}


def test_a_response_is_the_result(host: RunningHost, service: Service) -> None:
    given = fetch(service, "/plain", headers={"X-Mine": "1"}, method="POST", content={"a": 1})
    response, after = host.output_of("fetch", given)
    assert (response["statusCode"], response["content"], after) == (200, "done", "after")
    assert response["headers"]["X-Own"] == "yes"
    assert not {"Content-Type", "Content-Length"} & response["headers"].keys()
    [request] = service.requests
    assert (request["method"], request["headers"]["x-mine"]) == ("POST", "1")
    assert json.loads(request["body"]) == {"a": 1}
    assert request["headers"]["content-type"].startswith("text/plain")


def test_a_refusal_is_a_result_as_well(host: RunningHost, service: Service) -> None:
    response, _ = host.output_of("fetch", fetch(service, "/nothing"))
    assert response["statusCode"] == 404


def test_redirects_are_followed(host: RunningHost, service: Service) -> None:
    response, _ = host.output_of("fetch", fetch(service, "/moved"))
    assert (response["statusCode"], len(service.requests)) == (200, 2)


@pytest.mark.parametrize(
    ("uri", "reason"),
    [
        # Nobody listens there
        ("http://127.0.0.1:9/", "ConnectError"),
        # Files are none of its business
        ("file:///etc/passwd", "only http and https"),
        ("no address", "only http and https"),
    ],
)
def test_no_response_fails_the_task(host: RunningHost, uri: str, reason: str) -> None:
    assert reason in host.output_of("fetch", {"method": "GET", "uri": uri})


def test_work_that_was_accepted_is_polled_until_it_is_done(
    host: RunningHost, service: Service
) -> None:
    keys = {"x-functions-key": "secret", "X-Mine": "1"}
    given = fetch(service, "/work", method="POST", content="go", headers=keys)
    caller = host.begin("fetch", given)
    host.until(lambda: len(service.requests) > 3)
    service.finished = True
    response, after = host.ended(caller)["output"]
    assert (response["statusCode"], after) == (200, "after")
    first, *polls = service.requests
    assert (first["method"], first["headers"]["x-functions-key"]) == ("POST", "secret")
    assert {poll["method"] for poll in polls} == {"GET"}
    assert not any("x-functions-key" in poll["headers"] or poll["body"] for poll in polls)
    assert all(poll["headers"]["x-mine"] == "1" for poll in polls)


def test_polling_goes_on_after_a_kill(own_host: RunningHost, service: Service) -> None:
    caller = own_host.begin("fetch", fetch(service, "/later", method="POST"))
    own_host.until(lambda: len(service.requests) >= 2)
    own_host.kill()
    before = len(service.requests)
    service.finished = True
    own_host.start()
    response, after = own_host.ended(caller)["output"]
    assert (response["content"], after) == ("done", "after")
    assert {request["method"] for request in service.requests[before:]} == {"GET"}


def test_nothing_is_polled_for_an_instance_that_has_ended(
    host: RunningHost, service: Service
) -> None:
    caller = host.begin("fetch", fetch(service, "/work"))
    host.until(lambda: len(service.requests) > 2)
    host.http.post(f"/durabletask/instances/{caller}/terminate?reason=enough")
    assert host.ended(caller)["output"] == "enough"

    def quiet() -> bool:
        count = len(service.requests)
        host.output_of("chain", 1)
        return len(service.requests) == count

    host.until(quiet)
