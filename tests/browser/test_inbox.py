"""The lists: what waits for me, the most urgent first, and everything else a click away."""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

HOUR = 3600
WAITING = {"Tidal mills": 2 * HOUR, "Write-ahead logging": HOUR // 2, "Leases": 72 * HOUR}


def ask(desk: Any, topic: str, seconds: int, **terms: Any) -> str:
    documents = [{"title": topic, "text": f"{topic} are explained in this sentence of a source."}]
    terms = {"window_seconds": seconds, **terms}
    operation = desk.ask(topic, documents=documents, approval=terms)
    desk.until_state(operation, "awaiting_approval")
    return operation


@pytest.fixture(scope="module")
def busy(desk: Any, desk_class: Callable[..., Any]) -> Any:
    """A tenant where proposals wait, three of them for reviewers."""
    tenants = desk_class(desk.host, tenant=f"busy-{uuid.uuid4().hex[:8]}")
    for topic, seconds in WAITING.items():
        ask(tenants, topic, seconds)
    for topic in ("Sagas", "Mills at sea"):
        ask(tenants, topic, HOUR, role="Report.Escalation")
    return tenants


@pytest.fixture
def inbox(visit: Any, busy: Any) -> Page:
    return visit("Victor", tenant=busy.tenant).open()


def titles(page: Page) -> Locator:
    return page.locator(".row-title")


def look_again(page: Page) -> None:
    """Come back to the tab, which is when a page that waits looks at once."""
    page.evaluate("() => dispatchEvent(new Event('focus'))")


def test_the_most_urgent_is_first_with_all_that_tells_whether_to_open_it(inbox: Page) -> None:
    expect(titles(inbox)).to_have_text(["Write-ahead logging", "Tidal mills", "Leases"])
    first = inbox.locator(".row").first
    expect(first).to_contain_text("Rita asked today")
    expect(first).to_contain_text("On approval: The report is published, once, exactly as shown.")
    expect(first).to_contain_text("report reviewer")
    expect(first).to_contain_text("tokens")
    expect(first.locator(".countdown")).to_have_attribute("data-urgency", "urgent")
    expect(inbox.locator(".row .countdown").last).to_have_attribute("data-urgency", "calm")
    expect(inbox).to_have_title("Waiting for me (3) · Countersign")


def test_a_countdown_runs(inbox: Page) -> None:
    left = inbox.locator(".row .countdown").first
    said = left.inner_text()
    assert re.fullmatch(r"\d\d min( \d+ s)? left", said)
    expect(left).not_to_have_text(said)
    expect(left).to_contain_text("left")


def test_a_row_leads_to_its_proposal_and_back_leads_to_the_inbox(inbox: Page) -> None:
    titles(inbox).first.get_by_role("link").click()
    expect(inbox.get_by_role("button", name="Approve")).to_be_visible()
    inbox.go_back()
    expect(titles(inbox)).to_have_count(3)
    inbox.go_forward()
    expect(inbox.get_by_role("button", name="Approve")).to_be_visible()


def test_what_came_in_meanwhile_is_there_when_one_comes_back(
    visit: Any, desk: Any, desk_class: Callable[..., Any]
) -> None:
    others = desk_class(desk.host, tenant=f"new-{uuid.uuid4().hex[:8]}")
    victor = visit("Victor", tenant=others.tenant)
    page = victor.open()
    expect(page.locator(".notice")).to_contain_text("Nothing needs your decision.")
    expect(page.locator(".notice")).to_contain_text(
        "Proposals for your roles appear here automatically"
    )
    operation = ask(others, "Tidal mills", HOUR)
    look_again(page)
    expect(titles(page)).to_have_text(["Tidal mills"])
    victor.review(operation).approve()
    expect(page.locator(".notice")).to_contain_text("Nothing needs your decision.")


def test_each_state_is_a_click_away(visit: Any, desk: Any) -> None:
    ends = {"Published": "approve", "Rejected": "reject"}
    ended = {}
    for state, decision in ends.items():
        topic = f"{state} {uuid.uuid4().hex[:8]}"
        ended[state] = ask_for_end(desk, topic, decision)
    page = visit("Victor").open()
    lists = page.get_by_role("navigation", name="Lists")
    for state, topic in ended.items():
        lists.get_by_role("link", name=state).click()
        row = page.locator(".row").filter(has_text=topic)
        expect(row.locator(".badge")).to_have_text(state)
        expect(lists.locator("[aria-current]")).to_have_text(state)
    lists.get_by_text("More").click()
    lists.get_by_role("link", name="Over budget").click()
    expect(page.locator(".notice")).to_contain_text("Nothing is in the state “Over budget”.")


def ask_for_end(desk: Any, topic: str, decision: str) -> str:
    operation = ask(desk, topic, HOUR)
    desk.decide(operation, desk.until_version(operation), decision, comment="So be it.")
    desk.until_state(operation, "published", "rejected")
    return topic


def test_what_nobody_decided_is_among_the_expired(visit: Any, desk: Any) -> None:
    topic = f"Expired {uuid.uuid4().hex[:8]}"
    desk.until_state(ask(desk, topic, 1), "expired")
    page = visit("Victor").open(list="expired")
    expect(page.locator(".row").filter(has_text=topic).locator(".badge")).to_have_text("Expired")


def test_the_filter_finds_rows_by_words_and_by_role(visit: Any, busy: Any) -> None:
    page = visit("Ruth", "Report.Reviewer Report.Escalation", tenant=busy.tenant).open()
    expect(titles(page)).to_have_count(5)
    page.get_by_label("Filter").fill("MILLS rita")
    expect(titles(page)).to_have_text(["Mills at sea", "Tidal mills"])
    page.get_by_label("Role").select_option(label="report escalation")
    expect(titles(page)).to_have_text(["Mills at sea"])
    page.get_by_label("Filter").fill("windmill")
    page.get_by_role("button", name="Clear the filter").click()
    expect(titles(page)).to_have_count(5)


def test_a_list_that_can_not_be_read_says_so_and_can_be_tried_again(visit: Any) -> None:
    victor = visit("Victor")
    victor.context.route("**/api/proposals?*", lambda route: route.abort())
    page = victor.open()
    expect(page.get_by_role("alert")).to_contain_text("The server cannot be reached.")
    victor.context.unroute_all()
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("navigation", name="Lists")).to_be_visible()
