"""Where in a document a part of its text stands, as a person looks for it: a page, a row."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Locator:
    """What the text from `start` on, up to the next locator, is called.

    Attributes:
        start: The first character, from 0.
        label: Such as "p. 3", "slide 2" or "sheet Costs".
        first_row: If each line is a row of a sheet, the number of the first.
    """

    start: int
    label: str
    first_row: int | None = None

    def at(self, text: str, place: int) -> str:
        """Return what a place of the text is called."""
        if self.first_row is None:
            return self.label
        row = self.first_row + text.count("\n", self.start, place)
        return f"{self.label}, row {row}" if self.label else f"row {row}"


def located(locators: Sequence[Locator], text: str, start: int, end: int) -> str:
    """Return where a stretch of a text stands: "p. 3", "p. 3 to p. 4"; nothing if unknown."""
    first, last = _at(locators, text, start), _at(locators, text, max(start, end - 1))
    if first == last or not last:
        return first
    return f"{first} to {last}" if first else last


def _at(locators: Sequence[Locator], text: str, place: int) -> str:
    index = bisect_right([each.start for each in locators], place) - 1
    return locators[index].at(text, place) if index >= 0 else ""


def stored(locators: Sequence[Locator]) -> str:
    """Return locators as JSON text."""
    return json.dumps([[each.start, each.label, each.first_row] for each in locators])


def read_locators(text: str) -> tuple[Locator, ...]:
    """Return what `stored` made JSON text of."""
    return tuple(
        Locator(start=start, label=label, first_row=first_row)
        for start, label, first_row in json.loads(text)
    )
