"""A third kind, all of it from a test's folder, from its form in the page to the receipt there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

FOLDER = Path(__file__).parent.parent / "kinds"
CUSTOMER, LETTER = "Otter GmbH", "We are sorry about the fish."


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def host(new_host: Callable[..., Any], data: Path) -> Iterator[Any]:
    """An app with the third kind."""
    host = new_host(data, app=FOLDER / "app").start()
    yield host
    host.close()


def test_it_is_requested_decided_and_carried_out_in_the_page(
    visit: Any, host: Any, data: Path
) -> None:
    rita = visit("Rita", "Reply.Requester", host=host)
    victor = visit("Victor", "Reply.Approver", host=host)
    for visitor in (rita, victor):
        visitor.bring(FOLDER / "reply.js")
    page = rita.open(new="reply")
    page.get_by_label("Customer").fill(CUSTOMER)
    page.get_by_label("Letter").fill(LETTER)
    page.get_by_role("button", name="Request the letter").click()
    page.get_by_role("link", name="Open version 1").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text(f"Letter to {CUSTOMER}")

    inbox = victor.open()
    inbox.locator(".row").get_by_role("link", name=CUSTOMER).press("Enter")
    review = victor.on(inbox)
    expect(review.text).to_contain_text(LETTER)
    expect(inbox.locator(".facts")).to_contain_text(f"Customer{CUSTOMER}")
    review.approve()
    expect(review.receipt).to_contain_text("It is being sent now.")

    operation = inbox.url.split("operation=")[1].split("&")[0]
    page = rita.open(operation=operation)
    expect(page.get_by_text("It was approved and sent once.")).to_be_visible()
    [letter] = (data / "letters").rglob("*.md")
    assert letter.read_text("utf-8") == LETTER
    expect(page.locator("main")).to_contain_text(letter.name)
