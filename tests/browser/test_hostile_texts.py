"""Text from people, models and sources never becomes markup, and never leads off the host."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Error, Page, expect

IMAGE = '<img src="https://elsewhere.example/x.png" onerror=alert(1)>'
SCRIPT = "<script>alert(2)</script>"
BREAKING_OUT = "\"'></textarea></title><svg onload=alert(3)>"
LINK = "[Read on](javascript:alert(4)) <javascript:alert(5)> ![x](https://elsewhere.example/y.png)"
TOPIC = f"Tidal mills {IMAGE}"
SOURCE = f"Tidal mills {BREAKING_OUT} {SCRIPT}"
TEXT = (
    f"Tidal mills {SCRIPT} {LINK} store the flood behind a gate."
    f" Tidal mills {IMAGE} turn with the ebb in what elsewhere.example calls its img src x onerror."
)
OWN = f"""# Mine {IMAGE}

{LINK}

{SCRIPT}

<iframe src="https://elsewhere.example/"></iframe>
<a href="java&#115;cript:alert(6)" onclick="alert(7)">here</a>
<form action="https://elsewhere.example/"><button>Approve</button></form>
<style>body {{ display: none }}</style>

[data](data:text/html,alert(8)) [relative](//elsewhere.example/) | [web](https://example.org/)
"""
TURNING = "Victor \u202egnp.exe\u2066"
FOREIGN = "script:not([src]), iframe, object, embed, style, base, form[action], [onerror], [onload]"


@pytest.fixture(scope="module")
def hostile(desk: Any) -> str:
    """An operation whose every text tries to be more than text."""
    documents = [{"title": SOURCE, "text": TEXT}]
    operation = desk.ask(TOPIC, documents=documents, approval={"window_seconds": 900})
    first = desk.until_version(operation)
    corrected = {"text": OWN, "title": f"Mine {SCRIPT}"}
    desk.decide(operation, first, "revise", comment=BREAKING_OUT, correction=corrected)
    desk.until_version(operation, 2)
    return operation


def is_plain_text(page: Page) -> None:
    """Nothing on the page came from a text, and every link leads to the web or stays here."""
    expect(page.locator(FOREIGN)).to_have_count(0)
    # The editor puts one without a source where a browser could not place the cursor.
    expect(page.locator("main img:not(.ProseMirror-separator:not([src]))")).to_have_count(0)
    links = page.locator("a[href]").evaluate_all("links => links.map(({ protocol }) => protocol)")
    assert set(links) <= {"http:", "https:"}
    shown = page.locator("body").inner_text()
    assert not {"\u202e", "\u2066"} & set(shown)


def test_neither_report_nor_evidence_is_markup(visit: Any, hostile: str) -> None:
    victor = visit("Victor")
    review = victor.review(hostile)
    expect(review.page.get_by_role("heading", level=1)).to_have_text(TOPIC)
    expect(review.page.locator(".sheet")).to_contain_text(SCRIPT)
    review.claims.first.locator("summary").click()
    expect(review.claims.first).to_contain_text(SOURCE)
    expect(review.claims.first.locator(".passage")).to_contain_text(IMAGE)
    is_plain_text(review.page)
    review.tab("Markdown")
    is_plain_text(review.page)


def test_a_reviewers_own_markdown_is_rendered_without_what_could_run_or_load(
    visit: Any, hostile: str
) -> None:
    review = visit("Wanda").review(hostile, 2)
    sheet = review.page.locator(".sheet")
    expect(sheet.get_by_role("link")).to_have_text([re.compile("^x "), re.compile("^web ")])
    expect(sheet).to_contain_text("Read on")
    expect(sheet.get_by_role("button")).to_have_count(0)
    is_plain_text(review.page)
    review.tab("Changes")
    changes = review.page.get_by_role("tabpanel", name="Changes")
    expect(changes).to_contain_text(BREAKING_OUT)
    is_plain_text(review.page)


def test_no_text_of_an_order_is_markup(buyer: Any, buyers: Any) -> None:
    line = {"sku": "A-1", "description": IMAGE, "quantity": 2, "unit_price": "1.00"}
    texts = {"vendor": SCRIPT, "destination": IMAGE, "reason": f"{BREAKING_OUT}\n{LINK}"}
    operation, first = buyers.waiting(lines=[line], **texts)
    correction = {"vendor": f"Mine {SCRIPT}", "destination": BREAKING_OUT}
    buyers.decide(operation, first, "revise", comment=IMAGE, correction=correction)
    buyers.until_version(operation, 2)
    review = buyer("Wanda").review(operation, 2)
    expect(review.page.get_by_role("heading", level=1)).to_contain_text(f"from Mine {SCRIPT} for")
    is_plain_text(review.page)
    review.tab("Changes")
    expect(review.page.locator(".order-difference ins").first).to_have_text(f"Mine {SCRIPT}")
    is_plain_text(review.page)
    review.begin("Correct")
    review.page.get_by_label("Vendor").fill(IMAGE)
    is_plain_text(review.page)
    page = buyer("Rita").open(operation=operation)
    expect(page.get_by_role("heading", level=1)).to_contain_text(IMAGE)
    is_plain_text(page)


@pytest.mark.parametrize(
    "show",
    [
        # The rows of the inbox, of the newest operations among them.
        lambda visitor, operation: visitor.open(list="awaiting_approval"),
        # The history, whose entries hold every comment.
        lambda visitor, operation: visitor.open(operation=operation),
        # An address that tries the same.
        lambda visitor, operation: visitor.open(operation=IMAGE, version=BREAKING_OUT),
        lambda visitor, operation: visitor.open(list=f"javascript:{SCRIPT}"),
    ],
)
def test_lists_history_and_addresses_show_texts_as_they_are(
    visit: Any, hostile: str, show: Callable[[Any, str], Page]
) -> None:
    page = show(visit("Wanda"), hostile)
    expect(page.locator("main")).not_to_be_empty()
    is_plain_text(page)


def test_names_of_people_are_text_that_turns_nothing_around(
    visit: Any, desk: Any, offered: str
) -> None:
    for name in (TURNING, IMAGE):
        reviewer = visit(name, "Report.Reviewer")
        review = reviewer.review(offered)
        review.begin("Approve", SCRIPT)
        expect(review.page.locator(".signature")).to_contain_text("approve version 1")
        is_plain_text(review.page)
    expect(review.page.locator(".signature")).to_contain_text(f"I, {IMAGE}, approve")
    review.send_with("Sign and approve").click()
    expect(review.receipt).to_contain_text(f"Recorded: {IMAGE} approved version 1.")
    is_plain_text(review.page)
    desk.until_state(offered, "published")
    page = visit("Rita").open(operation=offered)
    expect(page.locator(".timeline").first).to_contain_text(f"{IMAGE} approved version 1")
    is_plain_text(page)


def test_names_of_files_are_text(visit: Any) -> None:
    page = visit("Rita").open(new="")
    names = (
        f"{IMAGE}.exe".replace("/", "_"),
        "report\u202efdp\u200b.exe",
        "<svg onload=alert(9)>.txt",
    )
    files = [{"name": name, "mimeType": "text/plain", "buffer": b"Mills turn."} for name in names]
    page.get_by_label("Choose files, or drop them here").set_input_files(files)
    expect(page.locator(".documents li")).to_contain_text("<svg onload=alert(9)>")
    expect(page.locator(".document-trouble")).to_contain_text("⟨U+202E⟩fdp⟨U+200B⟩.exe")
    is_plain_text(page)


def test_what_is_asked_and_answered_is_text(visit: Any, hostile: str) -> None:
    review = visit("Wanda").review(hostile, 2)
    review.tab("Ask the fact-checker")
    review.page.get_by_label("Ask about this version").fill(f"Tidal mills? {IMAGE} {LINK}")
    review.page.get_by_role("button", name="Ask", exact=True).click()
    expect(review.page.locator(".answer")).to_be_visible()
    expect(review.page.locator(".question")).to_contain_text(IMAGE)
    is_plain_text(review.page)


def test_a_kept_draft_is_text(visit: Any, offered: str) -> None:
    review = visit("Victor").review(offered)
    review.begin("Edit the text")
    review.markdown.fill(OWN)
    review.comment.fill(BREAKING_OUT)
    review.page.reload()
    expect(review.comment).to_have_value(BREAKING_OUT)
    is_plain_text(review.page)


def test_what_got_through_all_the_same_would_be_stopped_by_the_policy(
    visit: Any, watch: Any
) -> None:
    page = visit("Victor").open()
    load = "() => { new Image().src = 'https://elsewhere.example/x.png' }"
    with page.expect_console_message(lambda said: "Content Security Policy" in said.text):
        page.evaluate(load)
    with pytest.raises(Error, match="TrustedHTML"):
        page.evaluate("() => { document.body.innerHTML = '<b>x</b>' }")
    assert watch.seen
    watch.seen.clear()
