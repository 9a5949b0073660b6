"""A request says where research looks, as far as the operator's settings let it."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from typing import Any

import pytest

from testbed.site import Site

MILLS = "Tidal mills grind grain with the ebb. A tidal mill stores the flood behind a gate."
TOPIC = "Tidal mills"


@pytest.fixture
def open_desk(make_host: Callable[..., Any], desk_at: Callable[[Any], Any], site: Site) -> Any:
    """People at a host that reads pages, of one site of this machine."""
    settings = {
        "COUNTERSIGN_SOURCES": "library pages",
        "COUNTERSIGN_TEST_LOOPBACK": site.authority,
    }
    return desk_at(make_host(**settings).start())


def evidence_of(desk: Any, operation: str) -> dict[str, Any]:
    desk.until_version(operation)
    shown = desk.host.call("GET", f"operations/{operation}/proposals/1", desk.reviewer)
    return shown.json()


def test_a_page_that_the_requester_names_is_fetched_kept_and_quoted(
    open_desk: Any, site: Site
) -> None:
    html = f"<title>On mills</title><p>{MILLS}</p>"
    address, gone = site.says("/mills", html), site.answers("/gone", 404)
    operation = open_desk.ask(TOPIC, addresses=[address, gone])
    shown = evidence_of(open_desk, operation)
    [source] = shown["evidence"]["sources"]
    assert (source["title"], source["url"]) == ("On mills", address)
    assert source["origin"]["kind"] == "fetched"
    assert source["origin"]["digest"] == hashlib.sha256(html.encode()).hexdigest()
    assert shown["evidence"]["unread"] == [f"{gone}: the site answered with status 404"]
    came = (
        rf"1\. On mills\. Fetched by Countersign on 20\S+ at \S+ UTC from <{re.escape(address)}>\."
    )
    assert re.search(came, shown["content"]["text"])
    # One visit, however many steps read it.
    assert site.asked.count("/mills") == site.asked.count("/gone") == 1


def test_the_library_is_looked_in_beside_pages_where_a_request_says_so(
    open_desk: Any, site: Site
) -> None:
    address, both = site.says("/mills", f"<p>{MILLS}</p>"), [TOPIC, open_desk.TOPIC]
    operation = open_desk.ask(
        " and ".join(both), subtopics=both, look_in=["library"], addresses=[address]
    )
    kinds = {
        source["origin"]["kind"]
        for source in evidence_of(open_desk, operation)["evidence"]["sources"]
    }
    assert kinds == {"library", "fetched"}


def test_pages_that_cannot_be_read_are_no_reason_to_say_that_they_say_nothing(
    open_desk: Any, site: Site
) -> None:
    site.says("/robots.txt", "User-agent: *\nDisallow: /", "text/plain")
    address = site.says("/mills", MILLS)
    operation = open_desk.ask(TOPIC, addresses=[address, "http://169.254.169.254/"])
    reason = open_desk.until_state(operation, "needs_revision")["outcome"]["reason"]
    assert reason.startswith("No source could be searched")
    assert f"{address}: the robots.txt of its site doesn't allow programs to read it" in reason
    assert "http://169.254.169.254/: its host is not on the public internet" in reason


def test_where_there_is_no_report_it_is_said_what_could_not_be_read(
    open_desk: Any, site: Site
) -> None:
    address, gone = site.says("/mills", f"<p>{MILLS}</p>"), site.answers("/quarks", 404)
    operation = open_desk.ask("Quantum chromodynamics", addresses=[address, gone])
    reason = open_desk.until_state(operation, "needs_revision")["outcome"]["reason"]
    assert reason.endswith(f"Could not be read: {gone}: the site answered with status 404.")


@pytest.mark.parametrize(
    ("body", "field", "said"),
    [
        (
            {"addresses": ["https://example.com/"]},
            "addresses",
            "reading web pages is not turned on here",
        ),
        ({"look_in": ["the web"]}, "look_in.0", "library"),
        ({"look_in": []}, "look_in", "must not be empty"),
        ({"addresses": ["https://user@example.com/"]}, "addresses.0", "user name or a password"),
        ({"addresses": ["http://2130706433/"]}, "addresses.0", "a number and not a name"),
        (
            {"documents": [{"title": "t", "text": "t", "url": "https://user@example.com/"}]},
            "documents.0.url",
            "user name or a password",
        ),
        ({"addresses": ["ftp://example.com/"]}, "addresses.0", "only http and https"),
        ({"addresses": ["https://example.com/"] * 21}, "addresses", "at most 20"),
    ],
)
def test_what_is_not_turned_on_is_refused_and_named(
    desk: Any, body: dict[str, Any], field: str, said: str
) -> None:
    refused = desk.host.call("POST", "research", desk.requester, json={"topic": TOPIC, **body})
    assert refused.status_code == 422
    assert said in refused.json()["fields"][field]


def test_a_host_is_offline_unless_its_operator_says_otherwise(desk: Any, open_desk: Any) -> None:
    def said(at: Any) -> Any:
        told = at.host.call("GET", "sources", at.requester).json()
        library = told.pop("library")
        assert library["documents"] >= len(library["titles"]) > 0
        return told

    assert said(desk) == {"look_in": ["library"], "most_addresses": 0, "left_out": []}
    assert said(open_desk) == {"look_in": ["library"], "most_addresses": 20, "left_out": []}
    assert desk.host.call("GET", "sources", desk.reviewer).status_code == 403
