"""Documents that came with the request, as a library in memory."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from countersign.sources.library import Source
from countersign.sources.locators import Locator
from countersign.sources.memory import MemoryLibrary, SourceText
from countersign.sources.origin import Origin, stated_address
from countersign.sources.reading import one_line, printable


class DocumentLibrary(MemoryLibrary):
    """A library of the request's own documents.

    Args:
        documents: `{title, text, url?, locators?}` each; the n-th gets the id `doc-n`. An address
            that isn't http or https, or has a user name, is left out.
        by: The name of who brought them.
    """

    def __init__(self, documents: Sequence[Mapping[str, Any]], by: str = "") -> None:
        super().__init__(
            _document(number, document, by) for number, document in enumerate(documents, start=1)
        )


def _document(number: int, document: Mapping[str, Any], by: str) -> SourceText:
    text = printable(document["text"])
    # In a text that reads otherwise now, locators would point beside what they mean.
    located = document.get("locators") or () if text == document["text"] else ()
    source = Source(
        id=f"doc-{number}",
        title=one_line(document["title"]) or f"Document {number}",
        url=stated_address(document.get("url")),
        origin=Origin(kind="request", by=by, digest=hashlib.sha256(text.encode()).hexdigest()),
    )
    return source, text, [_locator(each) for each in located]


def _locator(said: Mapping[str, Any]) -> Locator:
    return Locator(
        start=said["start"], label=one_line(said["label"]), first_row=said.get("first_row")
    )
