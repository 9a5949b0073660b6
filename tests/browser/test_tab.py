"""A tab keeps its place and shows what is selected."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import expect

HIDE = """() => {
  Object.defineProperty(document, "hidden", { value: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


def test_coming_back_leads_to_where_one_was(visit: Any, offered: str) -> None:
    page = visit("Victor", viewport={"width": 900, "height": 400}).review(offered).page
    expect(page.locator(".sheet")).to_be_visible()
    page.evaluate("scrollTo({ top: 300, behavior: 'instant' })")
    page.locator(".masthead").get_by_role("link", name="Inbox").first.evaluate("(a) => a.click()")
    expect(page.locator("main[data-view=inbox]")).to_be_attached()
    for come_back in (page.go_back, page.reload):
        come_back()
        expect(page.locator(".sheet")).to_be_visible()
        page.wait_for_function("scrollY === 300")


def test_what_is_selected_is_seen_in_forced_colours(visit: Any, offered: str) -> None:
    review = visit("Victor", forced_colors="active").review(offered)
    chosen = review.page.get_by_role("tab", selected=True).first
    expect(chosen).to_have_css("outline-style", "solid")
    review.begin("Reject")
    expect(review.choice("Reject")).to_have_css("outline-style", "solid")
    expect(review.choice("Approve")).not_to_have_css("outline-style", "solid")


def test_a_hidden_tab_reads_its_list_once_a_minute(visit: Any, offered: str) -> None:
    victor = visit("Victor")
    page = victor.context.new_page()
    page.clock.install()
    page.goto(f"{victor.url}/api/review")
    expect(page.locator(".row-title").first).to_be_visible()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.evaluate(HIDE)
    page.clock.run_for(30_000)
    assert [url for url in asked if "/api/proposals?" in url] == []
    with page.expect_request("**/api/proposals?*"):
        page.clock.run_for(60_000)
