"""Read a document as plain text, the way a person sees it, and find its title."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bs4 import Tag

SUFFIXES = frozenset({".md", ".txt", ".html", ".htm"})
LARGEST_BYTES = 5_000_000
LONGEST_TITLE = 120

_NAMED_SOURCE = re.compile(
    r"^Source:[^\n]*(?:\n[^\n]+){0,3}?\s<?(https?://[^\s<>;,]{0,2000}[^\s<>;,.)])", re.MULTILINE
)
_LINE_WIDTH = 72
_LINES_BEFORE_TITLE = 40

_INVISIBLE = re.compile(
    r"[\x00-\x08\x0b\x0e-\x1f\x7f-\x9f\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]"
)
_NOT_READ = ("script", "style", "template", "noscript", "nav", "head", "svg", "iframe")
_BLOCKS = """
    address article aside blockquote body dd details div dl dt fieldset figcaption figure footer
    form h1 h2 h3 h4 h5 h6 header hr li main ol p pre section table tr ul
"""


class Unreadable(Exception):
    """The file isn't text that can be read."""


class TooLong(Unreadable):
    """The file has more text than is taken."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Document:
    """A file's title and text, and the address that it names as its own source, if it does."""

    title: str
    text: str
    url: str | None = None


def read(path: Path) -> Document:
    """Read a `.md`, `.txt` or `.html` file of at most LARGEST_BYTES bytes.

    Markdown and HTML are read as the text that they show: a quote from them has no markup.

    Raises:
        Unreadable: Too large, binary, or neither UTF-8 nor UTF-16 with a byte order mark.
        OSError: The file can't be opened.
    """
    with path.open("rb") as file:
        data = file.read(LARGEST_BYTES + 1)
    if len(data) > LARGEST_BYTES:
        raise Unreadable(f"larger than {LARGEST_BYTES} bytes")
    return parse(data, path.name)


def parse(data: bytes, name: str) -> Document:
    """Read what a `.md`, `.txt` or `.html` file of this name holds.

    Raises:
        Unreadable: Binary, or neither UTF-8 nor UTF-16 with a byte order mark.
    """
    text, suffix, stem = _decoded(data), PurePath(name).suffix.lower(), PurePath(name).stem
    if suffix == ".txt":
        return _from_text(printable(text), stem)
    if suffix == ".md":
        from markdown_it import MarkdownIt

        text = MarkdownIt("commonmark").enable("table").render(text)
    return from_html(text, stem)


def from_html(html: str, stem: str) -> Document:
    """Read HTML as the text that it shows; without a title of its own it is called `stem`."""
    # Imported here because most processes of the app never read a document.
    from bs4 import BeautifulSoup

    soup = BeautifulSoup(html, "html.parser")
    named = soup.title or soup.h1
    title = one_line(named.get_text(" ")) if named else ""
    # All is done inside the elements: to find one among its neighbours takes the longer the more
    # there are.
    for unread in soup(_NOT_READ):
        unread.clear()
    for line_break in soup("br"):
        line_break.append("\n")
    for block in soup(_BLOCKS.split()):
        _set_apart(block)
    return _document(title or one_line(stem), _tidy(printable(soup.get_text())))


def printable(text: str) -> str:
    """Return the text with plain line ends and without characters that nobody sees.

    Form feeds become line ends. Controls that turn the reading direction are removed too: they can
    make a text look other than what it says.
    """
    unified = text.replace("\r\n", "\n").replace("\r", "\n").replace("\x0c", "\n")
    return _INVISIBLE.sub("", unified)


def one_line(text: str) -> str:
    """Return a title: one line, at most LONGEST_TITLE characters."""
    return " ".join(printable(text).split())[:LONGEST_TITLE]


def _decoded(data: bytes) -> str:
    utf16 = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    try:
        text = data.decode("utf-16" if utf16 else "utf-8-sig")
    except UnicodeDecodeError as error:
        raise Unreadable("neither UTF-8 nor UTF-16 text") from error
    if "\x00" in text:
        raise Unreadable("binary")
    return text


def _from_text(text: str, stem: str) -> Document:
    first_lines = text.splitlines()[:_LINES_BEFORE_TITLE]
    title = next(filter(_is_centred, first_lines), "")
    return _document(one_line(title) or one_line(stem), text)


def _is_centred(line: str) -> bool:
    # RFCs and many older texts have their title so, below a head of two columns.
    title = line.strip()
    indent = len(line) - len(line.lstrip())
    margin = (_LINE_WIDTH - len(title)) / 2
    return len(title) > 3 and "  " not in title and indent > 3 and abs(indent - margin) <= 4


def _document(title: str, text: str) -> Document:
    named = _NAMED_SOURCE.search(text)
    return Document(title=title, text=text, url=named.group(1) if named else None)


def _tidy(text: str) -> str:
    # A list item's own paragraph would leave its dash behind in a paragraph of one dash.
    with_dashes = re.sub(r"^- \s+", "- ", text, flags=re.MULTILINE)
    return re.sub(r"\n\s*\n", "\n\n", with_dashes).strip()


def _set_apart(block: Tag) -> None:
    block.insert(0, "\n\n- " if block.name == "li" else "\n\n")
    block.append("\n\n")
