"""Words of a PDF's page put together to lines, as far as they stand without a wide gap."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from countersign.sources.pdf_words import Word

_APART = 0.75
"""A gap in a line, in heights, that may part columns or cells."""

_AFTER_BULLET = 3.0

_BULLET = re.compile(r"[\u2022\u25e6\u25aa\u25cf\u00b7\u2023\u2013\u2014*-]|\(?\w{1,3}[.)]")

_SAME_LINE = 0.4
"""How far, in heights, base lines of one line may differ."""


class _Standing(Protocol):
    base: float
    height: float


_Thing = TypeVar("_Thing", bound=_Standing)


@dataclass(slots=True)
class TextPiece:
    """Words of one line without a wide gap; or a whole table, with its rows."""

    text: str
    left: float
    right: float
    top: float
    base: float
    height: float
    rows: list[list[str]] = field(default_factory=list)

    @property
    def width(self) -> float:
        """How far it reaches."""
        return self.right - self.left


def lines(things: Iterable[_Thing]) -> Iterator[list[_Thing]]:
    """Yield what stands on one base line, from the top of the page on."""
    line: list[_Thing] = []
    for thing in sorted(things, key=lambda each: each.base):
        if line:
            height = min(thing.height, max(each.height for each in line))
            if thing.base - line[0].base > _SAME_LINE * height:
                yield line
                line = []
        line.append(thing)
    if line:
        yield line


def pieces_of(words: Iterable[Word]) -> list[TextPiece]:
    """Return words as pieces of lines."""
    return [piece for line in lines(words) for piece in _pieces(line)]


def _pieces(line: Sequence[Word]) -> Iterator[TextPiece]:
    group: list[Word] = []
    for word in sorted(line, key=lambda each: each.left):
        if group and word.left - group[-1].right > _widest(group) * word.height:
            yield _piece(group)
            group = []
        group.append(word)
    yield _piece(group)


def _widest(group: Sequence[Word]) -> float:
    return _AFTER_BULLET if len(group) == 1 and _BULLET.fullmatch(group[0].text) else _APART


def _piece(words: Sequence[Word]) -> TextPiece:
    height = max(word.height for word in words)
    return TextPiece(
        text=" ".join(word.text for word in words),
        left=words[0].left,
        right=max(word.right for word in words),
        top=min(word.top for word in words),
        base=next(word.base for word in words if word.height == height),
        height=height,
    )
