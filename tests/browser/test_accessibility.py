"""Every view: its structure, and how it is at each width, in light and dark, without motion."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from testbed.structure import expect_structure

WIDTHS = (360, 1440)
OVERFLOWING = """() => [...document.querySelectorAll("body *")]
  .filter((each) => each.checkVisibility() && each.getBoundingClientRect().right > innerWidth + 1)
  .filter((each) => !each.closest(".unseen, .skip, pre, table, [popover]"))
  .map((each) => each.outerHTML.slice(0, 120))"""
LONG = "Donaudampfschifffahrtsgesellschaftskapitänswitwenrentenauszahlungsstelle" * 2


@pytest.fixture(scope="module")
def later(desk: Any) -> str:
    """An operation whose second version waits, with a long word in it."""
    operation = desk.ask()
    text = f"# {LONG}\n\n`{LONG}`\n\n| {LONG} | b |\n|---|---|\n| a | {LONG} |\n"
    desk.decide(operation, desk.until_version(operation), "revise", correction={"text": text})
    desk.until_version(operation, 2)
    return operation


@pytest.fixture(scope="module")
def published(desk: Any) -> str:
    operation = desk.ask()
    desk.decide(operation, desk.until_version(operation), comment=LONG)
    desk.until_state(operation, "published")
    return operation


@pytest.fixture(scope="module")
def corrected(buyers: Any) -> str:
    """An order whose second version waits, with long words, a struck line and more of another."""
    operation, first = buyers.waiting("450.00", "12.50", vendor=LONG, destination=LONG)
    correction = {"lines": [{"sku": "S-1", "quantity": 30_000}]}
    buyers.decide(operation, first, "revise", comment=LONG, correction=correction)
    buyers.until_version(operation, 2)
    return operation


@pytest.fixture(scope="module")
def ordered(buyers: Any) -> str:
    operation, first = buyers.waiting(destination=LONG)
    buyers.decide(operation, first)
    buyers.until_state(operation, "ordered")
    return operation


View = Callable[[Any, Callable[[str], Any]], Page]


def inbox(visit: Any, fixture: Any) -> Page:
    page = visit("Victor").open(text=fixture("offered"))
    expect(page.locator(".preview .claim").first).to_be_attached()
    return page


def proposal(visit: Any, fixture: Any) -> Page:
    review = visit("Victor").review(fixture("offered"))
    review.claims.first.locator("summary").click()
    return review.page


def deciding(visit: Any, fixture: Any) -> Page:
    review = visit("Wanda").review(fixture("offered"))
    review.begin("Reject")
    review.send_with("Reject version 1").click()
    expect(review.fault).not_to_be_empty()
    return review.page


def editing(visit: Any, fixture: Any) -> Page:
    review = visit("Wanda").review(fixture("offered"))
    review.begin("Edit the text")
    return review.page


def changes(visit: Any, fixture: Any) -> Page:
    review = visit("Wanda").review(fixture("later"), 2)
    review.tab("Changes")
    return review.page


def long_words(visit: Any, fixture: Any) -> Page:
    return visit("Wanda").review(fixture("later"), 2).page


def operation(visit: Any, fixture: Any) -> Page:
    return visit("Rita").open(operation=fixture("published"))


def request_form(visit: Any, _: Any) -> Page:
    return visit("Rita").open(new="")


def order(_: Any, fixture: Any) -> Page:
    return fixture("buyer")("Victor").review(fixture("corrected"), 2).page


def order_changes(_: Any, fixture: Any) -> Page:
    review = fixture("buyer")("Wanda").review(fixture("corrected"), 2)
    review.tab("Changes")
    return review.page


def order_editing(_: Any, fixture: Any) -> Page:
    page = order(_, fixture)
    page.get_by_role("button", name="Correct the order").click()
    page.get_by_label("Quantity").fill("40000")
    page.get_by_label("Unit price").fill("-")
    page.get_by_role("button", name="Submit as version").click()
    expect(page.get_by_label("Unit price")).to_be_focused()
    return page


def order_operation(_: Any, fixture: Any) -> Page:
    return fixture("buyer")("Rita").open(operation=fixture("ordered"))


def order_form(_: Any, fixture: Any) -> Page:
    page = fixture("buyer")("Rita").open(new="order")
    page.get_by_role("button", name="Add a line").click()
    page.get_by_role("button", name="Request the order").click()
    return page


REPORT_VIEWS = (inbox, proposal, deciding, editing, changes, long_words, operation, request_form)
ORDER_VIEWS = (order, order_changes, order_editing, order_operation, order_form)


@pytest.mark.parametrize("view", [*REPORT_VIEWS, *ORDER_VIEWS])
def test_a_view_has_its_structure_is_accessible_and_fits_at_every_width_and_in_both_schemes(
    visit: Any, request: pytest.FixtureRequest, view: View
) -> None:
    page = view(visit, request.getfixturevalue)
    expect_structure(view.__name__, page.locator("body"))
    in_every_guise(page)


def test_signing_in_has_its_structure_is_accessible_and_fits(arrive: Any) -> None:
    page = arrive("Victor").open()
    expect_structure("sign_in", page.locator("body"))
    in_every_guise(page)


def in_every_guise(page: Page) -> None:
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("() => document.documentElement.scrollWidth") <= width
        assert page.evaluate(OVERFLOWING) == []
        page.emulate_media(color_scheme="light", reduced_motion="reduce")
        assert serious(page) == {}, f"{width} px"
        # Nothing but colours differs in the dark.
        page.emulate_media(color_scheme="dark")
        assert serious(page, runOnly=["color-contrast"]) == {}, f"{width} px, dark"


def serious(page: Page, **options: Any) -> dict[str, list[str]]:
    """What axe finds that keeps people out, with the elements it is about."""
    found = Axe().run(page, options={"resultTypes": ["violations"], **options})
    return {
        f"{each['id']}: {each['help']}": [node["html"][:120] for node in each["nodes"]]
        for each in found.response["violations"]
        if each["impact"] in ("serious", "critical")
    }


def test_dark_is_dark_and_light_is_light(visit: Any) -> None:
    page = visit("Victor").open()
    brightness = {}
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        colour = (
            "() => getComputedStyle(document.body).backgroundColor.match(/[\\d.]+/g).map(Number)"
        )
        brightness[scheme] = sum(page.evaluate(colour)[:3])
    assert brightness["dark"] < 200 < 600 < brightness["light"]


def test_nothing_moves_for_those_who_asked_for_that(visit: Any, offered: str) -> None:
    review = visit("Victor", reduced_motion="reduce").review(offered)
    review.tab("Ask the fact-checker")
    review.page.route("**/questions", keep_waiting)
    review.page.get_by_label("Ask about this version").fill("Who says so?")
    review.page.get_by_role("button", name="Ask", exact=True).click()
    expect(review.page.locator(".working")).to_be_visible()
    assert review.page.evaluate("() => document.getAnimations().length") == 0
    style = "() => getComputedStyle(document.documentElement).scrollBehavior"
    assert review.page.evaluate(style) == "auto"


def keep_waiting(route: Any) -> None:
    asked = {"question_id": "q", "by": "Victor", "at": "2026-01-01T00:00:00Z", "question": "Who?"}
    route.fulfill(json={"questions": [{**asked, "status": "asked"}]})
