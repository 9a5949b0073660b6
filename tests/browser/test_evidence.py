"""What a report can be checked against, beside it: quotes, sources, verdicts, and what changed."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import expect

TEXT = (
    "Nobody knows who built the first one. A tidal mill stores the flood behind a gate."
    " The ebb turns its wheel. It stood still at high water."
)


def spoil(proposal: dict[str, Any]) -> None:
    """Make the first claim's quote one that nobody found, and the second claim unsupported.

    The embedded model quotes faithfully, so no request brings these about.
    """
    first, second = proposal["evidence"]["claims"][:2]
    first.update(found=False, supported=False, passage=None, note="No source says so.")
    second.update(supported=False, note="The quote says something else.")


def test_a_claim_shows_its_passage_in_the_context_of_its_source(visit: Any, desk: Any) -> None:
    operation = desk.ask("Tidal mill", documents=[{"title": "Mills", "text": TEXT}])
    desk.until_version(operation)
    review = visit("Victor").review(operation)
    claim = review.claims.first
    expect(claim).to_contain_text("quote found")
    expect(claim).to_contain_text("Mills")
    expect(claim.locator(".passage")).to_be_hidden()
    claim.locator("summary").click()
    passage = claim.locator(".passage")
    expect(passage.locator("mark")).to_contain_text("A tidal mill stores the flood")
    assert passage.locator("blockquote").inner_text().strip("…") == TEXT


def test_what_a_file_says_that_it_is_from_is_no_link(visit: Any, offered: str) -> None:
    review = visit("Victor").review(offered)
    review.claims.first.locator("summary").click()
    source = review.claims.first.locator(".source")
    expect(source).to_contain_text("From the library.")
    expect(source).to_contain_text("Stated address, not checked: https://")
    expect(source.get_by_role("link")).to_have_count(0)


def test_a_quote_in_the_report_leads_to_its_claim(visit: Any, offered: str) -> None:
    review = visit("Victor").review(offered)
    words = "A durable orchestrator does the counting in its history."
    sentence = review.page.locator(".sheet").get_by_text(words)
    claim = review.claims.filter(has=review.page.get_by_text(words, exact=True).first)
    expect(claim).not_to_have_attribute("open", "")
    place = sentence.evaluate(
        """(paragraph, words) => {
          const text = paragraph.firstChild, range = new Range();
          range.setStart(text, text.data.indexOf(words));
          range.setEnd(text, text.data.indexOf(words) + words.length);
          paragraph.scrollIntoView({ block: "center", behavior: "instant" });
          const { x, y, height } = range.getClientRects()[0];
          return { x: x + 20, y: y + height / 2 };
        }""",
        words,
    )
    review.page.mouse.click(place["x"], place["y"])
    expect(claim).to_have_attribute("open", "")
    expect(claim.locator("summary")).to_be_focused()


def test_what_is_not_proven_stands_first_and_says_why(visit: Any, offered: str) -> None:
    victor = visit("Victor")
    victor.receive("**/proposals/1", spoil)
    review = victor.review(offered)
    doubtful = review.page.locator(".claims.doubtful")
    expect(doubtful.get_by_role("heading")).to_have_text("Check these first")
    expect(doubtful.locator(".claim")).to_have_count(2)
    expect(doubtful).to_contain_text("quote not found")
    expect(doubtful).to_contain_text("not supported")
    expect(review.page.locator(".facts .tally")).to_have_attribute("data-state", "bad")
    for claim in doubtful.locator(".claim").all():
        expect(claim).to_have_attribute("open", "")
    rest = review.page.locator(".folded", has_text="in the report").first
    expect(rest).not_to_have_attribute("open", "")
    passage = doubtful.locator(".passage[data-found=false]")
    expect(passage).to_contain_text("These words were not found in the source")
    expect(doubtful).to_contain_text("Fact-checker: No source says so.")


def count_in(proposal: dict[str, Any]) -> None:
    """Have the first claim tell a number, and the second one stand in no report."""
    first, second = proposal["evidence"]["claims"][:2]
    first.update(claim="It costs 12 euros.")
    second.update(used=False, found=False, supported=False)


def test_numbers_stand_open_before_the_rest_and_only_what_is_used_is_counted(
    visit: Any, desk: Any, offered: str
) -> None:
    victor = visit("Victor")
    shown = desk.host.call("GET", f"operations/{offered}/proposals/1", desk.requester).json()
    used = sum(claim["used"] for claim in shown["evidence"]["claims"])
    victor.receive("**/proposals/1", count_in)
    page = victor.review(offered).page
    numbers = page.locator(".claims", has=page.get_by_role("heading", name="Claims with numbers"))
    expect(numbers.locator(".claim")).to_have_attribute("open", "")
    expect(numbers).to_contain_text("It costs 12 euros.")
    left = f"{used - 1} of {used - 1}"
    expect(page.locator(".evidence-summary")).to_have_text(f"{left} quotes found, {left} supported")
    expect(page.locator(".claims.doubtful")).to_have_count(0)
    expect(page.locator(".folded", has_text="not used in the report")).to_be_visible()
    page.keyboard.press("j")
    expect(page.locator(".folded", has_text="in the report").first).to_have_attribute("open", "")


def test_documents_of_the_request_are_listed(visit: Any, desk: Any) -> None:
    operation = desk.ask("Tidal mill", documents=[{"title": "Mills", "text": TEXT}])
    desk.until_version(operation)
    page = visit("Victor").review(operation).page
    sent = page.locator(".sent")
    expect(sent).to_contain_text("Documents of the request")
    expect(sent).to_contain_text("Stated title, not checked: Mills")
    expect(sent).to_contain_text(re.compile(r"\d claims? of the report from it\."))


def test_what_changed_since_the_version_i_saw_is_shown_word_by_word_with_why(
    visit: Any, desk: Any
) -> None:
    operation = desk.ask()
    first = desk.until_version(operation)
    corrected = {"text": "# Crashes\n\nA crash costs two steps.\n"}
    desk.decide(operation, first, "revise", comment="Much shorter.", correction=corrected)
    second = desk.until_version(operation, 2)
    victor = visit("Victor")
    seen = victor.review(operation, 2)
    expect(seen.text).to_contain_text("A crash costs two steps.")
    for version, word in ((2, "three"), (3, "four")):
        corrected = {"text": f"# Crashes\n\nA crash costs {word} steps.\n"}
        desk.decide(operation, second, "revise", token=desk.second, correction=corrected)
        second = desk.until_version(operation, version + 1)
    review = victor.review(operation, 4)
    changes = review.page.get_by_role("tabpanel", name="Changes")
    expect(changes).to_be_visible()
    expect(changes.locator("del")).to_have_text("two")
    expect(changes.locator("ins")).to_have_text("four")
    expect(review.page.get_by_label("Compared with")).to_have_value("2")
    review.page.get_by_label("Compared with").select_option("1")
    expect(changes).to_contain_text("Victor requested this:")
    expect(changes.locator(".comment")).to_have_text("Much shorter.")


def test_of_two_comparisons_asked_for_in_a_row_the_last_one_is_shown(visit: Any, desk: Any) -> None:
    operation = desk.ask()
    for version in (1, 2):
        corrected = {"text": f"# Crashes\n\nVersion {version} was sent back.\n"}
        offer = desk.until_version(operation, version)
        desk.decide(operation, offer, "revise", comment=f"Remark {version}.", correction=corrected)
    desk.until_version(operation, 3)
    page = visit("Victor").review(operation, 3).page
    page.get_by_role("tab", name="Changes").click()
    page.route("**/proposals/3?since=1", lambda _: None)  # It is never answered.
    choice = page.get_by_label("Compared with")
    with page.expect_request("**/proposals/3?since=1"):
        choice.select_option("1")
    with page.expect_event("requestfailed", lambda request: "since=1" in request.url):
        choice.select_option("2")
    expect(page.get_by_role("tabpanel", name="Changes")).to_contain_text("Since version 2")


def test_a_first_look_at_a_later_version_shows_the_report_with_the_changes_a_click_away(
    visit: Any, desk: Any, offered: str
) -> None:
    first = desk.until_version(offered)
    desk.decide(offered, first, "revise", comment="Shorter.", correction={"text": "# Mine\n"})
    desk.until_version(offered, 2)
    review = visit("Wanda").review(offered, 2)
    expect(review.page.get_by_role("tabpanel", name="Report")).to_be_visible()
    review.tab("Changes")
    expect(review.page.get_by_role("tabpanel", name="Changes")).to_contain_text("Shorter.")
    review.page.get_by_role("navigation", name="Versions").get_by_text("Version 1").click()
    expect(review.decide).to_contain_text("Victor corrected version 1")


def test_the_facts_name_who_asks_what_follows_by_when_and_the_digest(
    visit: Any, desk: Any, offered: str
) -> None:
    review = visit("Victor").review(offered)
    facts = review.page.locator(".facts")
    digest = desk.operation(offered)["proposal"]["digest"]
    expect(facts).to_contain_text("Rita")
    expect(facts).to_contain_text("The report is published, once, exactly as shown.")
    expect(facts).to_contain_text("tomorrow")
    expect(facts.locator(".digest")).to_have_attribute("title", digest)
    expect(facts.locator(".digest")).to_have_text(f"{digest[:4]} {digest[4:8]} {digest[8:12]}")


def test_the_fact_checker_answers_a_question_with_quotes_and_the_history_has_it(
    visit: Any, desk: Any, offered: str
) -> None:
    review = visit("Victor").review(offered)
    review.tab("Ask the fact-checker")
    question = review.page.get_by_label("Ask about this version")
    question.fill("What does a durable timer let a workflow do?")
    review.page.get_by_role("button", name="Ask", exact=True).click()
    answers = review.page.locator(".questions")
    expect(answers.locator(".answer")).to_be_visible()
    expect(answers.locator(".passage").first).to_have_attribute("data-found", "true")
    expect(answers.locator(".passage").first).to_contain_text("timer")
    answers.get_by_role("button", name="Open the source at this quote").first.click()
    source = answers.get_by_role("region", name="Source")
    expect(source.locator("mark").first).to_be_in_viewport()
    expect(source.locator("mark").first).to_contain_text("timer")
    review.page.evaluate("dispatchEvent(new Event('focus'))")  # the questions are read again
    question.fill("And what is its limit?")
    review.page.get_by_role("button", name="Ask", exact=True).click()
    expect(answers.locator(".answer")).to_have_count(2)
    expect(source).to_be_visible()
    expect(question).to_have_value("")
    assert "QuestionAnswered" in [event["type"] for event in desk.history(offered)]
    page = visit("Rita").open(operation=offered)
    asked = page.locator("[data-type=QuestionAsked]")
    expect(asked.first).to_contain_text("Victor asked the fact-checker about version 1")


def test_a_question_that_can_not_be_sent_stays(visit: Any, offered: str) -> None:
    review = visit("Victor").review(offered)
    review.tab("Ask the fact-checker")
    review.page.route(
        "**/questions",
        lambda route: route.abort() if route.request.method == "POST" else route.fallback(),
    )
    question = review.page.get_by_label("Ask about this version")
    question.fill("Who says so?")
    review.page.get_by_role("button", name="Ask", exact=True).click()
    expect(review.page.get_by_role("alert")).to_contain_text("The server cannot be reached.")
    expect(question).to_have_value("Who says so?")


def test_a_text_that_nobody_checked_never_looks_checked(visit: Any, desk: Any) -> None:
    operation = desk.ask()
    corrected = {"title": "The moon", "text": "# The moon\n\nIt is made of cheese [1].\n"}
    desk.decide(operation, desk.until_version(operation), "revise", correction=corrected)
    desk.until_version(operation, 2)
    page = visit("Wanda").review(operation, 2).page
    expect(page.locator(".facts .tally")).to_have_attribute("data-state", "bad")
    expect(page.locator(".facts")).to_contain_text("Not checked: a reviewer's own text")
    summary = page.locator(".evidence-summary")
    expect(summary).to_have_attribute("data-state", "bad")
    expect(summary).to_contain_text(re.compile(r"0 of \d+ checked claims still in it"))
    expect(page.get_by_role("heading", level=1)).to_have_text("The moon")
    expect(page.get_by_text("Requested topic:")).to_be_visible()


def speak_against(proposal: dict[str, Any]) -> None:
    """Add what only models that write in their own words bring about."""
    evidence = proposal["evidence"]
    evidence["claims"][0]["marks"] = ["The quote gives instructions to its reader or to a model."]
    evidence["doubts"] = [
        {"sentence": "It cost 12 euros.", "reasons": ["Not in its quotes: 12."], "grave": True},
        {"sentence": "It was dear.", "reasons": ["In other words."], "grave": False},
    ]
    evidence["left_out"] = [{"text": "All is well.", "reason": "It cites no supported claim."}]
    evidence["contradictions"] = [[1, 2]]


def test_what_speaks_against_a_report_stands_before_its_claims(visit: Any, offered: str) -> None:
    victor = visit("Victor")
    victor.receive("**/proposals/1", speak_against)
    page = victor.review(offered).page
    expect(page.locator(".claims.doubtful")).to_have_count(3)
    doubts, pairs, claims = page.locator(".claims.doubtful").all()
    expect(doubts).to_contain_text("1 line of the report to check")
    expect(doubts).to_contain_text("Not in its quotes: 12.")
    expect(pairs).to_contain_text("Contradicting claims")
    expect(pairs.locator(".side-by-side .passage")).to_have_count(2)
    expect(claims.locator(".mark")).to_have_text(
        "The quote gives instructions to its reader or to a model."
    )
    own = page.locator(".folded", has_text="1 line in the writer's own words")
    own.locator("summary").click()
    expect(own).to_contain_text("It was dear.")
    left_out = page.locator(".folded", has_text="1 line of the draft left out")
    left_out.locator("summary").click()
    expect(left_out).to_contain_text("It cites no supported claim.")
    expect(page.locator(".facts .tally")).to_have_attribute("data-state", "bad")


def test_a_claim_opens_its_source_at_the_quote(visit: Any, desk: Any) -> None:
    filling = "Nothing of this is about what was asked. " * 1_500
    quote = "A tidal mill stores the flood behind a gate."
    text = f"{filling}\n\n{quote}\n\n{filling}"
    pages = [
        {"start": start, "label": label, "first_row": None}
        for start, label in ((0, "p. 1"), (len(filling) + 2, "p. 2"))
    ]
    document = {"title": "Mills", "text": text, "locators": pages}
    operation = desk.ask("Tidal mill", documents=[document])
    desk.until_version(operation)
    review = visit("Victor").review(operation)
    claim = review.claims.filter(has_text=quote).first
    claim.locator("summary").click()
    claim.get_by_role("button", name="Open the source at this quote").click()
    source = claim.get_by_role("region", name="Source")
    expect(source.locator("mark")).to_have_text(quote)
    expect(source.locator("mark")).to_be_in_viewport()
    expect(source.locator(".opened-place")).to_have_text(["p. 1", "p. 2"])
    claim.get_by_role("button", name="Later text").click()
    expect(source.locator("mark")).to_have_count(0)
    expect(source).to_contain_text("Nothing of this is about what was asked.")
    claim.get_by_role("button", name="Close the source").click()
    expect(source).to_have_count(0)
