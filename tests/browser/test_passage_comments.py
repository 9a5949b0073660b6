"""Comments on passages of a report: gathered beside it, sent as one decision, and answered."""

from __future__ import annotations

import re
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page, expect

SUBTOPICS = ["Timers", "Retries", "Sagas"]


@pytest.fixture
def offered(desk: Any) -> str:
    """An operation whose first version has several statements."""
    operation = desk.ask(subtopics=SUBTOPICS)
    desk.until_version(operation)
    return operation


def paragraph(page: Page) -> Locator:
    """One that quotes a statement."""
    return page.locator(".sheet blockquote, .sheet p").filter(has_text="“").last


def select(page: Page, words: Locator) -> str:
    """Select what an element says; returns that with single blanks."""
    words.evaluate("each => getSelection().selectAllChildren(each)")
    return " ".join(words.inner_text().split())


def say(page: Page, how: str, field: str, words: str) -> None:
    page.get_by_role("group", name="Selected passage").get_by_role("button", name=how).click()
    page.get_by_role("dialog").get_by_label(field).fill(words)
    page.get_by_role("button", name="Add to your review").click()
    expect(page.get_by_role("dialog")).to_have_count(0)


def comments_of(page: Page) -> Locator:
    page.get_by_role("tab", name="Comments").click()
    return page.locator(".comment-on")


def test_a_review_sends_its_comments_together_and_the_next_version_answers_each(
    visit: Any, desk: Any, decisions: Any, offered: str
) -> None:
    review = visit("Victor").review(offered)
    page = review.page
    quote = select(page, paragraph(page))
    say(page, "Comment", "What should change?", "Please remove this.")
    heading = page.locator(".sheet").get_by_role("heading").nth(1)
    select(page, heading)
    say(page, "Suggest", "The words that you suggest", "About timers")
    expect(comments_of(page)).to_have_count(2)
    assert Axe().run(page).violations_count == 0

    page.reload()
    expect(comments_of(page)).to_have_count(2)
    expect(page.locator("#ballot")).to_contain_text("2 comments on passages will be sent with it.")
    review.send_with("Request changes to version 1").click()
    expect(review.receipt).to_contain_text("Victor requested changes to version 1.")
    [decision] = decisions(desk, offered)
    assert (decision["decision"], decision["comment"]) == ("revise", "")
    desk.until_version(offered, 2)

    second = visit("Wanda").review(offered, 2).page
    removed, reworded = comments_of(second).all()
    expect(removed).to_contain_text(quote)
    expect(removed).to_contain_text(re.compile("Done: .* left out."))
    expect(reworded).to_contain_text("Suggested: About timers")
    expect(reworded).to_contain_text("Not done: ")
    removed.get_by_role("button", name="Resolve").click()
    expect(comments_of(second).first).to_contain_text("Resolved by Wanda")
    second.reload()
    expect(comments_of(second).first).to_contain_text("Resolved by Wanda")
    assert Axe().run(second).violations_count == 0


def test_a_comment_is_on_the_passage_that_was_selected_though_its_words_stand_twice(
    visit: Any, desk: Any
) -> None:
    operation = desk.ask()
    text = "# Tides\n\nThe sea is high.\n\nIt falls. The sea is high.\n"
    desk.decide(operation, desk.until_version(operation), "revise", correction={"text": text})
    desk.until_version(operation, 2)
    page = visit("Wanda").review(operation, 2).page
    place = (
        page.locator(".sheet p")
        .filter(has_text="It falls")
        .evaluate(
            """each => {
          const range = new Range();
          range.setStart(each.firstChild, 10);
          range.setEnd(each.firstChild, 25);
          getSelection().removeAllRanges();
          getSelection().addRange(range);
          return "The sea is high"; }"""
        )
    )
    say(page, "Comment", "What should change?", "Since when?")
    expect(comments_of(page)).to_contain_text(str(place))
    marked = """() => [...CSS.highlights.get("commented")]
      .map((range) => [range.toString(), range.startContainer.parentElement.textContent])"""
    assert page.evaluate(marked) == [["The sea is high", "It falls. The sea is high."]]


def test_comments_are_not_sent_with_an_approval_and_that_is_said(visit: Any, offered: str) -> None:
    review = visit("Victor").review(offered)
    select(review.page, paragraph(review.page))
    say(review.page, "Comment", "What should change?", "Which one?")
    review.begin("Approve")
    said = "Your 1 comment on a passage will not be sent"
    expect(review.page.locator("#ballot")).to_contain_text(said)


def test_who_may_not_request_changes_is_offered_no_comment(visit: Any, offered: str) -> None:
    page = visit("Rita").review(offered).page
    select(page, paragraph(page))
    expect(page.get_by_role("group", name="Selected passage")).to_have_count(0)


def test_sent_comments_decide_nothing_and_reach_other_reviewers_who_have_the_version_open(
    visit: Any, desk: Any, decisions: Any, offered: str
) -> None:
    other = visit("Wanda").review(offered)
    review = visit("Victor").review(offered)
    page = review.page
    select(page, paragraph(page))
    say(page, "Comment", "What should change?", "Please remove this.")
    expect(comments_of(page)).to_have_count(1)
    page.get_by_role("button", name="Send comments").click()
    sent = page.get_by_role("region").locator(".comment-on[data-state=open]")
    expect(sent).to_contain_text("Victor")
    expect(page.get_by_role("button", name="Send comments")).to_have_count(0)
    assert decisions(desk, offered) == []

    seen = comments_of(other.page)
    expect(seen).to_contain_text("Victor")
    expect(seen).to_contain_text("Please remove this.")
    other.begin("Request changes")
    other.send_with("Request changes to version 1").click()
    expect(other.receipt).to_contain_text("Wanda requested changes to version 1.")
    desk.until_version(offered, 2)
    answered = comments_of(visit("Victor").review(offered, 2).page)
    expect(answered).to_contain_text(re.compile("Done: .* left out."))
    assert Axe().run(page).violations_count == 0
