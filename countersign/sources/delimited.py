"""Read a table of values with commas, semicolons or tabs between them (`.csv`, `.tsv`)."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator
from io import StringIO
from itertools import islice

from countersign.sources.blocks import MOST_CHARACTERS, Blocks
from countersign.sources.reading import Document, Unreadable, decoded, printable
from countersign.sources.sheets import add_sheet

_DELIMITERS = (",", ";", "\t", "|")
_LOOKED_AT = 50
"""Rows that tell the delimiter."""


def read_csv(data: bytes, name: str) -> Document:
    """Read a table; it is called `name`.

    Raises:
        Unreadable: It is no text in UTF-8 or UTF-16.
        TooLong: The text has more than `blocks.MOST_CHARACTERS` characters.
    """
    text = printable(decoded(data))
    first, _, rest = text.partition("\n")
    said = first.strip().removeprefix("sep=") if first.startswith("sep=") else ""  # Excel's way
    text, delimiter = (rest, said) if said in _DELIMITERS else (text, _delimiter(text))
    blocks = Blocks()
    csv.field_size_limit(MOST_CHARACTERS)
    try:
        add_sheet(blocks, "", _rows(text, delimiter))
    except csv.Error as error:
        raise Unreadable(f"its rows can't be separated: {error}") from error
    return blocks.document(name)


def _rows(text: str, delimiter: str) -> Iterator[list[str]]:
    return csv.reader(StringIO(text, newline=""), delimiter=delimiter)


def _delimiter(text: str) -> str:
    """Return the delimiter that gives most rows the same number of cells."""

    def fit(delimiter: str) -> tuple[int, int]:
        try:
            widths = Counter(len(row) for row in islice(_rows(text, delimiter), _LOOKED_AT))
        except csv.Error:
            return 0, 0
        width, times = max(widths.items(), key=lambda found: found[1], default=(0, 0))
        return (times, width) if width > 1 else (0, 0)

    return max(_DELIMITERS, key=fit)
