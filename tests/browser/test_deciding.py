"""Each way to decide: what it asks for, what it sends, and what it shows afterwards."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Route, expect


def test_an_approval_says_what_is_signed_and_shows_its_receipt(
    visit: Any, desk: Any, decisions: Any, offered: str
) -> None:
    review = visit("Victor").review(offered)
    review.begin("Approve", "Well put.")
    signature = review.page.locator(".signature")
    expect(signature).to_contain_text(f"I, Victor, approve version 1 of “{desk.TOPIC}”.")
    expect(signature).to_contain_text("The report is published, once, exactly as shown.")
    digest = signature.get_by_text(desk.operation(offered)["proposal"]["digest"])
    expect(digest).to_be_hidden()
    signature.get_by_text("What is signed").click()
    expect(digest).to_be_visible()
    review.send_with("Sign and approve version 1").click()
    expect(review.receipt).to_contain_text("Recorded: Victor approved version 1.")
    expect(review.receipt).to_contain_text("of the history")
    expect(review.receipt).to_contain_text("It is published now.")
    assert desk.operation(offered)["state"] == "published"
    [decision] = decisions(desk, offered)
    assert (decision["decision"], decision["comment"]) == ("approve", "Well put.")


def test_a_double_click_sends_one_decision(
    visit: Any, watch: Any, desk: Any, decisions: Any, offered: str
) -> None:
    review = visit("Victor").review(offered)
    review.begin("Approve")
    review.send_with("Sign and approve").dblclick()
    expect(review.receipt).to_be_visible()
    assert sum(request.url.endswith("/decision") for request in watch.requests) == 1
    assert len(decisions(desk, offered)) == 1


@pytest.mark.parametrize(
    ("choice", "send", "asked", "said", "state"),
    [
        # The requester learns from it what was wrong.
        ("Reject", "Reject version 1", "Give a reason", "Victor rejected version 1.", "rejected"),
        # The writer works from it.
        (
            "Request changes",
            "Request changes to version 1",
            "Describe the changes",
            "Victor requested changes to version 1.",
            "awaiting_approval",
        ),
    ],
)
def test_without_a_comment_nothing_is_sent_where_it_matters(
    visit: Any,
    desk: Any,
    decisions: Any,
    offered: str,
    choice: str,
    send: str,
    asked: str,
    said: str,
    state: str,
) -> None:
    review = visit("Victor").review(offered)
    review.begin(choice)
    review.send_with(send).click()
    expect(review.fault).to_contain_text(asked)
    expect(review.comment).to_be_focused()
    assert decisions(desk, offered) == []
    review.comment.fill("Name the sources in the text.")
    expect(review.fault).to_be_empty()
    review.send_with(send).click()
    expect(review.receipt).to_contain_text(f"Recorded: {said}")
    assert decisions(desk, offered)[0]["comment"] == "Name the sources in the text."
    desk.until_state(offered, state)
    follows = review.receipt.get_by_role("link", name="Open version 2")
    expect(follows).to_have_count(1 if state == "awaiting_approval" else 0)


def test_a_reviewers_own_text_becomes_a_version_that_somebody_else_approves(
    visit: Any, desk: Any, offered: str
) -> None:
    victor = visit("Victor")
    review = victor.review(offered)
    review.begin("Edit the text")
    own = review.markdown
    review.send_with("Submit my text as version 2").click()
    expect(review.fault).to_contain_text("You have not changed the text yet.")
    own.fill("# Surviving crashes\n\nA crash costs the steps that were not stored.\n")
    review.send_with("Submit my text as version 2").click()
    expect(review.receipt).to_contain_text("Recorded: Victor corrected version 1.")
    expect(review.receipt).to_contain_text("The correction becomes version 2")
    review.receipt.get_by_role("link", name="Open version 2").click()
    again = victor.on(review.page)
    expect(again.text).to_contain_text("A crash costs the steps that were not stored.")
    again.begin("Approve")
    expect(again.page.locator("#ballot")).to_contain_text("your approval alone does not count")

    other = visit("Wanda").review(offered, 2)
    expect(other.text).to_contain_text("A crash costs the steps that were not stored.")
    other.approve()
    expect(other.receipt).to_contain_text("Recorded: Wanda approved version 2.")
    desk.until_state(offered, "published")


def test_one_approval_of_two_counts_and_waits_for_the_other(visit: Any, desk: Any) -> None:
    operation = desk.ask(approval={"quorum": 2})
    desk.until_version(operation)
    victor = visit("Victor")
    review = victor.review(operation)
    expect(review.page.locator(".facts")).to_contain_text("0 of 2 approvals")
    review.approve()
    expect(review.receipt).to_contain_text("someone else has to approve too")
    again = victor.review(operation)
    expect(again.decide).to_contain_text("one more by a report reviewer is needed")
    visit("Wanda").review(operation).approve()
    desk.until_state(operation, "published")


def test_the_receipt_leads_to_what_waits_next(visit: Any, desk: Any, offered: str) -> None:
    following = desk.ask("What waits next")
    desk.until_version(following)
    review = visit("Victor").review(offered)
    review.approve()
    review.receipt.get_by_role("link", name="Next:").click()
    expect(review.choice("Approve")).to_be_visible()
    expect(review.receipt).to_have_count(0)


def test_the_last_version_promises_no_other_and_takes_no_text(visit: Any, offered: str) -> None:
    victor = visit("Victor")
    victor.receive("**/proposals/1", lambda shown: shown.update(last=True))
    review = victor.review(offered)
    expect(review.choice("Approve")).to_be_visible()
    expect(review.choice("Edit")).to_have_count(0)
    review.begin("Request changes", "Shorter.")
    owner = "the person who owns the matter has to take over"
    expect(review.decide).to_contain_text(
        f"Requesting changes ends the operation: nothing is published, and {owner}."
    )
    expect(review.decide).not_to_contain_text("version 2")
    review.send_with("Request changes").click()
    expect(review.receipt).to_contain_text("The operation ends")
    expect(review.receipt).to_contain_text(owner)


def test_an_approval_that_came_to_nothing_says_why(visit: Any, desk: Any, offered: str) -> None:
    desk.decide(offered, desk.until_version(offered))
    desk.until_state(offered, "published")
    victor = visit("Victor")
    outcome = {"as": "write_unknown", "reason": "The destination was silent."}
    victor.receive(
        f"**/operations/{offered}",
        lambda shown: shown.update(state="write_unknown", outcome=outcome),
    )
    decide = victor.review(offered).decide
    expect(decide).to_contain_text("Victor approved version 1")
    expect(decide).to_contain_text("Unconfirmed: The write began")
    expect(decide).to_contain_text("The destination was silent.")
    expect(decide).not_to_contain_text("It is being published.")


def test_an_approval_is_taken_back_where_it_is_shown(visit: Any, desk: Any) -> None:
    operation = desk.ask(approval={"quorum": 2})
    first = desk.until_version(operation)
    desk.decide(operation, first)
    page = visit("Victor").review(operation).page
    expect(page.get_by_text("You approved this version")).to_be_visible()
    page.get_by_role("button", name="Take my approval back").click()
    expect(page.get_by_role("group", name="Decide")).to_be_visible()
    expect(page.get_by_text("You approved this version")).to_have_count(0)
    assert "ApprovalTakenBack" in [event["type"] for event in desk.history(operation)]
    assert desk.operation(operation)["proposal"]["status"] == "pending"


def test_an_approval_taken_back_in_another_tab_lets_one_choose_again(visit: Any, desk: Any) -> None:
    operation = desk.ask(approval={"quorum": 2})
    desk.decide(operation, desk.until_version(operation))
    victor = visit("Victor")
    page, other = (victor.review(operation).page for _ in range(2))
    expect(page.get_by_text("You approved this version")).to_be_visible()
    other.get_by_role("button", name="Take my approval back").click()
    expect(page.get_by_role("group", name="Decide")).to_be_visible()
    expect(page.get_by_text("You approved this version")).to_have_count(0)


def test_a_second_click_on_an_open_choice_changes_nothing(visit: Any, offered: str) -> None:
    review = visit("Victor").review(offered)
    review.choice("Approve").dblclick()
    expect(review.send_with("Sign and approve version 1")).to_be_visible()
    expect(review.choice("Approve")).to_have_attribute("aria-expanded", "true")


def test_what_is_said_with_one_choice_is_not_said_with_another(
    visit: Any, desk: Any, decisions: Any, offered: str
) -> None:
    review = visit("Victor").review(offered)
    review.begin("Request changes", "Say it shorter.")
    review.begin("Approve")
    expect(review.comment).to_have_value("")
    review.begin("Request changes")
    expect(review.comment).to_have_value("Say it shorter.")
    review.approve()
    expect(review.receipt).to_be_visible()
    assert [each["comment"] for each in decisions(desk, offered)] == [""]


def test_while_it_is_sent_the_button_says_so(visit: Any, offered: str) -> None:
    review = visit("Victor").review(offered)
    held: list[Route] = []
    review.page.route("**/decision", lambda route: held.append(route))
    review.approve()
    sending = review.page.locator("#ballot").get_by_role("button", name="Sending…")
    expect(sending).to_be_disabled()
    held[0].continue_()
    expect(review.receipt).to_be_visible()
