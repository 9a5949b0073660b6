"""Asking for a report, and watching it through to its end."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import FilePayload, Page, expect

TEXT = "A tidal mill stores the flood behind a gate. The ebb turns its wheel."
UNREADABLE = [
    # Told before anything is sent.
    ("Sheet.xls", b"PK", "its type is not"),
    ("Empty.txt", b"", "it is empty"),
    # Only reading it shows what it is.
    ("Broken.pdf", b"%PDF-1.4\nnothing", "This file cannot be read."),
    ("Renamed.docx", b"no archive at all", "This file cannot be read."),
    ("Long.txt", b"ab " * 340_000, "It is too large."),
]
DROP = """([name, type, content]) => {
  const bytes = Uint8Array.from(atob(content), (each) => each.charCodeAt(0));
  const data = new DataTransfer();
  data.items.add(new File([bytes], name, { type }));
  return data;
}"""


@pytest.fixture
def form(visit: Any) -> Page:
    return visit("Rita").open(new="")


@pytest.fixture
def files(pdf: Callable[..., bytes], docx: Callable[..., bytes]) -> list[FilePayload]:
    """The same text in each kind of file that is read."""
    contents = {
        "Notes.md": f"# Notes\n\n{TEXT}\n".encode(),
        "Letter.txt": TEXT.encode(),
        "Saved.html": f"<title>Saved</title><script>alert(1)</script><p>{TEXT}</p>".encode(),
        "Scan.pdf": pdf(TEXT),
        "Draft.docx": docx(f"<w:p><w:r><w:t>{TEXT}</w:t></w:r></w:p>"),
    }
    return [file(name, content) for name, content in contents.items()]


def file(name: str, content: bytes) -> FilePayload:
    return {"name": name, "mimeType": "application/octet-stream", "buffer": content}


def add(page: Page, *files: FilePayload) -> None:
    page.get_by_label("Choose files, or drop them here").set_input_files(list(files))


def send(page: Page, topic: str) -> None:
    page.get_by_label("Topic", exact=True).fill(topic)
    page.get_by_role("button", name="Request the report").click()


def test_limits_are_told_before_anybody_picks_a_file(form: Page) -> None:
    limits = form.locator("#file-limits")
    for part in (".pdf", ".docx", ".md", ".html", ".txt", "at most 20 MB each", "50 documents"):
        expect(limits).to_contain_text(part)


def test_documents_of_every_kind_become_a_report_that_quotes_them(
    form: Page, visit: Any, desk: Any, files: list[FilePayload]
) -> None:
    add(form, *files)
    rows = form.locator(".documents li")
    expect(rows).to_have_count(len(files))
    expect(rows).to_contain_text(["Notes", "Letter", "Saved", "Scan", "Draft"])
    form.get_by_role("button", name="Remove Letter").click()
    expect(rows).to_have_count(len(files) - 1)
    send(form, "Tidal mills")
    expect(form.get_by_role("heading", name="Tidal mills")).to_be_visible()
    link = form.get_by_role("link", name="Open version 1")
    link.click()
    evidence = form.locator(".evidence")
    expect(evidence).to_contain_text("A tidal mill stores the flood behind a gate.")
    expect(form.locator("main")).to_contain_text("You requested this yourself")


def test_a_dropped_file_is_read_like_a_picked_one(form: Page) -> None:
    content = base64.b64encode(TEXT.encode()).decode()
    data = form.evaluate_handle(DROP, ["Dropped.txt", "text/plain", content])
    zone = form.locator(".drop")
    zone.dispatch_event("dragover", {"dataTransfer": data})
    expect(zone).to_have_attribute("data-over", "")
    zone.dispatch_event("drop", {"dataTransfer": data})
    expect(form.locator(".documents li")).to_contain_text("Dropped")
    expect(zone).not_to_have_attribute("data-over", "")


def test_a_file_that_can_not_be_read_says_so_by_name(form: Page) -> None:
    trouble = form.locator(".document-trouble")
    for name, content, says in UNREADABLE:
        add(form, file(name, content))
        expect(trouble).to_contain_text(name)
        expect(trouble).to_contain_text(says)
    expect(form.locator(".documents li")).to_have_count(0)
    add(form, file("Letter.txt", TEXT.encode()))
    expect(form.locator(".documents li")).to_have_count(1)
    expect(trouble).to_be_empty()


def test_a_file_that_is_too_large_is_not_even_sent(form: Page, watch: Any, tmp_path: Path) -> None:
    large = tmp_path / "Large.txt"
    large.write_bytes(b"a" * 20_000_001)
    form.get_by_label("Choose files, or drop them here").set_input_files(large)
    expect(form.locator(".document-trouble")).to_contain_text("at most 20 MB are read")
    assert not [request for request in watch.requests if request.method == "POST"]


def test_the_form_says_what_the_library_holds_and_offers_topics_that_it_carries(form: Page) -> None:
    expect(form.get_by_text("The library holds ")).to_be_visible()
    topic = form.locator(".topic").first
    topic.click()
    expect(form.get_by_label("Topic", exact=True)).to_have_value(topic.inner_text())


def test_a_request_without_a_topic_is_not_sent(form: Page, watch: Any) -> None:
    form.get_by_role("button", name="Request the report").click()
    expect(form.locator("#topic-fault")).to_have_text("Enter a topic.")
    expect(form.get_by_label("Topic", exact=True)).to_be_focused()
    assert not [request for request in watch.requests if request.url.endswith("/research")]


def test_the_notice_about_a_field_goes_when_the_field_is_mended(form: Page) -> None:
    document = {"code": "malformed", "detail": "No.", "status": 422, "fields": {"topic": "vague"}}
    answer = {"status": 422, "content_type": "application/problem+json"}
    form.route("**/api/research", lambda route: route.fulfill(body=json.dumps(document), **answer))
    send(form, "Things")
    notice = form.get_by_text("Please correct the form.")
    expect(form.locator("#topic-fault")).to_have_text("vague")
    expect(notice).to_be_visible()
    form.get_by_label("Subtopics (optional)").fill("Gates")
    expect(notice).to_be_visible()
    form.get_by_label("Topic", exact=True).fill("Tidal mills")
    expect(form.locator("#topic-fault")).to_be_empty()
    expect(notice).to_have_count(0)


def test_who_has_too_many_open_requests_is_led_to_them(form: Page) -> None:
    document = {"code": "too_many_open", "detail": "No.", "status": 429, "most": 50}
    answer = {"status": 429, "content_type": "application/problem+json"}
    form.route("**/api/research", lambda route: route.fulfill(body=json.dumps(document), **answer))
    send(form, "Tidal mills")
    refusal = form.get_by_role("alert").filter(has_text="You have 50 open requests")
    refusal.get_by_role("link", name="Open your requests").click()
    expect(form.get_by_role("heading", level=1)).to_contain_text("Mine")


def test_sending_it_twice_or_again_after_a_lost_answer_makes_one_operation(
    form: Page, watch: Any
) -> None:
    answers: list[str] = []

    def lose_the_first_answer(route: Any) -> None:
        answers.append(route.fetch().json()["operation_id"])
        if len(answers) == 1:
            route.abort()
        else:
            route.fallback()

    form.route("**/api/research", lose_the_first_answer)
    send(form, "How durable execution survives crashes")
    form.get_by_role("button", name="Try again").click()
    expect(form.get_by_role("heading", name="How durable execution")).to_be_visible()
    assert len(set(answers)) == 1
    assert answers[0] in form.url


def test_terms_of_the_approval_are_kept_to(form: Page, visit: Any) -> None:
    form.get_by_text("Approval terms").click()
    form.get_by_label("Time to decide").select_option(label="1 hour")
    form.get_by_label("Approvals needed").fill("2")
    form.get_by_label("Who decides").select_option(label="Report escalation")
    send(form, "How durable execution survives crashes")
    waits = form.locator(".notice", has_text="Version 1 waits for a report escalation")
    expect(waits).to_contain_text(re.compile(r"5\d min"))
    operation = form.url.split("operation=")[1]
    expect(visit("Edith").review(operation).page.locator(".facts")).to_contain_text("0 of 2")


def test_who_may_not_ask_reads_what_it_takes(visit: Any) -> None:
    page = visit("Victor").open(new="")
    expect(page.locator(".notice")).to_contain_text("needs the role requester")


def test_two_tabs_keep_what_was_typed_in_each(visit: Any) -> None:
    rita = visit("Rita")
    first, second = rita.open(new=""), None
    topic = first.get_by_label("Topic", exact=True)
    topic.fill("Tides")
    second = rita.open(new="")
    other = second.get_by_label("Topic", exact=True)
    expect(other).to_have_value("Tides")
    other.fill("Mills")
    for _ in range(2):
        for page, field, words in ((first, topic, "Tides"), (second, other, "Mills")):
            page.reload()
            expect(field).to_have_value(words)
    second.get_by_role("button", name="Clear the form").click()
    first.reload()
    expect(topic).to_have_value("Tides")


def test_what_a_closed_tab_kept_is_there_for_the_next(visit: Any) -> None:
    rita = visit("Rita")
    page = rita.open(new="")
    page.get_by_label("Topic", exact=True).fill("Tides")
    page.close()
    expect(rita.open(new="").get_by_label("Topic", exact=True)).to_have_value("Tides")
