"""The straight lines that are drawn on a page of a PDF."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pypdfium2 import PdfPage

_MOST_POINTS = 20_000
"""Of a page's paths; what has more is a drawing, and no table."""

_SHORTEST = 4.0
_STRAIGHT = 1.0
_SAME = 2.0
"""How far, in points, lines that are one may lie apart: a thin box has two sides."""


@dataclass(frozen=True, slots=True)
class RuledLine:
    """A line: `at` is where it lies across its direction, the others where it begins and ends."""

    at: float
    start: float
    end: float

    def covers(self, place: float) -> bool:
        """Say whether it passes a place."""
        return self.start - _SAME <= place <= self.end + _SAME


@dataclass(frozen=True, slots=True)
class Rulings:
    """All lines of a page; y grows downwards."""

    across: list[RuledLine]
    down: list[RuledLine]


def rulings_of(page: PdfPage) -> Rulings:
    """Return the lines of a page; none if it is full of drawings, or turned."""
    from pypdfium2 import raw

    if page.get_rotation():
        return Rulings([], [])
    left, _, _, top = page.get_cropbox() or (0.0, 0.0, *page.get_size())
    across: list[RuledLine] = []
    down: list[RuledLine] = []
    points = 0
    for path in page.get_objects(filter=[raw.FPDF_PAGEOBJ_PATH], max_depth=1):
        points += raw.FPDFPath_CountSegments(path)
        if points > _MOST_POINTS:
            return Rulings([], [])
        for (x0, y0), (x1, y1) in _segments(raw, path):
            if abs(y0 - y1) <= _STRAIGHT and abs(x0 - x1) >= _SHORTEST:
                across.append(
                    RuledLine(top - (y0 + y1) / 2, min(x0, x1) - left, max(x0, x1) - left)
                )
            elif abs(x0 - x1) <= _STRAIGHT and abs(y0 - y1) >= _SHORTEST:
                down.append(RuledLine((x0 + x1) / 2 - left, top - max(y0, y1), top - min(y0, y1)))
    return Rulings(_merged(across), _merged(down))


def _segments(raw: Any, path: Any) -> Iterator[tuple[tuple[float, float], tuple[float, float]]]:
    matrix = path.get_matrix()
    x, y = ctypes.c_float(), ctypes.c_float()
    begun = last = (0.0, 0.0)
    for index in range(raw.FPDFPath_CountSegments(path)):
        segment = raw.FPDFPath_GetPathSegment(path, index)
        raw.FPDFPathSegment_GetPoint(segment, x, y)
        point = matrix.on_point(x.value, y.value)
        kind = raw.FPDFPathSegment_GetType(segment)
        if kind == raw.FPDF_SEGMENT_MOVETO:
            begun = point
        elif kind == raw.FPDF_SEGMENT_LINETO:
            yield last, point
        if raw.FPDFPathSegment_GetClose(segment):
            yield point, begun
        last = point


def _merged(lines: Iterable[RuledLine]) -> list[RuledLine]:
    """Put lines together that lie on one another, or go on where another one ends."""
    merged: list[RuledLine] = []
    for line in sorted(lines, key=lambda each: (round(each.at / _SAME), each.start)):
        last = merged[-1] if merged else None
        if last and abs(last.at - line.at) <= _SAME and line.start <= last.end + _SAME:
            merged[-1] = RuledLine(last.at, last.start, max(last.end, line.end))
        else:
            merged.append(line)
    return merged
