"""Whatever happens while somebody types or sends: the words stay, and nothing counts twice."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Route, expect

from testbed.desk import Desk

COMMENT = "Name the sources in the text; the second quote needs a page."


@pytest.fixture(scope="module")
def desk(shared_host: Any) -> Desk:
    """People whom the page itself signs in, so that each tab has tokens of its own."""
    return Desk(shared_host)


def test_a_comment_survives_a_reload_and_a_new_tab(visit: Any, offered: str) -> None:
    victor = visit("Victor")
    review = victor.review(offered)
    review.begin("Request changes", COMMENT)
    review.page.reload()
    for shown in (review, victor.review(offered)):
        expect(shown.comment).to_have_value(COMMENT)
        expect(shown.decide).to_contain_text("Your earlier text is still here.")
        expect(shown.send_with("Request changes")).to_be_visible()


OTHER = "Leave out the second part."


def test_two_tabs_do_not_overwrite_each_others_comments(visit: Any, offered: str) -> None:
    victor = visit("Victor")
    first, second = victor.review(offered), victor.review(offered)
    for review in (first, second):
        review.begin("Request changes")
    first.comment.fill(COMMENT)
    offer = "Another tab has other text for this version"
    expect(second.decide).to_contain_text(f"{offer}: “{COMMENT}”")
    second.comment.fill(OTHER)
    expect(first.decide).to_contain_text(f"{offer}: “{OTHER}”")
    expect(first.comment).to_have_value(COMMENT)
    for review in (first, second):
        review.page.close()
    third = victor.review(offered)
    expect(third.comment).to_have_value(OTHER)
    expect(third.decide).to_contain_text(f"{offer}: “{COMMENT}”")
    third.decide.get_by_role("button", name="Use it here").click()
    expect(third.comment).to_have_value(COMMENT)
    expect(third.decide).to_contain_text(f"{offer}: “{OTHER}”")
    third.decide.get_by_role("button", name="Drop it").click()
    expect(third.decide).not_to_contain_text(offer)
    expect(victor.review(offered).comment).to_have_value(COMMENT)


def test_two_tabs_do_not_overwrite_each_others_texts(visit: Any, offered: str) -> None:
    victor = visit("Victor")
    first, second = victor.review(offered), victor.review(offered)
    for review, text in ((first, "# First\n"), (second, "# Second\n")):
        review.begin("Edit the text")
        review.markdown.fill(text)
    first.decide.get_by_role("button", name="Use it here").click()
    expect(first.markdown).to_have_value("# Second\n")
    first.decide.get_by_role("button", name="Use it here").click()
    expect(first.markdown).to_have_value("# First\n")


def test_a_text_of_ones_own_survives_a_reload(visit: Any, offered: str) -> None:
    review = visit("Victor").review(offered)
    review.begin("Edit the text")
    review.page.get_by_label("Title").fill("Surviving crashes")
    review.markdown.fill("# Mine\n")
    review.page.reload()
    expect(review.markdown).to_have_value("# Mine\n")
    expect(review.page.get_by_label("Title")).to_have_value("Surviving crashes")


def test_a_draft_is_its_authors_alone(visit: Any, offered: str) -> None:
    victor = visit("Victor")
    victor.review(offered).begin("Reject", COMMENT)
    victor.sign_in_as("Wanda")
    review = victor.review(offered)
    expect(review.choice("Reject")).to_have_attribute("aria-expanded", "false")
    review.begin("Reject")
    expect(review.comment).to_have_value("")


def test_a_draft_is_gone_once_it_was_sent(visit: Any, desk: Any, offered: str) -> None:
    victor = visit("Victor")
    review = victor.review(offered)
    review.begin("Reject", COMMENT)
    review.send_with("Reject version 1").click()
    expect(review.receipt).to_be_visible()
    review.page.reload()
    expect(review.decide).to_contain_text("Victor rejected version 1")
    expect(review.decide).not_to_contain_text("was not sent")


@pytest.mark.parametrize(
    ("trouble", "says"),
    [
        # The network is gone.
        (lambda route: route.abort(), "The server cannot be reached."),
        # A proxy in front of the app answers, in words of its own.
        (
            lambda route: route.fulfill(status=503, content_type="text/html", body="<h1>503</h1>"),
            "The server cannot be reached.",
        ),
        # The platform answers for an app that it has lost.
        (lambda route: route.fulfill(status=500), "The server cannot be reached."),
        # Something else answers.
        (lambda route: route.fulfill(status=200, body="Hello!"), "sent an unknown answer"),
    ],
)
def test_a_decision_that_did_not_arrive_is_kept_and_sent_again(
    visit: Any, desk: Any, decisions: Any, offered: str, trouble: Any, says: str
) -> None:
    review = visit("Victor").review(offered)
    review.page.route("**/decision", trouble)
    review.begin("Reject", COMMENT)
    review.send_with("Reject version 1").click()
    expect(review.alert).to_contain_text(says)
    expect(review.comment).to_have_value(COMMENT)
    assert decisions(desk, offered) == []
    review.page.unroute_all()
    review.alert.get_by_role("button", name="Try again").click()
    expect(review.receipt).to_contain_text("Recorded: Victor rejected version 1.")
    assert [each["comment"] for each in decisions(desk, offered)] == [COMMENT]


def test_a_lost_answer_to_a_recorded_decision_still_shows_the_receipt(
    visit: Any, desk: Any, decisions: Any, offered: str
) -> None:
    def lose_the_answer(route: Route) -> None:
        route.fetch()
        route.abort()

    review = visit("Victor").review(offered)
    review.page.route("**/decision", lose_the_answer)
    review.approve(COMMENT)
    expect(review.receipt).to_contain_text("Recorded: Victor approved version 1.")
    assert len(decisions(desk, offered)) == 1


def test_a_lost_answer_is_no_receipt_for_words_that_another_tab_sent(
    visit: Any, decisions: Any, desk: Any, offered: str
) -> None:
    def let_other_words_win(route: Route) -> None:
        sent: dict[str, Any] = route.request.post_data_json or {}
        route.fetch(post_data={**sent, "comment": "Shorter."})
        route.abort()

    review = visit("Victor").review(offered)
    review.page.route("**/decision", let_other_words_win)
    review.begin("Request changes", COMMENT)
    review.send_with("Request changes").click()
    expect(review.alert).to_contain_text("Victor requested changes to this")
    expect(review.alert).to_contain_text("Your decision was not recorded.")
    expect(review.decide).to_contain_text("Your comment was not sent. It is saved")
    assert [each["comment"] for each in decisions(desk, offered)] == ["Shorter."]


def test_signing_in_as_somebody_else_in_another_tab_sends_nothing(
    visit: Any, platform_desk: Any, decisions: Any
) -> None:
    """Where tabs share the platform's cookie; each has tokens of its own otherwise."""
    platform_desk.until_version(offered := platform_desk.ask())
    victor = visit("Victor", host=platform_desk.host)
    review = victor.review(offered)
    review.begin("Approve", COMMENT)
    victor.sign_in_as("Wanda")
    review.send_with("Sign and approve").click()
    expect(review.alert).to_contain_text("You are signed in as Wanda now, in another tab.")
    assert decisions(platform_desk, offered) == []


