"""A decision waits a few seconds before it is sent, and can be undone meanwhile."""

from __future__ import annotations

import uuid
from typing import Any

from playwright.sync_api import Dialog, Locator, Page, expect


def held(page: Page) -> Locator:
    return page.get_by_role("region", name="About to be sent").locator(".held")


def test_what_is_undone_is_not_sent_and_its_words_are_kept(
    visit: Any, watch: Any, desk: Any, decisions: Any, offered: str
) -> None:
    review = visit("Victor", undo_seconds=3_600).review(offered)
    review.begin("Reject", "Too short.")
    review.send_with("Reject version 1").click()
    expect(held(review.page)).to_contain_text("“Reject version 1” of")
    expect(review.send_with("Not sent yet")).to_be_disabled()
    review.page.keyboard.press("z")
    expect(held(review.page)).to_have_count(0)
    expect(review.page.get_by_text("Your words are saved.")).to_be_visible()
    expect(review.comment).to_have_value("Too short.")
    assert not [each for each in watch.requests if each.url.endswith("/decision")]
    assert decisions(desk, offered) == []


def test_it_is_sent_when_the_time_is_over_or_at_once(visit: Any, desk: Any) -> None:
    for seconds in (1, 3_600):
        operation = desk.ask()
        desk.until_version(operation)
        review = visit("Victor", undo_seconds=seconds).review(operation)
        review.approve()
        if seconds > 1:
            held(review.page).get_by_role("button", name="Send now").click()
        expect(review.receipt).to_contain_text("Victor approved version 1.")
        expect(held(review.page)).to_have_count(0)


def test_by_itself_it_waits_ten_seconds(visit: Any, offered: str) -> None:
    review = visit("Victor", undo_seconds=None).review(offered)
    review.approve()
    expect(held(review.page)).to_contain_text("10 s")
    held(review.page).get_by_role("button", name="Undo").click()


def test_beside_a_list_one_goes_on_at_once_and_hears_of_a_refusal(visit: Any, desk: Any) -> None:
    topic = f"Undone {uuid.uuid4().hex[:8]}"
    documents = [{"title": topic, "text": f"{topic} is explained in this sentence of a source."}]
    first, second = (desk.ask(topic, documents=documents) for _ in range(2))
    proposal, _ = desk.until_version(first), desk.until_version(second)
    page = visit("Victor", undo_seconds=3_600).open(list="waiting", text=topic, row=first)
    preview = page.get_by_role("region", name="Selected row")
    preview.get_by_role("group", name="Decide").get_by_role("button", name="Approve").click()
    preview.get_by_role("button", name="Sign and approve version 1").click()
    row = page.locator(f".row[data-operation='{first}']")
    expect(row).not_to_have_attribute("data-chosen", "")
    expect(row).to_contain_text("About to be sent")
    desk.decide(first, proposal, "reject", token=desk.second)
    preview.get_by_role("group", name="Decide").get_by_role("button", name="Approve").click()
    preview.get_by_role("button", name="Sign and approve version 1").click()
    outbox = page.get_by_role("region", name="About to be sent")
    outbox.get_by_text("1 more will be sent in a few seconds").click()
    outbox.locator(".earlier").get_by_role("button", name="Send now").click()
    refusal = outbox.locator(".refused")
    expect(refusal).to_contain_text(topic)
    expect(refusal).to_contain_text("Wanda")
    expect(row).to_have_count(0)
    # It stays while others are sent.
    outbox.get_by_role("button", name="Send now").click()
    expect(preview).to_contain_text(f"Recorded: Victor approved version 1 of “{topic}”.")
    expect(refusal).to_be_visible()
    refusal.get_by_role("button", name="Close").click()
    expect(outbox.locator(".notice")).to_have_count(0)


def test_whoever_leaves_sends_nothing_and_is_told_so(
    visit: Any, desk: Any, decisions: Any, offered: str
) -> None:
    victor = visit("Victor", undo_seconds=3_600, watched=False)
    review = victor.review(offered)
    asked: list[str] = []

    def leave(dialog: Dialog) -> None:
        asked.append(dialog.type)
        dialog.accept()

    review.page.on("dialog", leave)
    review.approve()
    expect(held(review.page)).to_be_visible()
    review.page.reload()
    expect(review.page.get_by_text("You left before this was sent, so it was not")).to_be_visible()
    assert asked == ["beforeunload"]
    assert decisions(desk, offered) == []


def test_whoever_closes_the_tab_is_told_at_the_next_visit_and_nobody_else_is(
    visit: Any, desk: Any, decisions: Any, offered: str
) -> None:
    victor = visit("Victor", undo_seconds=3_600, watched=False)
    review = victor.review(offered)
    review.approve()
    expect(held(review.page)).to_be_visible()
    review.page.close()
    victor.sign_in_as("Wanda")
    told = "You left before this was sent, so it was not"
    wanda = victor.open()
    expect(wanda.get_by_role("heading", level=1)).to_be_visible()
    expect(wanda.get_by_text(told)).to_have_count(0)
    victor.sign_in_as("Victor")
    expect(victor.open().get_by_text(told)).to_be_visible()
    assert decisions(desk, offered) == []
