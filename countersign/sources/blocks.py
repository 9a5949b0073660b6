"""Build a document's plain text out of blocks, and remember where each part of it came from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from countersign.sources.locators import Locator
from countersign.sources.reading import Document, TooLong, one_line, printable

MOST_CHARACTERS = 5_000_000
"""Of a document's text. More is refused and not cut: half a document looks like a whole one."""

CELL_SEPARATOR = " | "


class Blocks:
    """Paragraphs, headings and tables in reading order; an empty line is put between them."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._locators: list[Locator] = []
        self._length = 0
        self._next: tuple[str, int | None] | None = None

    def add(self, block: str, *, joined: bool = False) -> None:
        """Add a block as it is shown; one without any text is left out.

        Args:
            block: Its text; line ends are kept.
            joined: It continues the paragraph before it.

        Raises:
            TooLong: The text has more than MOST_CHARACTERS characters.
        """
        text = encodable(printable(block)).strip("\n")
        if not text.strip():
            return
        self._append(("\n" if joined else "\n\n") if self._parts else "", text)

    def heading(self, text: str) -> None:
        """Add a heading; what follows is located by it."""
        title = one_line(encodable(text))
        if title:
            self.locate(f"section \u201c{title}\u201d")
            self.add(title)

    def table(self, rows: Iterable[Sequence[str]]) -> None:
        """Add a table: a line for each row, its cells kept apart; empty rows are left out."""
        self.add("\n".join(line for line in map(row, rows) if line))

    def locate(self, label: str, first_row: int | None = None) -> None:
        """Say where the blocks from here on came from, as a person looks for it: "p. 3".

        Args:
            label: Of the place.
            first_row: If each line from here on is a row of a sheet, the number of the first.
        """
        self._next = (label, first_row)

    def document(self, title: str, warnings: Iterable[str] = ()) -> Document:
        """Return what was built; warnings say what of the file isn't in it."""
        return Document(
            title=one_line(title),
            text="".join(self._parts),
            locators=tuple(self._locators),
            warnings=tuple(warnings),
        )

    def _append(self, gap: str, text: str) -> None:
        if self._next:
            label, first_row = self._next
            start = self._length + len(gap)
            self._locators.append(Locator(start=start, label=label, first_row=first_row))
            self._next = None
        self._parts += [gap, text]
        self._length += len(gap) + len(text)
        if self._length > MOST_CHARACTERS:
            raise TooLong(f"its text is longer than {MOST_CHARACTERS:,} characters")


def row(cells: Sequence[str]) -> str:
    """Return a table's row as one line; nothing if all its cells are empty.

    Figures of two cells never stand side by side, and an empty cell shows.
    """
    shown = [" ".join(cell.split()) for cell in cells]
    return " ".join(CELL_SEPARATOR.join(shown).split()) if any(shown) else ""


def encodable(text: str) -> str:
    """Return the text without halves of surrogate pairs, which no JSON text can carry on."""
    return text.encode("utf-8", "ignore").decode("utf-8")
