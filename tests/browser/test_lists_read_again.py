"""A list that is read again while it is looked at, and what is shown beside it."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

HOUR = 3600


def ask(desk: Any, topic: str, **terms: Any) -> str:
    terms = {"window_seconds": HOUR, **terms}
    documents = [{"title": topic, "text": f"{topic} are explained in this sentence of a source."}]
    operation = desk.ask(topic, documents=documents, approval=terms)
    desk.until_state(operation, "awaiting_approval")
    return operation


def titles(page: Page) -> Locator:
    return page.locator(".row-title")


@pytest.fixture
def others(desk: Any, desk_class: Callable[..., Any]) -> Any:
    """A tenant of its own, where nothing waits."""
    return desk_class(desk.host, tenant=f"lists-{uuid.uuid4().hex[:8]}")


def test_rows_that_come_while_a_list_is_read_again_stay(visit: Any, others: Any) -> None:
    ask(others, "Tidal mills")
    victor = visit("Victor", tenant=others.tenant)
    held: list[Any] = []
    waits: list[bool] = []

    def answer(route: Any) -> None:
        response = route.fetch(url=route.request.url.partition("&cursor=")[0])
        document = response.json()
        [*_, row] = document["proposals"]
        start = 50 if "cursor=" in route.request.url else 0
        rows = [{**row, "operation_id": f"research-{start + n:024x}"} for n in range(50)]
        document.update(proposals=rows, cursor=None if start else "more", count=100)
        if waits:
            held.append((route, response, document))
            waits.pop()
        else:
            route.fulfill(response=response, json=document)

    victor.context.route("**/api/proposals?*", answer)
    page = victor.open()
    expect(titles(page)).to_have_count(50)
    waits.append(True)
    with page.expect_request("**/api/proposals?*"):
        page.evaluate("() => dispatchEvent(new Event('focus'))")
    page.get_by_role("button", name="Show more").click()
    expect(titles(page)).to_have_count(100)
    [(route, response, document)] = held
    with page.expect_response("**cursor=more"):
        route.fulfill(response=response, json=document)
    expect(titles(page)).to_have_count(100)


def test_a_link_to_a_row_that_has_left_the_list_shows_what_became_of_it(
    visit: Any, others: Any
) -> None:
    ask(others, "Tidal mills")
    operation = ask(others, "Leases")
    others.decide(operation, others.until_version(operation), "reject", comment="No.")
    page = visit("Victor", tenant=others.tenant).open(row=operation)
    expect(page.get_by_label("Selected row")).to_contain_text("Rejected")
    expect(titles(page)).to_have_text(["Tidal mills"])
    titles(page).first.click()
    expect(page.get_by_label("Selected row").get_by_role("group", name="Decide")).to_be_visible()


def test_a_row_follows_an_approval_that_is_taken_back_beside_it(visit: Any, others: Any) -> None:
    operation = ask(others, "Tidal mills", quorum=2)
    others.decide(operation, others.until_version(operation))
    victor = visit("Victor", tenant=others.tenant)
    # Nothing is looked at by the clock
    victor.context.add_init_script("globalThis.setTimeout = () => 0")
    page = victor.open(list="decided")
    shown = page.get_by_label("Selected row")
    shown.get_by_role("button", name="Take my approval back").click()
    expect(page.locator(".inbox-list .notice")).to_contain_text("You have decided nothing yet.")
