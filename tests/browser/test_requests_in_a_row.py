"""How many answers the inbox waits for, one after the other: with latency, that is its time."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import BrowserContext, Page, Request, expect

from testbed.desk import Desk

LATENCY_MILLISECONDS = 250


@pytest.fixture(scope="module")
def desk(shared_host: Any) -> Desk:
    """People whom the page itself signs in, which leads away and back."""
    return Desk(shared_host)


class InARow:
    """The requests of a page, each with how many had been answered before it began."""

    def __init__(self, context: BrowserContext, page: Page) -> None:
        self._answered: list[int] = [0]
        self.depths: dict[Request, int] = {}
        context.on("request", self._begun)
        context.on("requestfinished", lambda request: self._answered.append(self.depths[request]))
        # Without latency, siblings come one after the other, as if each waited for the other.
        slow = {"offline": False, "downloadThroughput": -1, "uploadThroughput": -1}
        session = context.new_cdp_session(page)
        session.send("Network.enable")
        session.send("Network.emulateNetworkConditions", {**slow, "latency": LATENCY_MILLISECONDS})

    def _begun(self, request: Request) -> None:
        self.depths[request] = max(self._answered) + 1

    def before(self, ending: str) -> tuple[int, list[str]]:
        """How many answers in a row the last answer to a path came after, itself included."""
        found = [each for each in self.depths if urlsplit(each.url).path.endswith(ending)]
        told = [f"{depth} {each.method} {each.url}" for each, depth in self.depths.items()]
        return self.depths[found[-1]], told


def test_the_rows_come_after_few_answers_in_a_row(visit: Any, offered: str) -> None:
    victor = visit("Victor")
    # Also the script that the browser has kept counts as an answer, when it is loaded again.
    for most in (8, 7):
        page = victor.context.new_page()
        row = InARow(victor.context, page)
        page.goto(f"{victor.url}/api/review")
        expect(page.locator(f".row a[href*='{offered}']")).to_be_visible()
        in_a_row, told = row.before("/api/proposals")
        assert in_a_row <= most, told
        page.close()
