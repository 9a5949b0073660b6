"""Operations of a kind that the page has no script for: told as such, and in nobody's way."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

UNKNOWN = "This page does not know operations of the kind “payment”."


def to_payment(document: Any) -> None:
    """Make an answer of the API about one of a kind that nobody registered."""
    told = [document, *document.get("proposals", []), *document.get("events", [])]
    for each in told:
        facts = each.get("data", each)
        if "kind" in facts:
            facts["kind"] = "payment"


@pytest.fixture
def victor(visit: Any, offered: str) -> Any:
    """A reviewer for whom what is offered is a payment."""
    visitor = visit("Victor")
    for glob in ("**/api/proposals?*", f"**/api/operations/{offered}", f"**/{offered}/**"):
        visitor.receive(glob, to_payment)
    return visitor


def test_the_inbox_lists_it_among_the_others(victor: Any, offered: str) -> None:
    page = victor.open()
    row = page.locator(".row").filter(has=page.locator(f"a[href*='{offered}']"))
    expect(row).to_contain_text("Operation of the kind “payment”")
    row.get_by_role("link").click()
    expect(page.get_by_text(UNKNOWN).first).to_be_visible()


def test_its_operation_says_how_it_stands(victor: Any, offered: str) -> None:
    page = victor.open(operation=offered)
    expect(page.get_by_text(UNKNOWN)).to_be_visible()
    expect(page.get_by_role("link", name="Open version 1")).to_be_visible()
    expect(page.locator(".timeline").first).to_contain_text("offered version 1 (draft)")


def test_nobody_decides_about_what_they_were_not_shown(victor: Any, offered: str) -> None:
    review = victor.review(offered)
    expect(review.text).to_contain_text(UNKNOWN)
    expect(review.decide).to_contain_text("So it can't be decided about here.")
    expect(review.choice("Approve")).to_have_count(0)
