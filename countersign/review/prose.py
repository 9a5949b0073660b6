"""What a report's Markdown says, block by block, as a reader sees it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

from countersign.review.dialect import dialect

if TYPE_CHECKING:
    from markdown_it.token import Token

_LINE_ENDS = ("softbreak", "hardbreak")


class Prose(NamedTuple):
    """The words of one block: a heading, a paragraph, a row of a table, or a quotation."""

    kind: Literal["heading", "text", "row", "quotation"]
    text: str


def prose(markdown: str) -> list[Prose]:
    """Return the blocks of a text that say something, in order; code is none of them."""
    return list(_blocks(dialect().parse(markdown)))


def _blocks(tokens: Sequence[Token]) -> Iterator[Prose]:
    quotations, before, cells = 0, "", list[str]()
    for token in tokens:
        quotations += {"blockquote_open": 1, "blockquote_close": -1}.get(token.type, 0)
        if token.type == "tr_close":
            yield Prose("row", " | ".join(cells))
            cells = []
        elif token.type == "inline" and before in ("th_open", "td_open"):
            cells.append(_words(token))
        elif token.type == "inline" and (words := _words(token)):
            kind = "heading" if before == "heading_open" else "text"
            yield Prose("quotation" if quotations else kind, words)
        before = token.type


def _words(block: Token) -> str:
    parts = ("\n" if token.type in _LINE_ENDS else token.content for token in block.children or ())
    return " ".join("".join(parts).split())
