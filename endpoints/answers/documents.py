"""Documents for research: which are read, and the text of one that was."""

from __future__ import annotations

from countersign.sources.locators import Locator
from countersign.sources.reading import Document
from endpoints.answers.response_body import ResponseBody
from endpoints.answers.unread import UnreadFile


class DocumentLimits(ResponseBody):
    """Which documents are read, and how large they may be.

    `most_bytes` and `most_characters` are those of one document, `most_request_bytes` those of a
    request with its documents. `left_out`: files of the library that could not be read.
    """

    suffixes: list[str]
    most_bytes: int
    most_documents: int
    most_characters: int
    most_request_bytes: int
    left_out: list[UnreadFile]


class LocatorView(ResponseBody):
    """What the text from `start` on is called in its file: a page, a heading, rows of a sheet."""

    start: int
    label: str
    first_row: int | None

    @classmethod
    def of(cls, locator: Locator) -> LocatorView:
        """Return a locator as the API shows it."""
        return cls(start=locator.start, label=locator.label, first_row=locator.first_row)


class DocumentText(ResponseBody):
    """A file as text, to be sent with a request for a report; nothing of it is kept."""

    title: str
    text: str
    characters: int
    locators: list[LocatorView]
    warnings: list[str]

    @classmethod
    def of(cls, document: Document) -> DocumentText:
        """Return a document that was read as the API shows it."""
        return cls(
            title=document.title,
            text=document.text,
            characters=len(document.text),
            locators=[LocatorView.of(each) for each in document.locators],
            warnings=list(document.warnings),
        )
