"""What research was shown is kept as it was, and nothing else is quoted."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from countersign.retrieval.choice import Choice, Scope
from countersign.retrieval.copies import Copies, Copy, Unread, kept_library
from countersign.retrieval.finder import Hit
from countersign.retrieval.given_pages import GivenPages
from countersign.retrieval.page_reader import PageReader
from countersign.retrieval.places import AtHand
from countersign.retrieval.searched import Searched
from countersign.sources.documents import DocumentLibrary
from countersign.sources.folder import FolderLibrary
from countersign.sources.library import UnknownSource
from countersign.sources.origin import Origin
from countersign.stores.artifacts import Artifacts, DamagedArtifact
from testbed.site import Site

DANCE = "Honey bees dance to tell each other where flowers are."
CopiesOf = Callable[[str], Copies]


def pages(copies: Copies, reader: PageReader, *addresses: str) -> Searched:
    return Searched(GivenPages(addresses=addresses), copies, reader)


async def test_a_page_is_kept_with_its_address_its_time_and_its_digest(
    site: Site, copies: Copies, reader: PageReader, artifacts: Artifacts
) -> None:
    html = f"<title>On bees</title><p>{DANCE}</p>"
    target = site.says("/bees", html)
    place = pages(copies, reader, site.leads("/old", "/bees"))
    [passage] = await place.search("bees dance", 8)
    copy = place.copies[passage.source.id]
    assert (copy.title, copy.url) == ("On bees", target)
    digest = hashlib.sha256(html.encode()).hexdigest()
    assert copy.origin.model_dump() == {
        "kind": "fetched",
        "service": "",
        "by": "",
        "at": "2026-11-30T12:00:00+00:00",
        "digest": digest,
    }
    assert await artifacts.get("home", digest) == html.encode()
    assert DANCE in passage.text
    assert passage.text in await copies.text(copy)


async def test_another_process_quotes_the_copy_and_never_the_page(
    site: Site, copies_of: CopiesOf, reader: PageReader
) -> None:
    place = pages(copies_of("research-1"), reader, site.says("/bees", f"<p>{DANCE}</p>"))
    [passage] = await place.search("bees dance", 8)
    stored = [copy.model_dump(mode="json") for copy in place.copies.values()]
    site.says("/bees", "<p>Bees do not dance at all.</p>")
    asked = len(site.asked)
    read = [Copy.model_validate(each) for each in stored]
    library = await kept_library(read, copies_of("research-1"), [])
    assert library.text(passage.source.id) == DANCE
    assert library.source(passage.source.id) == passage.source
    assert len(site.asked) == asked
    with pytest.raises(UnknownSource):
        library.text("page-000000000000")


async def test_the_first_copy_stands_for_the_whole_operation(
    site: Site, copies_of: CopiesOf, reader: PageReader
) -> None:
    address = site.says("/bees", f"<p>{DANCE}</p>")
    [first] = await pages(copies_of("research-1"), reader, address).search("bees", 8)
    site.says("/bees", "<p>Bees do not dance.</p>")
    [again] = await pages(copies_of("research-1"), reader, address).search("bees", 8)
    [other] = await pages(copies_of("research-2"), reader, address).search("bees", 8)
    assert again == first
    assert other.text == "Bees do not dance."
    assert other.source.id == first.source.id
    assert site.asked.count("/bees") == 2


async def test_two_who_read_a_page_at_the_same_time_agree_on_it(
    site: Site, copies_of: CopiesOf, reader: PageReader
) -> None:
    texts = iter([f"<p>{DANCE}</p>", "<p>Bees do not dance.</p>"])
    site.pages["/bees"] = lambda _: (200, {"Content-Type": "text/html"}, next(texts).encode())
    places = [pages(copies_of("research-1"), reader, site.url("/bees")) for _ in range(2)]
    one, other = await asyncio.gather(*(place.search("bees dance", 8) for place in places))
    assert [each.text for each in one] == [each.text for each in other]


async def test_what_could_not_be_read_is_named_and_not_tried_again(
    site: Site, copies_of: CopiesOf, reader: PageReader
) -> None:
    good, bad = site.says("/bees", f"<p>{DANCE}</p>"), site.answers("/wasps", 503)
    for _ in range(2):
        place = pages(copies_of("research-1"), reader, bad, good)
        assert [each.text for each in await place.search("bees", 8)] == [DANCE]
        assert place.unread == {bad: "the site answered with status 503"}
    assert site.asked.count("/wasps") == 1


@pytest.mark.parametrize(
    ("data", "media_type"),
    [
        (b"<p>\xc4rger mit Bienen</p>", "text/html; charset=iso-8859-1"),
        (b"<meta charset=windows-1252><p>\xc4rger mit Bienen</p>", "text/html"),
        ("\u00c4rger mit Bienen".encode("utf-16"), "text/plain"),
        ("\u00c4rger mit Bienen".encode(), "text/plain; charset=rot13"),
        (b"\xc4rger mit Bienen", "text/plain; charset=nonsense"),
        ("**\u00c4rger** mit Bienen".encode(), "text/markdown; charset=utf-8"),
    ],
)
async def test_a_page_is_read_in_its_own_character_set(
    site: Site, copies: Copies, reader: PageReader, data: bytes, media_type: str
) -> None:
    address = site.says("/bees", data, media_type)
    [passage] = await pages(copies, reader, address).search("Bienen", 8)
    assert passage.text == "\u00c4rger mit Bienen"


@pytest.mark.parametrize(
    ("data", "media_type"),
    [(b"", "text/html"), (b"%PDF-1.7 nonsense", "application/pdf"), (b"<p> </p>", "text/html")],
)
async def test_a_page_without_a_text_is_named(
    site: Site, copies: Copies, reader: PageReader, data: bytes, media_type: str
) -> None:
    good = site.says("/good", DANCE, "text/plain")
    place = pages(copies, reader, site.says("/bad", data, media_type), good)
    await place.search("bees", 8)
    assert list(place.unread) == [site.url("/bad")]


async def test_a_document_is_kept_as_it_was_shown_though_the_folder_changes(
    copies_of: CopiesOf, tmp_path: Path
) -> None:
    folder = tmp_path / "library"
    folder.mkdir()
    (folder / "bees.txt").write_text(DANCE)
    library = FolderLibrary(folder, tmp_path / "index.db")
    place = AtHand("the library", library, "library", copies_of("research-1"))
    [passage] = await place.search("bees", 8)
    (folder / "bees.txt").unlink()
    kept = await kept_library(list(place.copies.values()), copies_of("research-1"), [library])
    assert kept.text(passage.source.id) == DANCE
    origin = kept.source("bees.txt").origin
    assert origin
    assert (origin.kind, origin.digest) == ("library", hashlib.sha256(DANCE.encode()).hexdigest())


async def test_what_came_with_the_request_says_so(copies: Copies) -> None:
    claimed: Any = {"title": "WHO: on bees", "text": DANCE, "url": "https://www.who.int/bees"}
    place = AtHand("the documents", DocumentLibrary([claimed], "Rita"), "request", copies)
    [passage] = await place.search("bees", 8)
    origin = place.copies[passage.source.id].origin
    assert (origin.kind, origin.by) == ("request", "Rita")


async def test_a_source_that_was_not_shown_says_where_it_came_from_too(tmp_path: Path) -> None:
    (tmp_path / "bees.txt").write_text(DANCE)
    choice = Choice(library=FolderLibrary(tmp_path, tmp_path / "data" / "index.db"))
    sent: Any = [{"title": "WHO: on bees", "text": DANCE}]
    scope = Scope(topic="bees", requester="Rita", documents=sent, look_in=["library"])
    brought, folder = await choice.at_hand(scope)
    digest = hashlib.sha256(DANCE.encode()).hexdigest()
    request = Origin(kind="request", by="Rita", digest=digest)
    assert brought.source("doc-1").origin == request
    assert folder.source("bees.txt").origin == Origin(kind="library", digest=digest)


async def test_a_service_that_states_a_deceptive_address_states_none(
    copies: Copies, reader: PageReader
) -> None:
    hit = Hit(key="1", title="WHO", text=DANCE, address="https://who.int@evil.example/")
    copy = await reader.copy("mcp-1", hit, copies, service="the MCP server")
    assert (copy.url, copy.origin.kind) == (None, "service")


async def test_a_copy_that_was_changed_in_the_store_is_not_quoted(
    site: Site, copies: Copies, reader: PageReader, tmp_path: Path
) -> None:
    place = pages(copies, reader, site.says("/bees", f"<p>{DANCE}</p>"))
    await place.search("bees", 8)
    for file in (tmp_path / "artifacts").rglob("*"):
        if file.is_file() and file.read_bytes() == DANCE.encode():
            file.write_text(DANCE.replace("dance", "march"))
    with pytest.raises(DamagedArtifact):
        await kept_library(list(place.copies.values()), copies, [])


async def test_why_a_source_is_unread_is_kept_by_whoever_tried(copies_of: CopiesOf) -> None:
    async def fails() -> Copy:
        raise Unread("it is gone")

    async def never() -> Copy:
        raise AssertionError("it was tried again")

    for make in (fails, never):
        with pytest.raises(Unread, match="it is gone"):
            await copies_of("research-1").once("page", "https://bees.example", make)
