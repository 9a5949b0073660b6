"""The Markdown of reports: CommonMark with what GitHub's Markdown adds to it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from countersign.review.chapters import parts
from countersign.review.definitions import all_footnotes, unused_definitions

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_block import StateBlock
    from markdown_it.rules_core import StateCore
    from markdown_it.token import Token

MOST_REFERENCED = 4_000_000
"""Characters of addresses and titles that a text's links get from definitions. One long definition
and many short links to it would else become gigabytes."""

WEB_ADDRESS = re.compile(r"https?://[^/?#\\@]+(?:[/?#]|\Z)", re.IGNORECASE)
"""With a host, and no user name that could look like one."""

_LIKE_AN_ADDRESS = re.compile(r"://|[\w-]\.[^\W\d_]{2}|(?<![\d.])\d{1,3}(\.\d{1,3}){3}(?![\d.])")
"""A name with a dot before at least two letters, or four numbers with dots between them: a host,
though some of these are none."""

_TABLES = "tokens left for tables"

_TASK = re.compile(r"\[([ xX])\][ \t]+")
_BOXES = {" ": "\u2610 ", "x": "\u2611 "}
_ALIGNED = re.compile(r"text-align:(left|center|right)")


@cache
def dialect() -> MarkdownIt:
    """Return what reads the Markdown of reports and writes it as HTML.

    It knows tables with their alignment, strikethrough, task lists and footnotes. Raw HTML is text.
    Cells beyond a table's last column are shown in that column, and the definition of a link or a
    footnote that nothing refers to is shown where it is written: all of that is published, so a
    reviewer has to see it. An image is written as a link that says "Image: ". A link whose words
    are another address is followed by its own.
    """
    from markdown_it import MarkdownIt
    from mdit_py_plugins.footnote import footnote_plugin

    # With what is needed to tell which definitions the links use.
    options = {"html": False, "inline_definitions": True, "store_labels": True}
    reader = MarkdownIt("commonmark", options).enable(["table", "strikethrough"])
    footnote_plugin(reader, inline=False)
    reader.block.ruler.at("table", _bounded_table, {"alt": ["paragraph", "reference"]})
    reader.core.ruler.at("block", _by_chapters)
    reader.core.ruler.after("block", _bounded_references.__name__, _bounded_references)
    reader.core.ruler.after("inline", unused_definitions.__name__, unused_definitions)
    reader.core.ruler.before("footnote_tail", all_footnotes.__name__, all_footnotes)
    for rule in (_images, _tasks, _alignment, _addresses):
        reader.core.ruler.push(rule.__name__, rule)
    for name, written in _FOOTNOTES.items():
        reader.add_render_rule(name, written)
    return reader


def like_an_address(words: str) -> bool:
    """Whether a reader could take words for the address of a web page."""
    return bool(_LIKE_AN_ADDRESS.search(_plain(words)))


def _by_chapters(state: StateCore) -> None:
    """Read the blocks of a long text chapter by chapter, so that none is slower for the others."""
    state.env[_TABLES] = 3 * len(state.src) + 200_000
    for part, why in parts(state.src, state.md.inline.terminator_re):
        if why:
            state.tokens.extend(_as_written(state, part, why))
        else:
            state.md.block.parse(part, state.md, state.env, state.tokens)


def _bounded_table(state: StateBlock, first: int, end: int, silent: bool) -> bool:
    """Read a table, unless those before it had far more cells than were written."""
    from markdown_it.rules_block.table import table

    before = len(state.tokens)
    found = state.env[_TABLES] > 0 and table(state, first, end, silent)
    state.env[_TABLES] -= len(state.tokens) - before
    _keep_extra_cells(state, state.tokens[before:])
    return found


def _keep_extra_cells(state: StateBlock, table: Sequence[Token]) -> None:
    """Put the cells of a row beyond the table's last column, which are left out, into that one."""
    from markdown_it.common.utils import mdTrim
    from markdown_it.rules_block.table import escapedSplit, getLine

    columns = sum(token.type == "th_open" for token in table)
    for last_cell, _, row_end in zip(table, table[1:], table[2:], strict=False):
        if row_end.type == "tr_close" and last_cell.map:
            written = escapedSplit(mdTrim(getLine(state, last_cell.map[0])))
            extra = written[columns + (written[0] == "") :]
            last_cell.content = " | ".join([last_cell.content, *filter(None, map(mdTrim, extra))])


