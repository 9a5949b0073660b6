"""A longer report has a list of its headings, and a short one has none."""

from __future__ import annotations

from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect


def test_the_contents_of_a_longer_report_lead_to_its_headings(visit: Any, desk: Any) -> None:
    operation = desk.ask()
    first = desk.until_version(operation)
    chapters = "".join(f"## Chapter {n}\n\n{'The sea rises. ' * 200}\n\n" for n in range(1, 9))
    desk.decide(operation, first, "revise", correction={"text": f"# Tides\n\n{chapters}"})
    desk.until_version(operation, 2)
    page = visit("Wanda").review(operation, 2).page
    page.get_by_role("tab", name="Report").click()
    page.get_by_text("Contents", exact=True).click()
    contents = page.get_by_role("navigation", name="Contents of the report")
    expect(contents.get_by_role("link")).to_have_count(9)
    heading = page.get_by_role("heading", name="Chapter 7")
    expect(heading).not_to_be_in_viewport()
    contents.get_by_role("link", name="Chapter 7").click()
    expect(heading).to_be_in_viewport()
    expect(page.get_by_role("button", name="Approve")).to_be_visible()
    assert Axe().run(page).violations_count == 0


def test_a_short_report_has_no_contents(visit: Any, desk: Any) -> None:
    operation = desk.ask()
    text = "# Tides\n\n## High\n\nUp.\n\n## Low\n\nDown.\n"
    desk.decide(operation, desk.until_version(operation), "revise", correction={"text": text})
    desk.until_version(operation, 2)
    page = visit("Wanda").review(operation, 2).page
    expect(page.locator(".sheet")).to_be_visible()
    expect(page.locator(".contents")).to_have_count(0)
