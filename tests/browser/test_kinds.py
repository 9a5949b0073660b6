"""Operations of a kind that is not the page's own: without a script of it, and with one."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

SCRIPT = Path(__file__).with_name("payment.js")
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
    expect(page.locator(".timeline").first).to_contain_text("proposed version 1 (draft)")


def test_nobody_decides_about_what_they_were_not_shown(victor: Any, offered: str) -> None:
    review = victor.review(offered)
    expect(review.text).to_contain_text(UNKNOWN)
    expect(review.decide).to_contain_text("So you cannot decide on it here.")
    expect(review.choice("Approve")).to_have_count(0)


def test_with_a_script_of_its_own_it_is_shown_and_decided_like_any_other(
    victor: Any, desk: Any, offered: str
) -> None:
    victor.bring(SCRIPT)
    review = victor.review(offered)
    expect(review.page.get_by_role("heading", level=1)).to_contain_text("Payment for")
    expect(review.text).to_contain_text("Pay for")
    expect(review.page.locator(".facts")).to_contain_text("12.50 EUR")
    expect(review.page.locator(".facts")).to_contain_text("as the bank prepared it")
    expect(review.decide.get_by_role("group").get_by_role("button")).to_have_text(
        [re.compile("Approve"), re.compile("Reject")]
    )
    review.approve()
    expect(review.receipt).to_contain_text("It is being paid now.")
    desk.until_state(offered, "published")
    page = victor.open(operation=offered)
    expect(page.get_by_text(UNKNOWN)).to_have_count(0)
    expect(page.locator(".operation-head")).to_contain_text("Payment, requested by")