def _as_written(state: StateCore, chapter: str, why: str) -> Iterator[Token]:
    from markdown_it.token import Token

    said: list[Token] = []
    state.md.block.parse(why, state.md, state.env, said)
    yield from said
    yield Token("code_block", "code", 0, content=chapter)


class _Definitions(dict[str, Any]):
    """Definitions of links, which end with what they have given: the rest stays as written."""

    left = MOST_REFERENCED

    def get(self, label: str, default: Any = None) -> Any:
        found = super().get(label, default)
        if found:
            self.left -= len(found["href"]) + len(found["title"])
        return found if self.left >= 0 else default


def _bounded_references(state: StateCore) -> None:
    state.env["references"] = _Definitions(state.env.get("references", {}))


def _images(state: StateCore) -> None:
    for block in state.tokens:
        if block.children:
            block.children = [*_with_links_for_images(block.children)]


def _with_links_for_images(tokens: Sequence[Token]) -> Iterator[Token]:
    within = 0
    for token in tokens:
        within += {"link_open": 1, "link_close": -1}.get(token.type, 0)
        if token.type != "image":
            yield token
            continue
        make = type(token)
        # A link within a link is none: there an image has its words alone.
        address = {} if within else {"href": token.attrs.get("src", "")}
        yield make("text", "", 0, content="Image: ")
        if address:
            yield make("link_open", "a", 1, attrs=address)
        yield make("text", "", 0, content=token.content or "without a description")
        if address:
            yield make("link_close", "a", -1)


def _tasks(state: StateCore) -> None:
    """Put a box before an entry of a list that begins with one."""
    for item, _, inline in zip(state.tokens, state.tokens[1:], state.tokens[2:], strict=False):
        if item.type != "list_item_open" or inline.type != "inline" or not inline.children:
            continue
        first = inline.children[0]
        if found := _TASK.match(first.content) if first.type == "text" else None:
            first.content = _BOXES[found[1].lower()] + first.content[found.end() :]


def _alignment(state: StateCore) -> None:
    for token in state.tokens:
        if found := _ALIGNED.match(str(token.attrs.pop("style", ""))):
            token.attrs["align"] = found[1]


def _addresses(state: StateCore) -> None:
    """Put the address of a link after it where a reader could not tell it: see `_tells`."""
    for block in state.tokens:
        if block.children:
            block.children = [*_with_addresses(block.children)]


def _with_addresses(tokens: Sequence[Token]) -> Iterator[Token]:
    address, words = "", ""
    for token in tokens:
        yield token
        if token.type == "link_open":
            address, words = str(token.attrs.get("href", "")), ""
        elif token.type == "link_close" and not _tells(words, address):
            yield type(token)("text", "", 0, content=f" ({address})")
        else:
            words += token.content


def _tells(words: str, address: str) -> bool:
    """Whether a link says where it leads: to a web page, by words that are no other address.

    What is no address of a web page is no link on the page, and yet it is published.
    """
    said = _plain(words)
    if said in {address, address.removeprefix("mailto:"), address.partition("//")[2].rstrip("/")}:
        return True
    return bool(WEB_ADDRESS.match(address)) and not _LIKE_AN_ADDRESS.search(said)


def _plain(words: str) -> str:
    """Return words as they are read: without what can't be seen, with full stops for their kin."""
    composed = unicodedata.normalize("NFKC", words).replace("\u3002", ".")
    return "".join(each for each in composed if unicodedata.category(each)[0] not in "CZ")


def _footnote_sign(self: Any, tokens: Sequence[Token], place: int, *_: Any) -> str:
    return f"<sup>{tokens[place].meta['id'] + 1}</sup>"


def _nothing(self: Any, *_: Any) -> str:
    return ""


_FOOTNOTES = {
    "footnote_ref": _footnote_sign,
    "footnote_block_open": lambda self, *_: "<hr>\n<ol>\n",
    "footnote_block_close": lambda self, *_: "</ol>\n",
    "footnote_open": lambda self, *_: "<li>",
    "footnote_close": lambda self, *_: "</li>\n",
    "footnote_anchor": _nothing,
}
"""Written without anchors: their names could meet those of the page that shows the report."""