def test_a_tab_goes_on_as_whom_it_shows_though_another_signs_in_as_somebody_else(
    visit: Any, desk: Any, decisions: Any, offered: str
) -> None:
    victor = visit("Victor")
    review = victor.review(offered)
    victor.sign_in_as("Wanda")
    expect(victor.open().locator(".person summary")).to_contain_text("Wanda")
    review.approve()
    expect(review.receipt).to_contain_text("Recorded: Victor approved version 1.")


def test_where_storage_is_blocked_people_are_told_that_drafts_do_not_last(
    visit: Any, offered: str
) -> None:
    victor = visit("Victor")
    victor.context.add_init_script("Storage.prototype.setItem = () => { throw new Error('full') }")
    review = victor.review(offered)
    # What has to be known when the provider answers can't be kept either, but in an open tab.
    with victor.context.expect_page():
        review.page.get_by_role("link", name="Sign in").click()
    review.begin("Reject", COMMENT)
    review.begin("Request changes")
    expect(review.decide).to_contain_text("This browser saves no drafts")
    expect(review.comment).to_have_value("")
    review.begin("Reject")
    expect(review.comment).to_have_value(COMMENT)


def test_a_half_written_request_and_question_survive_a_reload(visit: Any, offered: str) -> None:
    page = visit("Rita").open(new="")
    page.get_by_label("Topic", exact=True).fill("Tidal mills")
    page.get_by_label("Subtopics (optional)").fill("Gates\nWheels")
    page.reload()
    expect(page.get_by_label("Topic", exact=True)).to_have_value("Tidal mills")
    expect(page.get_by_label("Subtopics (optional)")).to_have_value("Gates\nWheels")

    review = visit("Victor").review(offered)
    review.tab("Ask the fact-checker")
    review.page.get_by_label("Ask about this version").fill("Who says so?")
    review.page.reload()
    review.tab("Ask the fact-checker")
    expect(review.page.get_by_label("Ask about this version")).to_have_value("Who says so?")
