"""Searches over HTTP, each asked as its documentation has it, at a stand-in of this machine."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from countersign.retrieval.azure_search import AzureSearch, SearchIndex
from countersign.retrieval.copies import Copies
from countersign.retrieval.errors import PlaceAway
from countersign.retrieval.finder import Finder
from countersign.retrieval.page_reader import PageReader
from countersign.retrieval.searched import Searched
from countersign.retrieval.web_search import WebSearch
from countersign.retrieval.wikipedia import Wikipedia
from countersign.web.fetching import Fetcher
from testbed.site import Site

DANCE = "Honey bees dance to tell each other where flowers are."
FIELDS = {"key": "chunk_id", "title": "title", "text": "chunk", "url": "source"}
PATHS = {
    "wikipedia": "/w/api.php",
    "web_search": "/search",
    "azure_search": "/indexes/bees/docs/search",
}


async def own_token() -> str:
    return "own-token"


def finder_of(place: str, site: Site, key: str = "query-key") -> Finder:
    root = site.url("")
    if place == "wikipedia":
        return Wikipedia(fetcher=Fetcher(also=[site.authority]), site=root)
    if place == "web_search":
        return WebSearch(url=root)
    index = SearchIndex(url=root, index="bees", key=key, fields=FIELDS)
    return AzureSearch(index=index, token=own_token)


def answers(place: str, site: Site, number: int = 1) -> None:
    """Let a service find so many things, and put the pages there that it points to."""
    titles = [f"Honey bee {each}" for each in range(number)]
    pages = {
        title: site.says(f"/wiki/{title.replace(' ', '_')}", f"<p>{DANCE}</p>") for title in titles
    }
    found: dict[str, Any] = {
        "wikipedia": {
            "query": {"search": [{"ns": 0, "title": each, "pageid": 1} for each in titles]}
        },
        "web_search": {"results": [{"url": url, "title": each} for each, url in pages.items()]},
        "azure_search": {
            "value": [
                {
                    "@search.score": 1.5,
                    "chunk_id": each,
                    "title": each,
                    "chunk": DANCE,
                    "source": "https://intranet.example/bees",
                }
                for each in titles
            ]
        },
    }
    site.says(PATHS[place], json.dumps(found[place]), "application/json; charset=utf-8")


@pytest.fixture(params=PATHS)
def place(request: pytest.FixtureRequest) -> str:
    return request.param


async def test_what_is_found_is_kept_and_read(
    place: str, site: Site, copies: Copies, reader: PageReader
) -> None:
    answers(place, site)
    searched = Searched(finder_of(place, site), copies, reader)
    [passage] = await searched.search("honey bees", 8)
    assert passage.text == DANCE
    [copy] = searched.copies.values()
    assert copy.id.startswith(f"{place}-")
    assert copy.origin.kind == ("service" if place == "azure_search" else "fetched")
    assert copy.origin.service == searched.name
    assert copy.origin.at == "2026-11-30T12:00:00+00:00"


async def test_no_more_is_taken_than_was_asked_for(place: str, site: Site) -> None:
    answers(place, site, number=9)
    assert len(await finder_of(place, site).find("honey bees", 3)) == 3


async def test_nothing_found_is_no_error(place: str, site: Site) -> None:
    answers(place, site, number=0)
    assert await finder_of(place, site).find("honey bees", 8) == []


@pytest.mark.parametrize(
    "query", ["'\"\\ -+(*~ \u202e\x00", "bees " * 2_000, "\u8702\u871c", "?", ""]
)
async def test_no_query_breaks_a_search(place: str, site: Site, query: str) -> None:
    answers(place, site)
    await finder_of(place, site).find(query, 8)


@pytest.mark.parametrize("status", [301, 401, 403, 429, 500])
async def test_a_service_that_refuses_is_away_and_its_words_are_not_repeated(
    place: str, site: Site, status: int
) -> None:
    site.pages[PATHS[place]] = status, {"Location": "/other"}, b"the key query-key is wrong"
    with pytest.raises(PlaceAway) as away:
        await finder_of(place, site).find("bees", 8)
    assert "query-key" not in str(away.value)


@pytest.mark.parametrize("body", [b"", b"[]", b"{}", b"<html>", b"[" * 100_000, b'{"value": 1}'])
async def test_an_answer_that_is_none_is_away(place: str, site: Site, body: bytes) -> None:
    site.says(PATHS[place], body, "application/json")
    with pytest.raises(PlaceAway, match="its answer cannot be read"):
        await finder_of(place, site).find("bees", 8)


async def test_entries_that_are_none_are_left_out(place: str, site: Site) -> None:
    odd = [None, 1, [], {}, {"title": 7, "url": 7, "chunk_id": 7}, {"title": "", "url": ""}]
    body = {"results": odd, "value": odd, "query": {"search": odd}}
    site.says(PATHS[place], json.dumps(body), "application/json")
    assert await finder_of(place, site).find("bees", 8) == []


async def test_wikipedias_api_is_asked_although_its_robots_keep_to_the_articles(
    site: Site, copies: Copies, reader: PageReader
) -> None:
    site.says("/robots.txt", "User-agent: *\nDisallow: /w/", "text/plain")
    answers("wikipedia", site)
    searched = Searched(finder_of("wikipedia", site), copies, reader)
    await searched.search("honey bees", 8)
    [copy] = searched.copies.values()
    assert copy.url == site.url("/wiki/Honey_bee_0")
    [asked] = [path for path in site.asked if path.startswith("/w/")]
    assert parse_qs(urlsplit(asked).query)["srsearch"] == ["honey bees"]


async def test_azure_ai_search_is_asked_in_words_with_the_key(site: Site) -> None:
    answers("azure_search", site)
    await finder_of("azure_search", site).find('honey -bees "dance" (x)*', 5)
    assert site.asked == ["/indexes/bees/docs/search?api-version=2024-07-01"]
    assert json.loads(site.body) == {
        "search": "honey bees dance x",
        "top": 5,
        "select": "chunk_id,title,chunk,source",
    }
    assert site.headers["api-key"] == "query-key"


async def test_azure_ai_search_without_a_key_is_asked_as_the_app(site: Site) -> None:
    answers("azure_search", site)
    await finder_of("azure_search", site, key="").find("bees", 5)
    assert site.headers["Authorization"] == "Bearer own-token"
    assert "api-key" not in site.headers


async def test_a_page_that_a_web_search_points_into_a_private_network_is_not_read(
    site: Site, copies: Copies, reader: PageReader
) -> None:
    good = site.says("/bees", f"<p>{DANCE}</p>")
    urls = ["http://169.254.169.254/latest/meta-data/", "file:///etc/passwd", good]
    results = {"results": [{"url": url, "title": "Bees"} for url in urls]}
    site.says("/search", json.dumps(results), "application/json")
    searched = Searched(finder_of("web_search", site), copies, reader)
    assert [each.text for each in await searched.search("bees", 8)] == [DANCE]
    assert set(searched.unread) == set(urls[:2])


async def test_a_step_that_is_done_again_is_shown_the_same_and_asks_nobody(
    place: str, site: Site, copies_of: Callable[[str], Copies], reader: PageReader
) -> None:
    answers(place, site)
    first = Searched(finder_of(place, site), copies_of("research-1"), reader)
    shown = await first.search("honey bees", 8)
    asked = len(site.asked)
    answers(place, site, number=3)
    again = Searched(finder_of(place, site), copies_of("research-1"), reader)
    assert await again.search("honey bees", 8) == shown
    assert len(site.asked) == asked
    other = Searched(finder_of(place, site), copies_of("research-2"), reader)
    assert len(await other.search("honey bees", 8)) == 3
