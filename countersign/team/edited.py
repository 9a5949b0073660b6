"""A text with some of its parts replaced, which knows where each of its characters comes from."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from typing import TypeAlias

Edit: TypeAlias = "tuple[int, int, str]"
"""Start and end of a part, and what stands there instead."""


class Edited:
    """A text after edits.

    Args:
        text: the text before.
        edits: in the order of the text; one that overlaps an earlier one is left out.

    Attributes:
        text: the text after.
    """

    def __init__(self, text: str, edits: Iterable[Edit]) -> None:
        self._starts: list[int] = []
        self._origins: list[tuple[int, int, bool]] = []
        self._length = 0
        parts: list[str] = []
        done = 0
        for start, end, instead in edits:
            if start < done:
                continue
            parts += [self._kept(text, done, start), self._replaced(start, end, instead)]
            done = end
        parts.append(self._kept(text, done, len(text)))
        self.text = "".join(parts)

    def origin(self, start: int, end: int) -> tuple[int, int]:
        """Return where a part of the text after, which isn't empty, stood in the text before."""
        return self._place(start)[0], self._place(end - 1)[1]

    def _kept(self, text: str, start: int, end: int) -> str:
        self._note(end - start, (start, end, True))
        return text[start:end]

    def _replaced(self, start: int, end: int, instead: str) -> str:
        self._note(len(instead), (start, end, False))
        return instead

    def _note(self, length: int, origin: tuple[int, int, bool]) -> None:
        if length:
            self._starts.append(self._length)
            self._origins.append(origin)
            self._length += length

    def _place(self, index: int) -> tuple[int, int]:
        part = bisect_right(self._starts, index) - 1
        start, end, kept = self._origins[part]
        if not kept:
            return start, end
        place = start + index - self._starts[part]
        return place, place + 1
