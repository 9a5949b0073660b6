"""A printed version: the whole text and evidence, what proves it, and nothing to press."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import expect


def test_on_paper_there_is_no_bar_but_the_digest_and_who_signed(
    visit: Any, desk: Any, offered: str
) -> None:
    desk.decide(offered, proposal := desk.until_version(offered))
    desk.until_state(offered, "published")
    review = visit("Victor").review(offered)
    paper = review.page.locator(".on-paper")
    expect(paper).to_be_hidden()
    review.page.emulate_media(media="print")
    expect(review.decide).to_be_hidden()
    expect(paper).to_contain_text(proposal["digest"])
    expect(paper).to_contain_text("Victor approved this version")
    panel = review.page.locator(".review-beside > .panel").first
    assert panel.evaluate("each => each.scrollHeight <= each.clientHeight + 1")
