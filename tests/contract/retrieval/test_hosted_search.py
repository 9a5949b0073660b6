"""A model's own hosted search can stand behind the port: it finds addresses, and we read them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pytest

from countersign.retrieval.copies import Copies
from countersign.retrieval.errors import PlaceAway
from countersign.retrieval.finder import Finder, Hit
from countersign.retrieval.page_reader import PageReader
from countersign.retrieval.searched import Searched
from countersign.retrieval.service import ask, entries, text
from testbed.site import Site

DANCE = "Honey bees dance to tell each other where flowers are."
SUMMARY = "Bees sing to tell each other where flowers are."


@dataclass(frozen=True)
class HostedSearch:
    """The web search of a model behind OpenAI's Responses API.

    What the model says of the pages is nobody's source: only their addresses are taken.
    https://platform.openai.com/docs/guides/tools-web-search
    """

    url: str
    name: str = "the model's web search"
    service: str = "the model's web search"
    place: str = "web_search"

    async def find(self, query: str, limit: int) -> list[Hit]:
        """The pages that the model's answer cites; raises PlaceAway."""
        asked = {"model": "m", "input": query, "tools": [{"type": "web_search"}]}
        said = await ask("POST", f"{self.url}/responses", json=asked)
        titles = {text(each, "url"): text(each, "title") for each in _cited(said)}
        hits = [Hit(key=url, title=title, address=url) for url, title in titles.items() if url]
        return hits[:limit]


def _cited(said: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    for item in entries(said, "output"):
        for content in entries(item, "content") if item.get("type") == "message" else ():
            yield from entries(content, "annotations")


def answers(site: Site, *addresses: str) -> Finder:
    citations = [{"type": "url_citation", "url": each, "title": "WHO"} for each in addresses]
    message = {"type": "output_text", "text": SUMMARY, "annotations": citations}
    output = [
        {"type": "web_search_call", "id": "ws-1", "status": "completed"},
        {"type": "message", "role": "assistant", "content": [message]},
    ]
    site.says("/v1/responses", json.dumps({"output": output}), "application/json")
    return HostedSearch(url=site.url("/v1"))


async def test_what_a_model_cites_is_fetched_and_what_it_says_is_no_source(
    site: Site, copies: Copies, reader: PageReader
) -> None:
    page = site.says("/bees", f"<title>On bees</title><p>{DANCE}</p>")
    gone = site.answers("/gone", 404)
    private, forged = "http://169.254.169.254/", "https://who.int@evil.example/"
    place = Searched(answers(site, page, gone, private, forged), copies, reader)
    [passage] = await place.search("bees flowers", 8)
    assert passage.text == DANCE
    [copy] = place.copies.values()
    assert (copy.title, copy.url) == ("On bees", page)
    assert (copy.origin.kind, copy.origin.service) == ("fetched", "the model's web search")
    assert set(place.unread) == {gone, private, forged}


async def test_a_model_that_is_away_is_told_from_one_that_finds_nothing(
    site: Site, copies: Copies, reader: PageReader
) -> None:
    assert await Searched(answers(site), copies, reader).search("bees", 8) == []
    site.answers("/v1/responses", 401)
    with pytest.raises(PlaceAway, match="401"):
        await Searched(HostedSearch(url=site.url("/v1")), copies, reader).search("wasps", 8)
