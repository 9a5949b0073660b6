"""Running heads, feet and page numbers: what stands at the edge of page after page."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import TypeAlias

from countersign.sources.pdf_pieces import lines
from countersign.sources.pdf_words import PageWords, Word

_EDGE = 0.12
"""Of a page's height: heads and feet stand above and below."""

_CLEAR = 0.1
"""Between a head and the text, besides a line; a table's own head stands closer."""

_FEWEST_PAGES = 3
_FEW_PAGES = 8
"""Of a document that has no more, two with the same line are enough: left and right ones differ."""

_GRID = 6.0
"""How far, in points, the same line may stand elsewhere on another page."""

_NUMBER = re.compile(r"[0-9]{1,4}")
_DIGITS = re.compile(r"\d+|\b[ivxlc]+\b")

_Edge: TypeAlias = "Sequence[list[Word]]"


def without_margins(pages: Sequence[PageWords]) -> list[list[Word]]:
    """Return the words of each page without those that only say where in the document it is."""
    shown: list[list[Word]] = [page.words for page in pages]
    for top in (True, False):
        edges = [_edge(page, top=top) for page in pages]
        repeated = _repeated(edges)
        for number, (page, edge) in enumerate(zip(pages, edges, strict=True)):
            left_out = {id(word) for line in _margin(page, number, edge, repeated) for word in line}
            shown[number] = [word for word in shown[number] if id(word) not in left_out]
    return shown


def _edge(page: PageWords, *, top: bool) -> _Edge:
    """Return the lines at an edge, the outermost first."""
    if top:
        words = [word for word in page.words if word.base < _EDGE * page.height]
    else:
        words = [word for word in page.words if word.base > (1 - _EDGE) * page.height]
    found = list(lines(words))
    return found if top else found[::-1]


def _repeated(edges: Sequence[_Edge]) -> set[str]:
    """Return the marks that lines at this edge of several pages share."""
    fewest = _FEWEST_PAGES if len(edges) > _FEW_PAGES else 2
    counted = Counter(
        mark
        for number, edge in enumerate(edges)
        for mark in {mark for line in edge for mark in _marks(line, number)}
    )
    return {mark for mark, times in counted.items() if times >= fewest}


def _margin(page: PageWords, number: int, edge: _Edge, repeated: set[str]) -> _Edge:
    """Return the outermost lines that are repeated, if they stand clear of the others."""
    count = 0
    while count < len(edge) and not repeated.isdisjoint(_marks(edge[count], number)):
        count += 1
    if not count:
        return []
    inner = edge[count - 1]
    taken = {id(word) for line in edge[:count] for word in line}
    height = max(word.height for word in inner)
    clear = all(
        abs(word.base - inner[0].base) >= word.height + _CLEAR * height
        for word in page.words
        if id(word) not in taken
    )
    return edge[:count] if clear else []


def _marks(line: Sequence[Word], number: int) -> list[str]:
    """Return the marks of a running head on page `number`: place, words and page number."""
    words = [word.text for word in sorted(line, key=lambda word: word.left)]
    text = _DIGITS.sub("#", " ".join(words).casefold())
    counts = [int(word) - number for word in (words[0], words[-1]) if _NUMBER.fullmatch(word)]
    return [f"{round(line[0].base / _GRID)} {text}", *(f"page {count}" for count in counts)]
