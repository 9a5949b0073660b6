"""Titles that a document has of its own."""

from __future__ import annotations

import re

from countersign.sources.reading import one_line

_LINE_WIDTH = 72
_LINES_BEFORE_TITLE = 40

# What programs fill in themselves names no document.
_NO_TITLE = re.compile(
    r"(microsoft )?(word|excel|powerpoint)( -.*| document| presentation)?|presentation|"
    r"pr\u00e4sentation|powerpoint-pr\u00e4sentation|untitled.*|unbenannt.*|ohne titel.*|"
    r"(document|dokument|book|mappe|presentation)\s?\d*",
    re.IGNORECASE,
)


def own_title(title: str) -> str:
    """Return a title; nothing if it is one that a program gives to every new document."""
    return "" if _NO_TITLE.fullmatch(title.strip()) else title


def title_of(text: str) -> str:
    """Return the title of a plain text, centred as in RFCs; nothing if it has none."""
    first_lines = text.splitlines()[:_LINES_BEFORE_TITLE]
    return one_line(next(filter(_is_centred, first_lines), ""))


def _is_centred(line: str) -> bool:
    # RFCs and many older texts have their title so, below a head of two columns.
    title = line.strip()
    indent = len(line) - len(line.lstrip())
    margin = (_LINE_WIDTH - len(title)) / 2
    return len(title) > 3 and "  " not in title and indent > 3 and abs(indent - margin) <= 4
