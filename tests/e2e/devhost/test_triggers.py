from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from .conftest import RunningHost


def test_a_function_sees_its_request_and_shapes_the_answer(host: RunningHost) -> None:
    headers = {"X-Agent": "me", "X-MS-CLIENT-PRINCIPAL": "forged"}
    answer = host.http.put(
        "/api/things/Abc/d%2Fe/f?q=1&q=2&r=%C3%BC", content="Grüezi".encode(), headers=headers
    )
    assert answer.status_code == 201
    assert answer.json() == {
        "method": "PUT",
        "route": {"kind": "Abc", "rest": "d%2Fe/f"},
        "query": {"q": "1,2", "r": "ü"},
        "agent": "me",
        "principal": None,
        "body": "Grüezi",
        "function": "things",
    }
    assert answer.headers.get_list("set-cookie") == ["a=1; Path=/", "b=2; HttpOnly"]


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/api/nobody", 404),
        # The trigger doesn't list the method.
        ("DELETE", "/api/things/abc/x", 404),
        # The constraint of the route asks for letters.
        ("GET", "/api/things/123/x", 404),
        # An answer is missing.
        ("GET", "/api/nothing", 500),
        ("GET", "/api/broken", 500),
    ],
)
def test_a_request_that_leads_nowhere_is_answered(
    host: RunningHost, method: str, path: str, status: int
) -> None:
    answer = host.http.request(method, path)
    assert (answer.status_code, answer.text) == (status, "")


def test_a_text_is_an_answer(host: RunningHost) -> None:
    answer = host.http.get("/api/text")
    assert (answer.text, answer.status_code) == ("plain", 200)
    assert answer.headers["content-type"].startswith("text/plain")


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        # A name that was made to lead here
        ({"Host": "evil.example"}, 403),
        ({"Host": "127.0.0.1.evil.example"}, 403),
        ({"Host": "["}, 403),
        # A page of another site
        ({"Origin": "https://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Host": "localhost:1"}, 200),
        ({"Host": "[::1]:1"}, 200),
        ({"Origin": "http://localhost:5173"}, 200),
    ],
)
def test_only_this_machine_is_answered(
    host: RunningHost, headers: dict[str, str], status: int
) -> None:
    answer = host.http.get("/api/text", headers=headers)
    assert answer.status_code == status


def test_a_timer_function_runs_on_demand(host: RunningHost) -> None:
    assert host.http.post("/admin/functions/yearly", json={"input": ""}).status_code == 202
    host.until(lambda: host.marked("yearly") == 1)
    assert host.http.post("/admin/functions/nobody", json={}).status_code == 404


def test_a_timer_function_that_fails_is_tried_again_as_it_asks(host: RunningHost) -> None:
    host.http.post("/admin/functions/stumbling", json={})
    host.until((host.marks / "stumbling-2").exists)
    assert {mark.name for mark in host.marks.glob("stumbling-*")} == {
        f"stumbling-{retries}" for retries in range(3)
    }


def test_the_local_sign_in_is_there(host: RunningHost) -> None:
    keys = host.http.get("/.auth/dev/jwks").json()["keys"]
    assert keys[0]["kty"] == "RSA"
