"""A text in which quotes are looked up: what can't change its meaning doesn't count.

Every step takes time in proportion to the text, whatever stands in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from typing import Final

from countersign.team.letters import is_unspaced
from countersign.team.marks import as_markdown, as_text
from countersign.team.view import EditedView, QuotePlace

FEWEST_LETTERS: Final = 6
"""Letters and digits that a quote has at least, in two words; a single word proves nothing."""

FEWEST_UNSPACED: Final = 4
"""Letters that are enough in a script that puts no blanks between words."""

_WORD = re.compile(r"\w+")


class FoldedText:
    """A text, folded once for all the quotes that are looked up in it.

    What doesn't count: how quotation marks and dashes look, blanks and the ends of lines, hyphens
    that may be there only for a line's end, marks of Markdown, entities, characters that nobody
    sees, case of the quote's first letter, and quotation marks, ellipses and a full stop at its
    ends. Everything else does, and so do signs, dashes between digits and all parts of a number.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self._read = as_text(text)
        self._plain = EditedView([self._read])

    def has(self, quote: str) -> bool:
        """Say whether these very words stand here, in this order, as whole words and numbers."""
        return self.place(quote) is not None

    def place(self, quote: str) -> QuotePlace | None:
        """Return where a quote stands; None if it doesn't, or says too little to prove anything."""
        asked = as_text(quote)
        if not _says_something(asked.text):
            return None
        if place := self._plain.place(EditedView([asked])):
            return place
        read = EditedView([asked, as_markdown(asked.text)])
        places = (view.place(read) for view in self._markdown())
        return next((place for place in places if place), None)

    def _markdown(self) -> Iterator[EditedView]:
        """Yield the text as Markdown, with and without the numbers of notes if that differs."""
        yield self._with_notes or self._plain
        if self._without_notes:
            yield self._without_notes

    @cached_property
    def _with_notes(self) -> EditedView | None:
        edited = as_markdown(self._read.text)
        return EditedView([self._read, edited]) if edited.text != self._read.text else None

    @cached_property
    def _without_notes(self) -> EditedView | None:
        edited = as_markdown(self._read.text, notes=False)
        last = (self._with_notes or self._plain).shown
        return EditedView([self._read, edited]) if edited.text != last else None


def _says_something(quote: str) -> bool:
    words = _WORD.findall(quote)
    unspaced = sum(map(is_unspaced, "".join(words)))
    letters = sum(map(len, words))
    return unspaced >= FEWEST_UNSPACED or (len(words) > 1 and letters >= FEWEST_LETTERS)
