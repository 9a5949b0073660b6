"""Addresses that the app gives, and those under which it can be asked."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import pytest

from testbed import raw

GET_ROUTES = ("health", "openapi.json", "me", "documents", "operations", "proposals", "proof-key")


def ask(host: Any, target: str, token: str, *headers: tuple[str, str], named: str) -> raw.Reply:
    """Ask for a report in just these letters."""
    body = json.dumps({"topic": "How durable execution survives crashes"}).encode()
    given = (("Authorization", f"Bearer {token}"), ("Content-Type", "application/json"), *headers)
    return raw.exchange(host.url, raw.written("POST", target, *given, host=named, body=body))


@pytest.mark.parametrize("target", ["/api/research", "/api/Research", "/API/RESEARCH/"])
@pytest.mark.parametrize("headers", [(), (("X-Forwarded-Proto", "https"),)])
def test_addresses_are_those_that_the_operator_named(
    desk: Any, target: str, headers: tuple[tuple[str, str], ...]
) -> None:
    port = urlsplit(desk.host.url).port
    reply = ask(desk.host, target, desk.requester, *headers, named=f"localhost:{port}")
    assert reply.status == 202
    accepted = json.loads(reply.body)
    operation = f"{desk.host.url}/api/operations/{accepted['operation_id']}"
    assert accepted["status_url"] == reply.headers["Location"] == operation
    assert desk.host.call(
        "GET", f"operations/{accepted['operation_id']}", desk.requester
    ).is_success
    page = f"{desk.host.url}/api/review?operation={accepted['operation_id']}"
    assert accepted["review_url"] == page


def test_where_none_is_named_they_have_nothing_of_the_path_that_was_written(
    make_host: Callable[..., Any], desk_at: Callable[[Any], Any]
) -> None:
    host = make_host(COUNTERSIGN_PUBLIC_URL="").start()
    desk = desk_at(host)
    port = urlsplit(host.url).port
    reply = ask(host, "/API/Research", desk.requester, named=f"localhost:{port}")
    assert reply.status == 202
    location = reply.headers["Location"]
    assert urlsplit(location).path == f"/api/operations/{json.loads(reply.body)['operation_id']}"
    headers = {"Authorization": f"Bearer {desk.requester}"}
    assert host.http.get(location, headers=headers).status_code == 200


@pytest.mark.parametrize("method", ["GET", "HEAD"])
@pytest.mark.parametrize(
    ("path", "leads_to"),
    [
        ("review/", "../../api/review"),
        ("review/?operation=a&version=2", "../../api/review?operation=a&version=2"),
        ("review/index.html", "../../api/review"),
        ("Review?operation=a", "../api/review?operation=a"),
        ("../API/REVIEW/", "../../api/review"),
    ],
)
def test_an_address_whose_links_would_lead_nowhere_sends_on_to_the_page(
    desk: Any, method: str, path: str, leads_to: str
) -> None:
    answer = desk.host.call(method, path)
    assert (answer.status_code, answer.headers["Location"]) == (308, leads_to)
    page = desk.host.http.get(answer.url.join(leads_to))
    assert page.url.path == "/api/review"
    assert (page.status_code, page.headers["Content-Type"]) == (200, "text/html; charset=utf-8")


@pytest.mark.parametrize("route", GET_ROUTES)
def test_what_can_be_got_can_be_asked_after(desk: Any, route: str) -> None:
    asked, got = (desk.host.call(method, route, desk.reviewer) for method in ("HEAD", "GET"))
    assert asked.status_code == got.status_code
    assert asked.content == b""
    assert asked.headers["Content-Type"] == got.headers["Content-Type"]


@pytest.mark.parametrize("route", [*GET_ROUTES, "operations/none", "review", "review/none"])
def test_no_browser_guesses_what_an_answer_is(desk: Any, route: str) -> None:
    for token in (None, desk.reviewer):
        assert desk.host.call("GET", route, token).headers["X-Content-Type-Options"] == "nosniff"


def test_what_has_not_changed_keeps_its_type(desk: Any) -> None:
    first = desk.host.call("GET", "review/main.js")
    again = desk.host.call(
        "GET", "review/main.js", headers={"If-None-Match": first.headers["ETag"]}
    )
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["Content-Type"] == first.headers["Content-Type"]
