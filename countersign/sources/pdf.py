"""Read a PDF as plain text."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from typing import TYPE_CHECKING

from countersign.sources.reading import Unreadable

if TYPE_CHECKING:
    from pypdf import PdfReader

MOST_PAGES = 2_000

LOCKED = "it is locked with a password: save a copy without one"
PICTURES = (
    "its pages are pictures without any text, as from a scanner: have the text recognised first"
)
DAMAGED = "it is no PDF, or a damaged one"


def title_of(reader: PdfReader) -> str:
    """Return the title that a PDF gives itself; nothing if it has none."""
    return str((reader.metadata and reader.metadata.title) or "")


def open_pdf(data: bytes) -> PdfReader:
    """Open a PDF, also one that only restricts what may be done with it.

    Raises:
        Unreadable: It is none, asks for a password, or has more than MOST_PAGES pages.
    """
    from pypdf import PdfReader
    from pypdf.errors import PyPdfError

    try:
        reader = PdfReader(BytesIO(data))
        if reader.is_encrypted and not reader.decrypt(""):
            raise Unreadable(LOCKED)
        count = len(reader.pages)
    except PyPdfError as error:
        raise Unreadable(DAMAGED) from error
    if count > MOST_PAGES:
        raise Unreadable(f"it has {count:,} pages: at most {MOST_PAGES:,} are read")
    return reader


def pages_of(reader: PdfReader) -> Iterator[str]:
    """Yield the text of each page."""
    return (page.extract_text() for page in reader.pages)
