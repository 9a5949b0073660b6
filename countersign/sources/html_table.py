"""A table of an HTML page while its tags are read."""

from __future__ import annotations

from collections.abc import Mapping

MOST_COLUMNS = 1_000
_WIDEST = 100


class HtmlTable:
    """Rows of cells; one that spans several columns or rows is followed by empty ones.

    Attributes:
        lays_out: It holds other tables, so that its cells are parts of the page and no data.
    """

    def __init__(self) -> None:
        self.lays_out = False
        self._rows: list[list[str]] = []
        self._spanned: dict[int, int] = {}
        self._cell: tuple[int, int] | None = None

    @property
    def in_cell(self) -> bool:
        """Whether text that comes now belongs to a cell."""
        return self._cell is not None and not self.lays_out

    def takes(self, tag: str) -> bool:
        """Say whether a tag is one of those that a table is made of."""
        return tag in {"tr", "td", "th", "tbody", "thead", "tfoot"}

    def begin(self, tag: str, given: Mapping[str, str | None]) -> None:
        """Open a row or a cell."""
        if tag in {"td", "th"}:
            if not self._rows:
                self._rows.append([])
            self._cell = (_number(given.get("colspan")), _number(given.get("rowspan")))
        else:
            self.end(tag)
            if tag == "tr":
                self._rows.append([])

    def put(self, text: str) -> None:
        """Fill the open cell, and close it."""
        columns, rows = self._cell or (1, 1)
        self._cell = None
        self._skip_spanned()
        row = self._rows[-1]
        for number in range(min(columns, MOST_COLUMNS - len(row))):
            if rows > 1:
                self._spanned[len(row)] = rows - 1
            row.append("" if number else text)

    def end(self, tag: str) -> None:
        """Close a row or a cell."""
        self._cell = None
        if tag != "td" and tag != "th" and self._rows:
            self._skip_spanned()

    def taken(self) -> list[list[str]]:
        """Return the rows that there are, and forget them."""
        rows, self._rows = self._rows, []
        return rows

    def _skip_spanned(self) -> None:
        row = self._rows[-1]
        while (left := self._spanned.get(len(row), 0)) > 0:
            self._spanned[len(row)] = left - 1
            row.append("")


def _number(value: str | None) -> int:
    return min(int(value), _WIDEST) if value and value.isascii() and value.isdigit() else 1
