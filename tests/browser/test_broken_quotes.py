"""Whoever changes a quote in their own text is told so while they type."""

from __future__ import annotations

from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect


def test_a_quote_that_is_changed_is_told_and_no_more_when_it_is_put_back(
    visit: Any, offered: str
) -> None:
    review = visit("Victor").review(offered)
    review.begin("Edit")
    field = review.markdown
    whole = field.input_value()
    told = review.page.locator(".broken-quotes")
    field.fill(f"{whole}\nMore.\n")
    field.fill(whole.replace("a", "e"))
    expect(told).to_contain_text("no longer stand in your text")
    assert told.get_by_role("listitem").count() > 0
    assert Axe().run(review.page).violations_count == 0
    field.fill(f"{whole}\nMore.\n")
    expect(told).to_be_empty()
