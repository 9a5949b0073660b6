"""Read HTML as the text that it shows, in time proportional to its length, however it is nested."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from html.parser import HTMLParser

from countersign.sources.blocks import Blocks
from countersign.sources.hidden import HIDDEN
from countersign.sources.html_table import HtmlTable
from countersign.sources.reading import Document, one_line
from countersign.sources.shifted import lowered, raised

_BLOCK_TAGS = """
    address article aside blockquote body caption dd details dialog div dl dt fieldset figcaption
    figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr li main ol p pre search section summary
    table tbody td tfoot th thead tr ul
"""
_VOID_TAGS = "area base br col embed hr img input link meta source track wbr"
_UNREAD = frozenset(
    ("script", "style", "template", "noscript", "nav", "svg", "iframe", "object", "select")
)
_BLOCKS = frozenset(_BLOCK_TAGS.split())
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_SHIFTED: dict[str, Callable[[str], str]] = {"sup": raised, "sub": lowered}
_STRUCK = frozenset({"del", "s", "strike"})
_STRUCK_MARK = "~~"
"""Markdown's mark: what an author struck out is not what they say, so no quote may pass over it."""

_VOID = frozenset(_VOID_TAGS.split())
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_BLANK = re.compile(r"\s+")


def read_html(html: str, name: str) -> Document:
    """Read a page; without a title of its own it is called `name`.

    Scripts, menus and hidden elements are left out. What only programs that read a page aloud are
    told to leave out (`aria-hidden`) shows, and is read.

    Raises:
        TooLong: The text has more than `blocks.MOST_CHARACTERS` characters.
    """
    page = shown(html)
    return page.blocks.document(page.title or one_line(name), page.warnings)


def shown(html: str) -> ShownText:
    """Read all the text that a page shows; may raise TooLong."""
    page = ShownText()
    page.feed(_ended(html))
    page.close()
    return page


class ShownText(HTMLParser):
    """Collects the blocks of a page while its tags are read one by one; no tree is built."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.blocks = Blocks()
        self._named: list[str] = []
        self._first_heading = ""
        self._words: list[str] = []
        self._prefix = ""
        self._shift: Callable[[str], str] = str
        self._heading = self._in_title = self._in_pre = False
        self._unread: tuple[str, int] | None = None
        self._hides = False
        self._tables: list[HtmlTable] = []

    @property
    def title(self) -> str:
        """What the page calls itself: its title, or else its first heading of the first rank."""
        return one_line("".join(self._named)) or self._first_heading

    @property
    def warnings(self) -> list[str]:
        """What of the page isn't read, apart from what no page shows."""
        return [HIDDEN] * self._hides

    def close(self) -> None:
        """Read what is left at the end."""
        super().close()
        self._unread = None
        while self._tables:
            self._end_table()
        self._end_block()

    def handle_starttag(self, tag: str, attrs: Sequence[tuple[str, str | None]]) -> None:
        """Read a tag that opens an element, or is one by itself."""
        if self._is_unread(tag, opens=True):
            return
        given = dict(attrs)
        if tag not in _VOID and (tag in _UNREAD or _is_hidden(tag, given)):
            self._unread = (tag, 1)
        elif tag == "title" and not self._named:
            self._in_title = True
        elif tag in _SHIFTED:
            self._shift = _SHIFTED[tag]
        elif tag in _STRUCK:
            self._words.append(_STRUCK_MARK)
        elif tag == "br":
            self._words.append(" " if self._in_cell else "\n")
        elif tag in _BLOCKS:
            self._begin_block(tag, given)

    def handle_startendtag(self, tag: str, attrs: Sequence[tuple[str, str | None]]) -> None:
        """Read `<tag/>`, which in HTML opens an element like any other."""
        self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        """Read a tag that closes an element."""
        if self._is_unread(tag, opens=False):
            return
        if tag == "title":
            self._in_title = False
        elif tag in _SHIFTED:
            self._shift = str
        elif tag in _STRUCK:
            self._words.append(_STRUCK_MARK)
        elif tag == "table":
            self._end_table()
        elif tag in _BLOCKS:
            self._finish(tag)

    def handle_data(self, data: str) -> None:
        """Read text between tags."""
        if self._in_title:
            self._named.append(data)
        elif self._unread:
            self._hides |= (
                self._unread[0] not in _UNREAD and not self.cdata_elem and bool(data.strip())
            )
        else:
            text = self._shift(data)
            self._words.append(text if self._in_pre else _BLANK.sub(_folded, text))

    @property
    def _in_cell(self) -> bool:
        return bool(self._tables) and self._tables[-1].in_cell

    def _is_unread(self, tag: str, *, opens: bool) -> bool:
        """Return whether a tag stands in an element that isn't read, and note where that ends."""
        if not self._unread:
            return False
        unread, depth = self._unread
        if unread in {"p", "li"} and tag in _BLOCKS and (opens or tag != unread):
            self._unread = None  # the next block ends these, without a tag
            return False
        if tag == unread:
            depth += 1 if opens else -1
            self._unread = (unread, depth) if depth else None
        return True

    def _begin_block(self, tag: str, given: dict[str, str | None]) -> None:
        if tag == "table":
            self._begin_table()
        elif self._tables and self._tables[-1].takes(tag):
            self._end_cell()
            self._tables[-1].begin(tag, given)
        else:
            self._end_block()
        self._heading, self._in_pre = tag in _HEADINGS, tag == "pre"
        if tag == "li":
            self._prefix = "- "

    def _finish(self, tag: str) -> None:
        is_first = tag == "h1" and not self._first_heading
        if is_first and not self._in_cell:
            self._first_heading = one_line("".join(self._words))
        if self._tables and self._tables[-1].takes(tag):
            self._end_cell()
            self._tables[-1].end(tag)
        else:
            self._end_block()
        self._heading = self._in_pre = False

    def _end_block(self) -> None:
        if self._in_cell:
            self._words.append(" ")
            return
        text = "".join(self._words)
        text = text if self._in_pre else re.sub(r" ?\n\s*", "\n", text).strip()
        self._words.clear()
        if not text.strip():
            return
        if self._heading:
            self.blocks.heading(text)
        else:
            self.blocks.add(self._prefix + text)
        self._prefix = ""

    def _begin_table(self) -> None:
        if self._in_cell:
            # A table within a cell: the outer one lays out the page, and its cells are no data.
            self._tables[-1].lays_out = True
            self.blocks.table(self._tables[-1].taken())
        self._end_block()
        self._tables.append(HtmlTable())

    def _end_cell(self) -> None:
        if self._in_cell:
            self._tables[-1].put("".join(self._words))
            self._words.clear()
        else:
            self._end_block()

    def _end_table(self) -> None:
        if self._tables:
            self._end_cell()
            self.blocks.table(self._tables.pop().taken())
            self._prefix = ""


def _is_hidden(tag: str, given: dict[str, str | None]) -> bool:
    closed = tag == "dialog" and "open" not in given
    return closed or "hidden" in given or bool(_HIDDEN.search(given.get("style") or ""))


def _folded(blank: re.Match[str]) -> str:
    return "\n" if "\n" in blank.group() else " "


def _ended(html: str) -> str:
    """Return a page without what has no end: the parser would look for it again and again.

    A comment that isn't closed goes on to the end of the page, as in a browser.
    """
    opened = html.find("<!--", max(html.rfind("-->"), 0))
    html = html[:opened] if opened >= 0 else html
    last = html.rfind(">") + 1
    return html[:last] + html[last:].replace("<", "&lt;")
