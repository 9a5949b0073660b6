"""What time does to a page that is left open: windows close, and sign-ins end."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import expect

COMMENT = "Name the sources in the text."


def test_too_late_says_where_it_went(visit: Any, virtual_desk: Any) -> None:
    operation = virtual_desk.ask(approval={"window_seconds": 600})
    virtual_desk.until_version(operation)
    review = visit("Victor", host=virtual_desk.host).review(operation)
    review.begin("Approve", "In time, I hope.")
    virtual_desk.host.advance(601)
    review.send_with("Sign and approve").click()
    expect(review.alert).to_contain_text("The deadline passed")
    expect(review.alert).to_contain_text("escalated to the role report escalation")
    expect(review.decide).to_contain_text("Nobody decided in time")
    review.decide.get_by_role("link", name="Open version 2").click()
    # Whoever was asked before may still decide, beside the people who were added.
    expect(review.decide.get_by_role("button", name="Approve")).to_be_visible()
    escalated = visit("Edith", host=virtual_desk.host).review(operation, 2)
    escalated.approve()
    expect(escalated.receipt).to_be_visible()


def test_a_page_that_is_left_open_closes_by_itself_when_the_time_is_up(
    visit: Any, desk: Any
) -> None:
    operation = desk.ask(approval={"window_seconds": 3})
    review = visit("Victor").review(operation, desk.until_version(operation)["version"])
    expect(review.decide).to_contain_text("Nobody decided in time")
    expect(review.decide.get_by_role("link", name="Open version 2")).to_be_visible()
    expect(review.choice("Approve")).to_have_count(0)


def test_a_token_that_ends_while_somebody_reads_is_renewed_and_they_notice_nothing(
    visit: Any, virtual_desk: Any
) -> None:
    operation = virtual_desk.ask(approval={"window_seconds": 86400})
    virtual_desk.until_version(operation)
    review = visit("Victor", host=virtual_desk.host).review(operation)
    review.begin("Reject", COMMENT)
    virtual_desk.host.advance(2 * 3600)
    review.send_with("Reject version 1").click()
    expect(review.receipt).to_contain_text("Recorded: Victor rejected version 1.")


def test_a_sign_in_that_ends_while_typing_loses_nothing(
    visit: Any, virtual_desk: Any, decisions: Any
) -> None:
    operation = virtual_desk.ask(approval={"window_seconds": 3 * 86400})
    virtual_desk.until_version(operation)
    victor = visit("Victor", host=virtual_desk.host)
    review = victor.review(operation)
    review.begin("Reject", COMMENT)
    virtual_desk.host.advance(25 * 3600)
    review.send_with("Reject version 1").click()
    expect(review.alert).to_contain_text("You are no longer signed in.")
    with victor.context.expect_page() as opened:
        review.alert.get_by_role("link", name="Sign in").click()
    victor.fill_in(opened.value)
    expect(opened.value.locator("main")).to_contain_text("Go back to the previous tab")
    expect(review.alert).to_contain_text("You are signed in again.")
    expect(review.comment).to_have_value(COMMENT)
    assert decisions(virtual_desk, operation) == []
    review.alert.get_by_role("button", name="Try again").click()
    expect(review.receipt).to_contain_text("Recorded: Victor rejected version 1.")
