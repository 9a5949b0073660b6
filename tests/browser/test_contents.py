"""A longer report has a list of its headings and is laid out as one reads; a short one is whole."""

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
    page.locator(".contents > summary").click()
    contents = page.get_by_role("navigation", name="Contents of the report")
    expect(contents.get_by_role("link")).to_have_count(9)
    heading = page.get_by_role("heading", name="Chapter 7")
    expect(heading).not_to_be_in_viewport()
    contents.get_by_role("link", name="Chapter 7").click()
    expect(heading).to_be_in_viewport()
    read = page.locator(".contents > summary")
    expect(read).to_contain_text("of 9 parts read so far")
    page.reload()
    expect(read).to_contain_text("of 9 parts read so far")
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


def test_two_million_characters_are_rendered_chapter_by_chapter(visit: Any, desk: Any) -> None:
    operation = desk.ask()
    first = desk.until_version(operation)
    chapter = f"## Chapter\n\n{'The sea *rises* twice a day. ' * 220}\n\n"
    text = f"# Tides\n\n{chapter * (1_990_000 // len(chapter))}"
    desk.decide(operation, first, "revise", correction={"text": text})
    desk.until_version(operation, 2)
    page = visit("Wanda").review(operation, 2).page
    expect(page.locator(".sheet em").first).to_be_attached()
    laid_out = page.evaluate(
        "[...document.querySelectorAll('.chapter')].map("
        "(each) => each.lastElementChild.checkVisibility({ contentVisibilityAuto: true }))"
    )
    assert len(laid_out) > 200
    assert laid_out[0]
    assert not laid_out[-1]
    page.locator(".contents > summary").click()
    page.get_by_role("navigation", name="Contents").get_by_role("link").last.click()
    expect(page.get_by_role("heading", name="Chapter").last).to_be_in_viewport()


def test_each_block_has_the_direction_of_its_own_words(visit: Any, desk: Any) -> None:
    operation = desk.ask()
    hebrew, arabic = "\u05e9\u05dc\u05d5\u05dd", "\u0645\u0631\u062d\u0628\u0627"
    text = f"# Tides\n\nAn English line.\n\n{hebrew}\n\n- {arabic}\n\n~~gone~~\n\n"
    text += "| a | b |\n|---|--:|\n| 1 | 2 |\n"
    desk.decide(operation, desk.until_version(operation), "revise", correction={"text": text})
    desk.until_version(operation, 2)
    review = visit("Wanda").review(operation, 2)
    sheet = review.page.locator(".sheet")
    for words, direction in (("An English", "ltr"), ("\u05e9\u05dc\u05d5\u05dd", "rtl")):
        expect(sheet.get_by_text(words)).to_have_css("direction", direction)
    expect(sheet.locator("ul")).to_have_css("direction", "rtl")
    expect(sheet.locator("s")).to_have_text("gone")
    expect(sheet.get_by_role("cell", name="2")).to_have_css("text-align", "right")
    review.begin("Edit")
    review.page.get_by_label("Title").fill("\u05e9\u05dc\u05d5\u05dd")
    expect(review.page.get_by_label("Title")).to_have_css("direction", "rtl")
