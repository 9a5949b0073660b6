"""Several places are searched as one; what fails is named, and the rest goes on."""

from __future__ import annotations

from pathlib import Path

import pytest

from countersign.retrieval.choice import Choice, Scope
from countersign.retrieval.collection import Collection
from countersign.retrieval.copies import Copies
from countersign.retrieval.errors import NothingLookedUp
from countersign.retrieval.given_pages import GivenPages
from countersign.retrieval.page_reader import PageReader
from countersign.retrieval.places import AtHand, Place
from countersign.retrieval.searched import Searched
from countersign.sources.documents import DocumentLibrary
from countersign.sources.folder import FolderLibrary
from countersign.sources.library import MissingFolder, UnknownSource
from testbed.site import Site

BEES = [
    {"title": f"Bees {number}", "text": f"Bees dance, says document {number}."}
    for number in range(9)
]


def documents(copies: Copies) -> AtHand:
    return AtHand("the documents", DocumentLibrary(BEES), "request", copies)


def pages(copies: Copies, reader: PageReader, *addresses: str) -> Searched:
    return Searched(GivenPages(addresses=addresses), copies, reader)


def missing(copies: Copies, folder: Path) -> AtHand:
    library = FolderLibrary(folder / "nowhere", folder / "index.db")
    return AtHand("the library", library, "library", copies)


def collection(copies: Copies, *places: Place) -> Collection:
    return Collection(places, copies, "Bees")


async def test_every_place_has_its_turn(site: Site, copies: Copies, reader: PageReader) -> None:
    page = pages(copies, reader, site.says("/bees", "<p>Bees dance on the web.</p>"))
    both = collection(copies, documents(copies), page)
    found = await both.search("bees dance", limit=8)
    assert len(found) == 8
    assert [each.source.id.partition("-")[0] for each in found[:2]] == ["doc", "page"]
    assert {copy["id"] for copy in both.record()["sources"]} == {each.source.id for each in found}
    assert both.unread == []


async def test_only_what_was_shown_can_be_read(copies: Copies) -> None:
    one = collection(copies, documents(copies))
    [shown] = await one.search("document 3", limit=1)
    assert await one.text(shown.source.id) == BEES[3]["text"]
    assert (await one.source(shown.source.id)).origin
    with pytest.raises(UnknownSource):
        await one.text("doc-9")
    with pytest.raises(UnknownSource):
        await one.source("doc-9")


async def test_what_fails_is_named_and_the_rest_is_searched(
    site: Site, copies: Copies, reader: PageReader, tmp_path: Path
) -> None:
    gone = site.answers("/gone", 404)
    places = missing(copies, tmp_path), pages(copies, reader, gone), documents(copies)
    some = collection(copies, *places)
    assert len(await some.search("bees")) == 8
    assert len(await some.titles()) == len(BEES)
    assert some.unread == [
        "the library: can't be read",
        f"{gone}: the site answered with status 404",
    ]
    assert str(tmp_path) not in str(some.unread)


async def test_files_of_the_library_that_cannot_be_read_are_named(
    copies: Copies, tmp_path: Path
) -> None:
    folder = tmp_path / "library"
    folder.mkdir()
    (folder / "bees.md").write_text("# Bees\n\nBees dance.\n", encoding="utf-8")
    (folder / "scan.pdf").write_bytes(b"no PDF at all")
    library = FolderLibrary(folder, tmp_path / "index.db")
    choice = Choice(library=library, left_out=library.left_out)
    scope = Scope(topic="Bees")
    some = await choice.collection(scope, copies)
    assert len(await some.search("bees")) == 1
    [line] = some.record()["unread"]
    assert line.startswith("scan.pdf: it ")


async def test_where_nothing_can_be_looked_up_nobody_is_told_that_there_is_nothing(
    site: Site, copies: Copies, reader: PageReader, tmp_path: Path
) -> None:
    gone = site.answers("/gone", 404)
    page, library = pages(copies, reader, gone), missing(copies, tmp_path)
    for ask in (lambda some: some.search("bees"), lambda some: some.titles()):
        with pytest.raises(NothingLookedUp, match="the site answered with status 404"):
            await ask(collection(copies, page))
        # An operator can put this right, so it isn't the end.
        with pytest.raises(MissingFolder):
            await ask(collection(copies, page, library))


async def test_places_that_hold_nothing_on_the_topic_have_been_looked_in(copies: Copies) -> None:
    assert await collection(copies, documents(copies)).search("quantum chromodynamics") == []


async def test_a_plan_knows_the_titles_of_what_is_found(
    site: Site, copies: Copies, reader: PageReader
) -> None:
    page = pages(copies, reader, site.says("/bees", "<title>On bees</title><p>Bees dance.</p>"))
    assert await collection(copies, page).titles() == ["On bees"]
