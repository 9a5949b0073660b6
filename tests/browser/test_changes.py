"""What changed between two versions is read like the report, change by change."""

from __future__ import annotations

import re
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

BEFORE = (
    "# Tides\n\n### High water\n\nUp twice.\n\n| when | metres |\n|---|---|\n| noon | 3 |\n\nEnd.\n"
)
AFTER = (
    "# Tides\n\n## High water\n\nUp once.\n\n| when | metres |\n|---|---|\n| noon | 4 |\n\nEnd.\n"
)


def test_changes_are_shown_in_headings_and_tables_and_one_leads_to_the_next(
    visit: Any, desk: Any
) -> None:
    operation = desk.ask()
    for version, text in enumerate((BEFORE, AFTER), start=1):
        offer = desk.until_version(operation, version)
        desk.decide(operation, offer, "revise", correction={"text": text})
    desk.until_version(operation, 3)
    review = visit("Wanda").review(operation, 3)
    review.tab("Changes")
    page = review.page
    page.get_by_label("Compared with").select_option("2")
    difference = page.locator(".difference")
    expect(difference.locator(".heading").last).to_contain_text("formatting changed")
    expect(difference.get_by_role("cell")).to_have_text(["when", "metres", "noon", "34"])
    for mark in ("#", "|"):
        expect(difference).not_to_contain_text(mark)
    for number, words in enumerate(("formatting changed", "Up twice.", "3"), start=1):
        page.get_by_role("button", name="Next change").click()
        expect(difference.locator("[data-chosen]")).to_have_text(words)
        expect(page.get_by_text(f"Change {number} of 3: {words}")).to_be_attached()
    page.get_by_role("button", name="Next change").click()
    expect(difference.locator("[data-chosen]")).to_have_text("formatting changed")
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()


def test_a_line_end_that_went_is_seen(visit: Any, desk: Any) -> None:
    operation = desk.ask()
    for version, text in enumerate(
        ("# Tides\n\nUp.\n\nDown.\n", "# Tides\n\nUp. Down.\n"), start=1
    ):
        offer = desk.until_version(operation, version)
        desk.decide(operation, offer, "revise", correction={"text": text})
    desk.until_version(operation, 3)
    review = visit("Wanda").review(operation, 3)
    review.tab("Changes")
    review.page.get_by_label("Compared with").select_option("2")
    expect(review.page.locator(".difference del").first).to_be_visible()


@pytest.mark.parametrize("width", [1440, 1024, 360])
def test_unchanged_lines_are_told_by_themselves_and_nothing_is_wider_than_its_place(
    visit: Any, desk: Any, width: int
) -> None:
    operation = desk.ask()
    unchanged = "".join(f"Line {number} stays.\n\n" for number in range(40))
    last = "A long last line, which is read and not cut off. " * 8 + "https\\://sea.example/tides"
    texts = (f"# Tides\n\nUp.\n\n{unchanged}{last}", f"# Tides\n\nDown.\n\n{unchanged}{last} Now.")
    for version, text in enumerate(texts, start=1):
        offer = desk.until_version(operation, version)
        desk.decide(operation, offer, "revise", correction={"text": text})
    desk.until_version(operation, 3)
    review = visit("Wanda").review(operation, 3)
    page = review.page
    page.set_viewport_size({"width": width, "height": 900})
    review.tab("Changes")
    page.get_by_label("Compared with").select_option("2")
    expect(page.locator(".gap").first).to_have_text(re.compile(r"^\d+ lines are unchanged$"))
    expect(page.locator(".difference")).to_contain_text("https://sea.example/tides")
    wider = """() => [...document.querySelectorAll(".review-text *")]
      .filter((each) => each.checkVisibility())
      .filter((each) => each.getBoundingClientRect().right
        > document.querySelector(".review-text").getBoundingClientRect().right + 1)
      .map((each) => each.className || each.tagName)"""
    assert page.evaluate(wider) == []
