"""Cut a text into passages: whole paragraphs, about as long as a searcher wants to read."""

from __future__ import annotations

import re
from collections.abc import Iterator

USUAL_LENGTH = 900
LONGEST = 2_000

_PARAGRAPH = re.compile(r"\S.*?(?=\n[ \t]*\n|\Z)", re.DOTALL)
_BREAK = re.compile(r"(?<=[.!?])\s+|\n")


def passages(text: str) -> Iterator[tuple[int, int]]:
    """Yield start and end of each passage, in order, without overlap, at most LONGEST characters.

    A heading stays with what follows it, since a passage grows until its length is usual.
    """
    start = end = None
    for piece_start, piece_end in _pieces(text):
        if start is not None and end is not None and piece_end - start > LONGEST:
            yield start, end
            start = None
        start, end = piece_start if start is None else start, piece_end
        if end - start >= USUAL_LENGTH:
            yield start, end
            start = None
    if start is not None and end is not None:
        yield start, end


def _pieces(text: str) -> Iterator[tuple[int, int]]:
    for paragraph in _PARAGRAPH.finditer(text):
        start, end = paragraph.span()
        while end - start > LONGEST:
            cut = _last_break(text, start, start + LONGEST)
            yield start, cut
            start = cut
        yield start, end


def _last_break(text: str, start: int, end: int) -> int:
    breaks = [match.end() for match in _BREAK.finditer(text, start + 1, end)]
    return breaks[-1] if breaks else end
