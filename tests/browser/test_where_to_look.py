"""The form offers what is turned on, and evidence says where each source came from."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from testbed.site import Site

TOPIC = "Tidal mills"
MILLS = "<title>On mills</title><p>A tidal mill stores the flood behind a gate.</p>"


@pytest.fixture
def open_host(make_host: Callable[..., Any], site: Site) -> Any:
    """A host that reads pages, of one site of this machine."""
    named = {"COUNTERSIGN_SOURCES": "library pages", "COUNTERSIGN_TEST_LOOPBACK": site.authority}
    return make_host(**named).start()


def test_the_form_of_a_host_that_is_offline_asks_for_no_address(visit: Any) -> None:
    form = visit("Rita").open(new="")
    expect(form.locator("form")).to_contain_text("The team reads the library")
    expect(form.get_by_label("Addresses of web pages")).to_have_count(0)
    expect(form.get_by_role("checkbox")).to_have_count(0)


def test_a_page_is_asked_for_and_is_the_one_source_that_leads_to_the_web(
    visit: Any, desk_at: Callable[[Any], Any], open_host: Any, site: Site
) -> None:
    page, gone = site.says("/mills", MILLS), site.answers("/gone", 404)
    form = visit("Rita", host=open_host).open(new="")
    expect(form.get_by_role("checkbox", name="The library")).to_be_checked()
    form.get_by_role("checkbox", name="The library").uncheck()
    form.get_by_label("Topic", exact=True).fill(TOPIC)
    addresses = form.get_by_label("Addresses of web pages")
    addresses.fill("https://user@example.com/")
    form.get_by_role("button", name="Request the report").click()
    expect(form.locator("#addresses-fault")).to_contain_text("a user name or a password")
    addresses.fill(f"{page}\n\n{gone}")
    form.get_by_role("button", name="Request the report").click()
    expect(form.get_by_role("heading", name=TOPIC)).to_be_visible()
    form.get_by_role("link", name="Open version 1").click()
    form.locator(".claim").first.locator("summary").click()
    source = form.locator(".claim .source").first
    link = source.get_by_role("link")
    expect(link).to_have_attribute("href", page)
    expect(link).to_have_attribute("rel", "noopener noreferrer nofollow")
    expect(link).to_have_attribute("target", "_blank")
    expect(source).to_contain_text(f"from {page}")
    expect(source).to_contain_text(hashlib.sha256(MILLS.encode()).hexdigest())
    expect(form.locator(".unread li")).to_have_text([f"{gone}: the site answered with status 404"])


def test_what_a_requester_says_that_a_document_is_from_leads_nowhere(visit: Any, desk: Any) -> None:
    address = "https://www.who.int/mills"
    document = {"title": "WHO: on mills", "text": "A tidal mill stores a flood.", "url": address}
    operation = desk.ask(TOPIC, documents=[document])
    desk.until_version(operation)
    review = visit("Victor").review(operation)
    claim = review.claims.first
    expect(claim.locator("summary")).to_contain_text("document from Rita: WHO: on mills")
    claim.locator("summary").click()
    source = claim.locator(".source")
    expect(source).to_contain_text("Stated title, not checked: WHO: on mills")
    expect(source).to_contain_text("Sent with the request by Rita.")
    expect(source).to_contain_text(f"Stated address, not checked: {address}")
    published = review.page.locator(".sheet")
    expect(published).to_contain_text("A document that Rita sent with the request (doc-1).")
    expect(review.page.locator("a[href*='who.int']")).to_have_count(0)
