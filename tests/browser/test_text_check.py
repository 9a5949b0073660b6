"""Whoever writes their own text can have it checked before it is sent, and that sends nothing."""

from __future__ import annotations

from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect


def test_a_text_is_checked_line_by_line_before_it_is_sent(
    visit: Any, desk: Any, offered: str
) -> None:
    review = visit("Victor").review(offered)
    page = review.page
    review.begin("Edit")
    field = review.markdown
    field.fill(field.input_value() + "\nWhales sing at night.\n")
    told = page.locator(".text-check")
    expect(told).to_be_empty()
    page.get_by_role("button", name="Check my text").click()
    expect(told).to_contain_text("1 line of your text to look at.")
    expect(told.get_by_role("listitem")).to_contain_text("Whales sing at night.")
    expect(told).to_contain_text("No source says it")
    assert Axe().run(page).violations_count == 0
    field.press_sequentially("More.")
    expect(told).to_contain_text("You changed the text since it was checked.")
    page.set_viewport_size({"width": 320, "height": 640})
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    assert desk.operation(offered)["proposal"]["version"] == 1
