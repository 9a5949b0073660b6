"""Each refusal of the API in its own plain sentence, with what to do next."""

from __future__ import annotations

import json
from typing import Any

from playwright.sync_api import Page, expect

REFUSALS: list[tuple[int, str, dict[str, Any], str]] = [
    # The roles were taken away while the page was open.
    (403, "not_authorised", {"needs": "the role Report.Reviewer"}, "the role report reviewer"),
    # Something in front of the app drops headers.
    (403, "forgery_suspected", {}, "could not confirm that the request came from this page"),
    # Longer than what the API takes.
    (422, "malformed", {"fields": {"comment": "is too long"}}, "comment: is too long"),
    # The store of the ledger does not answer.
    (503, "store_unavailable", {}, "The records cannot be reached at the moment."),
    # The artifacts lost what would be approved.
    (409, "text_lost", {}, "A stored text is missing or damaged."),
    # The identity provider's keys can't be had.
    (503, "keys_unavailable", {}, "Your sign-in cannot be checked at the moment."),
    # What nobody foresaw.
    (500, "internal", {}, "The server met an unexpected error."),
    # A problem that this page does not know yet.
    (409, "of_another_age", {}, "Not now."),
]


def refusing(page: Page, status: int, code: str, **facts: Any) -> None:
    """Let every decision of this page be refused."""
    document = {"code": code, "detail": "Not now.", "status": status, **facts}
    body = json.dumps(document)
    page.route(
        "**/decision",
        lambda route: route.fulfill(
            status=status, content_type="application/problem+json", body=body
        ),
    )


def test_a_stale_tab_is_shown_the_diff_of_the_version_that_took_its_place(
    visit: Any, desk: Any, offered: str
) -> None:
    review = visit("Wanda").review(offered)
    review.begin("Approve", "Fine by me.")
    proposal = desk.until_version(offered)
    text = f"# {desk.TOPIC}\n\nPostponed indefinitely.\n"
    desk.decide(offered, proposal, "revise", comment="Shorter.", correction={"text": text})
    desk.until_version(offered, 2)
    review.send_with("Sign and approve").click()
    expect(review.alert).to_contain_text("Version 2 has replaced this version.")
    expect(review.alert.locator("ins")).to_contain_text(["Postponed indefinitely"])
    expect(review.decide).to_contain_text("Victor corrected version 1")
    expect(review.decide).to_contain_text("“Shorter.”")
    expect(review.decide).to_contain_text("Your comment was not sent. It is saved")
    review.alert.get_by_role("link", name="Open version 2").click()
    review.begin("Approve")
    expect(review.decide).to_contain_text("You started a comment on version 1: “Fine by me.”")
    review.decide.get_by_role("button", name="Use it here").click()
    expect(review.comment).to_have_value("Fine by me.")


def test_two_people_at_once_make_one_decision_and_the_second_hears_whose(
    visit: Any, desk: Any, offered: str
) -> None:
    victor, wanda = visit("Victor").review(offered), visit("Wanda").review(offered)
    wanda.begin("Reject", "Too long.")
    victor.approve()
    expect(victor.receipt).to_be_visible()
    wanda.send_with("Reject version 1").click()
    expect(wanda.alert).to_contain_text("Victor approved this")
    expect(wanda.alert).to_contain_text("Your decision was not recorded.")
    expect(wanda.decide).to_contain_text("Your comment was not sent. It is saved: “Too long.”")
    wanda.alert.get_by_role("link", name="See the result").click()
    expect(wanda.page.get_by_role("heading", name="History")).to_be_visible()
    desk.until_state(offered, "published")


def test_a_second_tab_learns_at_once_of_what_was_decided_in_the_first(
    visit: Any, offered: str
) -> None:
    victor = visit("Victor")
    first, second = victor.review(offered), victor.review(offered)
    second.begin("Reject", "No.")
    first.approve()
    expect(first.receipt).to_be_visible()
    expect(second.decide).to_contain_text("Victor approved version 1")
    expect(second.choice("Reject")).to_have_count(0)


def test_nobody_is_offered_to_decide_about_their_own_request(visit: Any, offered: str) -> None:
    rita = visit("Rita", "Research.Requester Report.Reviewer")
    review = rita.review(offered)
    expect(review.decide).to_contain_text("You requested this yourself")
    expect(review.choice("Approve")).to_have_count(0)
    review.tab("Ask the fact-checker")
    expect(review.page.get_by_text("only its reviewers can ask questions")).to_be_visible()
    expect(review.page.get_by_label("Ask about this version")).to_have_count(0)
    expect(rita.open().locator(f"a[href*={offered}]")).to_have_count(0)


def test_who_has_no_role_here_reads_which_one_it_takes(visit: Any, offered: str) -> None:
    review = visit("Edith").review(offered)
    expect(review.decide).to_contain_text("This requires the role report reviewer.")
    expect(review.decide).to_contain_text("Your roles: report escalation.")
    expect(review.choice("Approve")).to_have_count(0)


def test_a_digest_that_is_not_what_is_offered_is_not_approved(
    visit: Any, desk: Any, offered: str
) -> None:
    victor = visit("Victor")
    victor.receive("**/proposals/1", lambda shown: shown.update(digest="0" * 64))
    review = victor.review(offered)
    review.approve()
    expect(review.alert).to_contain_text("The proposal has changed since you opened it.")
    assert desk.operation(offered)["state"] == "awaiting_approval"
    victor.context.unroute_all()
    review.alert.get_by_role("button", name="Show the current version").click()
    review.approve()
    expect(review.receipt).to_be_visible()


def test_a_withdrawn_request_can_not_be_decided_any_more(
    visit: Any, desk: Any, offered: str
) -> None:
    review = visit("Victor").review(offered)
    review.begin("Approve")
    path = f"operations/{offered}/withdraw"
    answer = desk.host.call("POST", path, desk.requester, json={"reason": "No need any more."})
    assert answer.status_code == 200
    review.send_with("Sign and approve").click()
    expect(review.alert).to_contain_text("Rita withdrew this")
    expect(review.decide).to_contain_text("The requester withdrew the request.")


def test_every_refusal_has_its_sentence_and_keeps_what_was_typed(visit: Any, offered: str) -> None:
    review = visit("Victor").review(offered)
    review.begin("Approve", "Well put.")
    for status, code, facts, says in REFUSALS:
        refusing(review.page, status, code, **facts)
        review.send_with("Sign and approve").click()
        expect(review.alert).to_contain_text(says)
        expect(review.comment).to_have_value("Well put.")


def test_an_operation_that_does_not_exist_leads_back_to_the_inbox(visit: Any) -> None:
    page = visit("Victor").open(operation="research-of-nobody")
    expect(page.get_by_role("alert")).to_contain_text(
        "You have no access to such an operation or version"
    )
    page.get_by_role("link", name="Open the inbox").click()
    expect(page.get_by_role("navigation", name="Lists")).to_be_visible()


def test_what_follows_is_said_to_be_unknown_when_it_can_not_be_loaded(
    buyer: Any, buyers: Any
) -> None:
    operation, _ = buyers.waiting("1200.00")
    review = buyer("Victor").review(operation, 1)
    review.page.route("**/preview", lambda route: route.abort())
    review.begin("Approve")
    expect(review.page.locator(".signature")).to_contain_text("What follows could not be loaded.")
