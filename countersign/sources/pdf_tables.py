"""The tables of a page whose cells have lines around them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import product

from countersign.sources.pdf_pieces import TextPiece, lines
from countersign.sources.pdf_rulings import RuledLine, Rulings
from countersign.sources.pdf_words import Word

_MOST_LINES = 300
"""In one direction of a page."""

_NEAR = 3.0
"""Points: lines that are nearer than that are one edge of a table."""

_MOST_LINES_IN_ONE_ROW = 8
"""Of text in a table of one row: with more it is columns of text with a line between them."""


def taken_tables(words: Sequence[Word], rulings: Rulings) -> tuple[list[TextPiece], list[Word]]:
    """Return the tables of a page, and the words that are in none."""
    left = list(words)
    tables: list[TextPiece] = []
    for grid in _grids(rulings):
        inside = [word for word in left if grid.has(word)]
        rows = grid.rows(inside)
        if len({number for row in rows for number, cell in enumerate(row) if cell}) < 2:
            continue
        tall = len(list(lines(inside))) > _MOST_LINES_IN_ONE_ROW
        if len(rows) == 1 and tall:
            continue
        tables.append(grid.piece(rows, inside[0].height))
        ids = {id(word) for word in inside}
        left = [word for word in left if id(word) not in ids]
    return tables, left


def _grids(rulings: Rulings) -> Iterator[_Grid]:
    if max(len(rulings.across), len(rulings.down)) > _MOST_LINES:
        return
    for across, down in _connected(rulings.across, rulings.down):
        grid = _Grid(across, down)
        if len(grid.columns) > 2 and len(grid.bands) > 1:
            yield grid


def _connected(
    across: Sequence[RuledLine], down: Sequence[RuledLine]
) -> Iterator[tuple[list[RuledLine], list[RuledLine]]]:
    """Yield the lines that meet, directly or over others."""
    meets: dict[RuledLine, list[RuledLine]] = {}
    for one, other in product(across, down):
        if one.covers(other.at) and other.covers(one.at):
            meets.setdefault(one, []).append(other)
            meets.setdefault(other, []).append(one)
    known: set[RuledLine] = set()
    for start in meets:
        if start in known:
            continue
        known.add(start)
        group = [start]
        for line in group:
            fresh = [each for each in meets[line] if each not in known]
            known.update(fresh)
            group += fresh
        members = set(group)
        yield [each for each in across if each in members], [e for e in down if e in members]


class _Grid:
    """Columns and bands of a table, and which cells are one because no line parts them."""

    def __init__(self, across: Sequence[RuledLine], down: Sequence[RuledLine]) -> None:
        self._across, self._down = across, down
        self.columns = _edges([line.at for line in down], across)
        self.bands = _edges([line.at for line in across], down)

    def has(self, word: Word) -> bool:
        """Say whether a word stands in it."""
        x, y = _middle(word)
        return self.columns[0] < x < self.columns[-1] and self.bands[0] < y < self.bands[-1]

    def rows(self, words: Sequence[Word]) -> list[list[str]]:
        """Return the text of each cell; one over several cells stands in the first of them."""
        cells: dict[tuple[int, int], list[Word]] = {}
        for word in words:
            x, y = _middle(word)
            place = bisect_right(self.bands, y) - 1, bisect_right(self.columns, x) - 1
            cells.setdefault(self._first(*place), []).append(word)
        return [
            [_text(cells.get((band, column), ())) for column in range(len(self.columns) - 1)]
            for band in range(len(self.bands) - 1)
        ]

    def piece(self, rows: list[list[str]], height: float) -> TextPiece:
        """Return the table as a piece of its page."""
        left, right = self.columns[0], self.columns[-1]
        return TextPiece("", left, right, self.bands[0], self.bands[-1], height, rows)

    def _first(self, band: int, column: int) -> tuple[int, int]:
        """Return the first of the cells that are one with this."""
        while column and not self._parts(self._down, self.columns[column], self.bands, band):
            column -= 1
        while band and not self._parts(self._across, self.bands[band], self.columns, column):
            band -= 1
        return band, column

    def _parts(
        self, rulings: Sequence[RuledLine], edge: float, others: Sequence[float], number: int
    ) -> bool:
        middle = (others[number] + others[number + 1]) / 2
        return any(abs(line.at - edge) <= _NEAR and line.covers(middle) for line in rulings)


def _edges(places: Sequence[float], others: Sequence[RuledLine]) -> list[float]:
    """Return the edges of rows or columns; the outer ones may have no line of their own."""
    ends = [end for line in others for end in (line.start, line.end)]
    edges: list[float] = []
    for place in sorted([*places, min(ends), max(ends)]):
        if not edges or place - edges[-1] > _NEAR:
            edges.append(place)
    return edges


def _middle(word: Word) -> tuple[float, float]:
    return (word.left + word.right) / 2, word.base - word.height / 4


def _text(words: Sequence[Word]) -> str:
    in_order = (sorted(line, key=lambda word: word.left) for line in lines(words))
    return " ".join(word.text for line in in_order for word in line)
