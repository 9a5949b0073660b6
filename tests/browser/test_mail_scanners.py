"""Looking changes nothing: mail scanners and link previews open every link, and often."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from playwright.sync_api import expect

TIMES = 3


def addresses(host: Any, operation: str) -> Iterator[str]:
    """Every address of the page and of the API that answers GET, about this operation."""
    query = f"?operation={operation}"
    for tail in ("", "?new", "?list=all", query, f"{query}&version=1", f"{query}&decision=approve"):
        yield f"review{tail}"
    described = host.call("GET", "openapi.json").json()
    for path, methods in described["paths"].items():
        if "get" in methods:
            path = path.replace("{operation_id}", operation).replace("{version}", "1")
            path = path.replace("{room}/{file}", "words/words.js").replace("{file}", "main.js")
            yield re.sub(r"^/?(api/)?", "", path)


def test_a_scanner_that_opens_every_link_as_the_reviewer_changes_nothing(
    visit: Any, desk: Any, offered: str
) -> None:
    victor = visit("Victor")
    before = desk.operation(offered), desk.history(offered)
    for address in [*addresses(desk.host, offered)] * TIMES:
        url = f"{desk.host.url}/api/{address}"
        assert victor.context.request.get(url).status < 500, address
        assert victor.context.request.head(url).status < 500, address
    assert (desk.operation(offered), desk.history(offered)) == before


def test_every_action_refuses_to_be_done_by_a_link(visit: Any, desk: Any, offered: str) -> None:
    victor = visit("Victor")
    before = desk.history(offered)
    actions = ("withdraw", "proposals/1/decision", "proposals/1/decision?decision=approve")
    for action in actions:
        url = f"{desk.host.url}/api/operations/{offered}/{action}"
        for fetch in (victor.context.request.get, victor.context.request.head):
            assert fetch(url).status in (404, 405)
    assert desk.history(offered) == before


def test_a_link_preview_in_a_browser_sends_nothing_but_looks(
    visit: Any, watch: Any, desk: Any, offered: str
) -> None:
    before = desk.history(offered)
    victor = visit("Victor")
    for query in ({}, {"operation": offered}, {"operation": offered, "version": 1}, {"new": ""}):
        page = victor.open(**query)
        expect(page.locator("main")).not_to_be_empty()
    assert {request.method for request in watch.requests} == {"GET"}
    assert desk.history(offered) == before
