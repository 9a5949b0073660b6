"""Documents that people send: which are read, how large they may be, and what text they hold."""

from __future__ import annotations

from pathlib import PurePath

from countersign.sources import docx, pdf, reading
from countersign.sources.reading import Document, TooLong, Unreadable

SUFFIXES = (".docx", ".htm", ".html", ".md", ".pdf", ".txt")
MOST_BYTES = 20_000_000
MOST_CHARACTERS = 1_000_000
"""Of a document's text. More is refused and not cut: half a document looks like a whole one."""
MOST_DOCUMENTS = 50
"""That go with one request."""

EMPTY = "it has no text"


def suffix_of(name: str) -> str:
    """Return the ending of a file's name in small letters; nothing if it has none."""
    return PurePath(name).suffix.lower()


def read_upload(name: str, data: bytes) -> Document:
    """Read a file with one of the SUFFIXES as plain text.

    A hostile file can make this take minutes, all memory, or an error of any kind: `quarantine`
    is where it is called.

    Raises:
        TooLong: Its text has more than MOST_CHARACTERS characters.
        Unreadable: It has no text, or none that can be had.
    """
    document = _read(name, data)
    text = _encodable(document.text)
    if len(text) > MOST_CHARACTERS:
        raise TooLong(
            f"its text has {len(text):,} characters: at most {MOST_CHARACTERS:,} are read"
        )
    if not _says_something(text):
        raise Unreadable(EMPTY)
    titles = (
        _encodable(document.title),
        reading.one_line(_encodable(PurePath(name).stem)),
        "Document",
    )
    return Document(title=next(filter(_says_something, titles)), text=text)


def _read(name: str, data: bytes) -> Document:
    suffix = suffix_of(name)
    if suffix == ".pdf":
        return _read_pdf(data)
    if suffix == ".docx":
        return reading.from_html(docx.to_html(data), PurePath(name).stem)
    return reading.parse(data, name)


def _read_pdf(data: bytes) -> Document:
    opened = pdf.open_pdf(data)
    pages: list[str] = []
    total = 0
    for page in pdf.pages_of(opened):
        pages.append(reading.printable(page).strip("\n"))
        total += len(pages[-1])
        if total > MOST_CHARACTERS:
            many = f"the text of its first {len(pages):,} pages has {total:,} characters"
            raise TooLong(f"{many}: at most {MOST_CHARACTERS:,} are read")
    if not _says_something("".join(pages)):
        raise Unreadable(pdf.PICTURES)
    return Document(title=reading.one_line(pdf.title_of(opened)), text="\n\n".join(pages))


def _encodable(text: str) -> str:
    # Files can hold halves of surrogate pairs, which no JSON text can carry on.
    return text.encode("utf-8", "ignore").decode("utf-8")


def _says_something(text: str) -> bool:
    return any(character.isalnum() for character in text)
