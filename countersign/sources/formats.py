"""The kinds of files that are read: the one list of their endings, and who reads each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from pathlib import PurePath

from countersign.sources.blocks import MOST_CHARACTERS, encodable
from countersign.sources.reading import (
    Document,
    TooLong,
    Unreadable,
    decoded,
    named_source,
    one_line,
    printable,
)

EMPTY = "it has no text"

_Reader = Callable[[bytes, str], Document]


def suffix_of(name: str) -> str:
    """Return the ending of a file's name in small letters; nothing if it has none."""
    before, _, ending = name.rpartition("/")[2].rpartition(".")
    return f".{ending}".lower() if before else ""


def read_file(name: str, data: bytes) -> Document:
    """Read a file with one of the SUFFIXES; without a title of its own it is called as it.

    A hostile file can make this take minutes, all memory, or an error of any kind: `quarantine`
    is where it is called.

    Raises:
        TooLong: Its text is longer than is taken.
        Unreadable: It is damaged, locked, or has no text.
    """
    stem = one_line(encodable(PurePath(name).stem))
    document = _READERS[suffix_of(name)](data, stem)
    text = encodable(document.text)
    if len(text) > MOST_CHARACTERS:
        raise TooLong(
            f"its text has {len(text):,} characters: at most {MOST_CHARACTERS:,} are read"
        )
    if not _says_something(text):
        raise Unreadable(EMPTY)
    titles = (encodable(document.title), stem, "Document")
    return replace(document, title=next(filter(_says_something, titles)), text=text)


def _says_something(text: str) -> bool:
    return any(character.isalnum() for character in text)


def _reader(module: str, function: str) -> _Reader:
    """Return a reader that is imported at its first file: all together take half a second."""

    def read(data: bytes, name: str) -> Document:
        return getattr(import_module(f"countersign.sources.{module}"), function)(data, name)

    return read


def _html(data: bytes, name: str) -> Document:
    return _page(decoded(data), name)


def _markdown(data: bytes, name: str) -> Document:
    from markdown_it import MarkdownIt

    return _page(MarkdownIt("commonmark").enable("table").render(decoded(data)), name)


def _page(html: str, name: str) -> Document:
    from countersign.sources.html import read_html

    document = read_html(html, name)
    return replace(document, url=named_source(document.text))


def _text(data: bytes, name: str) -> Document:
    from countersign.sources.titles import title_of

    text = printable(decoded(data))
    return Document(title=title_of(text) or name, text=text, url=named_source(text))


_READERS: dict[str, _Reader] = {
    ".csv": _reader("delimited", "read_csv"),
    ".docx": _reader("docx", "read_docx"),
    ".eml": _reader("eml", "read_eml"),
    ".htm": _html,
    ".html": _html,
    ".md": _markdown,
    ".odt": _reader("odt", "read_odt"),
    ".pdf": _reader("pdf", "read_pdf"),
    ".pptx": _reader("pptx", "read_pptx"),
    ".tsv": _reader("delimited", "read_csv"),
    ".txt": _text,
    ".xlsx": _reader("xlsx", "read_xlsx"),
}

SUFFIXES = tuple(sorted(_READERS))
"""Of the kinds that are read."""
