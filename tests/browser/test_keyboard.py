"""Everything can be reached and decided without a mouse."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import FilePayload, Locator, Page, expect

MOST_STOPS = 60


def tab_to(page: Page, wanted: Locator) -> None:
    """Press Tab until it has the focus, which is visible at every stop."""
    for _ in range(MOST_STOPS):
        page.keyboard.press("Tab")
        if wanted.evaluate("element => element === document.activeElement"):
            return
    raise AssertionError(f"Tab does not lead to {wanted}")


def test_from_the_inbox_to_an_approval_by_keyboard_alone(visit: Any, desk: Any) -> None:
    # With little time it stands on the first page of an inbox that other tests fill too.
    operation = desk.ask(approval={"window_seconds": 300})
    desk.until_version(operation)
    victor = visit("Victor")
    page = victor.open()
    row = page.locator(f".row-title a[href*={operation}]")
    tab_to(page, row)
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()
    review = victor.on(page)
    tab_to(page, review.choice("Approve"))
    page.keyboard.press("Enter")
    expect(page.locator(".signature")).to_be_focused()
    tab_to(page, review.comment)
    page.keyboard.type("Well put.")
    tab_to(page, review.send_with("Sign and approve"))
    page.keyboard.press("Enter")
    expect(page.locator(".decide-bar")).to_be_focused()
    expect(review.receipt).to_contain_text("Recorded: Victor approved version 1.")
    desk.until_state(operation, "published")


def test_single_keys_lead_to_choices_and_decide_nothing(
    visit: Any, desk: Any, offered: str
) -> None:
    review = visit("Victor").review(offered)
    page = review.page
    for key, choice in {"c": "Request changes", "e": "Edit", "r": "Reject", "a": "Approve"}.items():
        page.keyboard.press(key)
        expect(review.choice(choice)).to_be_focused()
        expect(review.choice(choice)).to_have_attribute("aria-expanded", "false")
    page.keyboard.press("j")
    expect(review.claims.first.locator("> summary")).to_be_focused()
    page.keyboard.press("Enter")
    expect(review.claims.first.locator(".passage")).to_be_visible()
    page.keyboard.press("q")
    expect(page.get_by_label("Ask about this version")).to_be_focused()
    page.keyboard.type("a")
    expect(page.get_by_label("Ask about this version")).to_have_value("a")
    assert desk.operation(offered)["state"] == "awaiting_approval"


def test_single_keys_can_be_switched_off(visit: Any, offered: str) -> None:
    review = visit("Victor").review(offered)
    review.page.keyboard.press("?")
    help_box = review.page.get_by_role("dialog", name="Keyboard shortcuts")
    help_box.get_by_label("Use single-key shortcuts").uncheck()
    review.page.keyboard.press("Escape")
    expect(help_box).to_have_count(0)
    review.page.keyboard.press("a")
    expect(review.choice("Approve")).not_to_be_focused()


def test_escape_closes_the_form_and_goes_back_to_its_choice(visit: Any, offered: str) -> None:
    review = visit("Victor").review(offered)
    review.begin("Reject", "Too long.")
    review.page.keyboard.press("Escape")
    expect(review.comment).to_be_hidden()
    expect(review.choice("Reject")).to_be_focused()
    review.page.keyboard.press("Enter")
    expect(review.comment).to_have_value("Too long.")


def test_arrow_keys_move_among_tabs(visit: Any, offered: str) -> None:
    page = visit("Victor").review(offered).page
    page.get_by_role("tab", name="Report").focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("tab", name="Markdown")).to_be_focused()
    expect(page.get_by_role("tabpanel", name="Markdown")).to_be_visible()


def test_the_first_stop_skips_to_the_content(visit: Any) -> None:
    page = visit("Victor").open()
    page.keyboard.press("Tab")
    skip = page.get_by_role("link", name="Skip to the content")
    expect(skip).to_be_focused()
    expect(skip).to_be_in_viewport()
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()


def test_skipping_to_the_content_leaves_what_is_in_it(visit: Any) -> None:
    page = visit("Rita").open(new="")
    page.get_by_label("Topic", exact=True).fill("Tidal mills")
    letter: FilePayload = {"name": "Letter.txt", "mimeType": "text/plain", "buffer": b"Mills turn."}
    page.get_by_label("Choose files, or drop them here").set_input_files([letter])
    document = page.locator(".documents li strong")
    expect(document).to_have_text("Letter")
    shown = document.element_handle()
    page.get_by_role("link", name="Skip to the content").focus()
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()
    page.go_back()
    expect(page).not_to_have_url(re.compile("#main"))
    expect(page.get_by_label("Topic", exact=True)).to_have_value("Tidal mills")
    assert shown.evaluate("element => element.isConnected")


def test_keys_that_lead_to_a_choice_leave_the_text_where_it_is(visit: Any, offered: str) -> None:
    page = visit("Victor", viewport={"width": 1280, "height": 500}).review(offered).page
    page.evaluate("() => scrollTo({top: 120, behavior: 'instant'})")
    for key in "acer":
        page.keyboard.press(key)
        expect(page.locator("[data-choice]:focus")).to_have_count(1)
        assert page.evaluate("() => scrollY") == 120


def test_in_a_low_window_a_form_is_in_view_when_it_has_the_focus(visit: Any, offered: str) -> None:
    review = visit("Victor", viewport={"width": 640, "height": 400}).review(offered)
    review.page.keyboard.press("r")
    review.page.keyboard.press("Enter")
    expect(review.comment).to_be_focused()
    expect(review.comment).to_be_in_viewport(ratio=1)
