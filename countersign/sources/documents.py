"""Documents that came with the request, as a library in memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from countersign.sources.library import Source
from countersign.sources.locators import Locator
from countersign.sources.memory import MemoryLibrary, SourceText
from countersign.sources.reading import one_line, printable


class DocumentLibrary(MemoryLibrary):
    """A library of the request's own documents.

    Args:
        documents: `{title, text, url?, locators?}` each; the n-th gets the id `doc-n`. An address
            that isn't http or https is left out.
    """

    def __init__(self, documents: Sequence[Mapping[str, Any]]) -> None:
        super().__init__(
            _document(number, document) for number, document in enumerate(documents, start=1)
        )


def _document(number: int, document: Mapping[str, Any]) -> SourceText:
    text = printable(document["text"])
    # In a text that reads otherwise now, locators would point beside what they mean.
    located = document.get("locators") or () if text == document["text"] else ()
    return _source(number, document), text, [_locator(each) for each in located]


def _source(number: int, document: Mapping[str, Any]) -> Source:
    url = document.get("url") or ""
    return Source(
        id=f"doc-{number}",
        title=one_line(document["title"]) or f"Document {number}",
        url=url if url.startswith(("https://", "http://")) else None,
    )


def _locator(said: Mapping[str, Any]) -> Locator:
    return Locator(
        start=said["start"], label=one_line(said["label"]), first_row=said.get("first_row")
    )
