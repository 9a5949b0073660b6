"""The columns of a page, one after the other.

A page is cut along the gap between its columns, and the parts again, as in recursive X-Y cuts
(Nagy and Seth, 1984). What reaches across a gap comes between the columns above and below it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import accumulate, groupby
from statistics import median

from countersign.sources.pdf_pieces import TextPiece, lines

_FEWEST_LINES = 3
_MOST_CUTS = 4
_MOST_GAPS = 6
_COLUMNS_APART, _ROWS_APART = 0.4, 0.2
_SAME_LINE = 0.15
"""In heights: how far base lines of one row may differ."""

_NARROWEST_GAP = 0.5
"""In heights of a line."""

_PROSE_LETTERS = 14
_PROSE_FILL = 0.65
"""Of a column's width: how far its lines reach. The cells of a table are shorter."""

_CODE_FILL = 0.35
"""The same for program text or a list, beside prose."""


def columns(pieces: Sequence[TextPiece], cuts: int = 0) -> Iterator[list[TextPiece]]:
    """Yield runs of pieces in reading order; each run is one column, or a part of one.

    Args:
        pieces: Of one page.
        cuts: How often the page was cut before.
    """
    gap = _gap(pieces) if cuts < _MOST_CUTS else None
    if gap is None:
        if pieces:
            yield list(pieces)
        return
    in_order = sorted(pieces, key=lambda piece: (piece.top, piece.left))
    for crosses, band in groupby(in_order, lambda piece: piece.left < gap < piece.right):
        if crosses:
            yield list(band)
            continue
        beside = list(band)
        for side in (
            [piece for piece in beside if piece.right <= gap],
            [piece for piece in beside if piece.right > gap],
        ):
            yield from columns(side, cuts + 1)


def looks_columnar(pieces: Sequence[TextPiece]) -> bool:
    """Say whether a run that was left as it is may have been columns: then it is read across."""
    gap = next(_gaps(pieces), None)
    return gap is not None and _apart(*_sides(pieces, gap)) > _ROWS_APART


def _apart(left: Sequence[TextPiece], right: Sequence[TextPiece]) -> float:
    """Return the share of lines that have none beside them, on the side that has fewer.

    Rows of a table stand on one line.
    """
    fewer, more = sorted(([line[0] for line in lines(side)] for side in (left, right)), key=len)
    bases = sorted(piece.base for piece in more)

    def has_neighbour(piece: TextPiece) -> bool:
        index = bisect_left(bases, piece.base - _SAME_LINE * piece.height)
        return index < len(bases) and bases[index] <= piece.base + _SAME_LINE * piece.height

    alone = [piece for piece in fewer if not has_neighbour(piece)]
    return len(alone) / len(fewer)


def _gap(pieces: Sequence[TextPiece]) -> float | None:
    """Return the middle of the gap between two columns; None if there is none."""
    return next((gap for gap in _gaps(pieces) if _are_columns(*_sides(pieces, gap))), None)


def _gaps(pieces: Sequence[TextPiece]) -> Iterator[float]:
    """Yield the middle of each gap with lines on both sides; that with most of them first."""
    if len(pieces) < 2 * _FEWEST_LINES:
        return
    start, end = min(p.left for p in pieces), max(p.right for p in pieces)
    width = int(end - start) + 2
    ended, begun = [0] * (width + 1), [0] * (width + 1)
    for piece in pieces:
        ended[int(piece.right - start) + 1] += 1
        begun[int(piece.left - start)] += 1
    before, started = list(accumulate(ended)), list(accumulate(begun))
    total = len(pieces)

    def worth(place: int) -> int:
        left, right = before[place], total - started[place - 1]
        return min(left, right) - 2 * (total - left - right)

    places = range(width // 8, width - width // 8)
    runs = [(value, list(run)) for value, run in groupby(places, worth) if value > 0]
    for _, run in sorted(runs, key=lambda found: -found[0])[:_MOST_GAPS]:
        gap = start + (run[0] + run[-1]) / 2
        if _is_gap(*_sides(pieces, gap)):
            yield gap


def _sides(pieces: Sequence[TextPiece], gap: float) -> tuple[list[TextPiece], list[TextPiece]]:
    return (
        [piece for piece in pieces if piece.right <= gap],
        [piece for piece in pieces if piece.left >= gap],
    )


def _is_gap(left: Sequence[TextPiece], right: Sequence[TextPiece]) -> bool:
    if min(len(left), len(right)) < _FEWEST_LINES:
        return False
    width = min(piece.left for piece in right) - max(piece.right for piece in left)
    height = median(piece.height for piece in [*left, *right])
    shared = min(left[-1].base, right[-1].base) - max(left[0].base, right[0].base)
    shorter = min(left[-1].base - left[0].base, right[-1].base - right[0].base)
    return width > _NARROWEST_GAP * height and shared > shorter / 2


def _are_columns(left: Sequence[TextPiece], right: Sequence[TextPiece]) -> bool:
    fills = sorted(map(_fill, (left, right)))
    if fills[0] >= _CODE_FILL and fills[1] >= _PROSE_FILL:
        return True
    return fills[0] > 0 and _apart(left, right) > _COLUMNS_APART


def _fill(side: Sequence[TextPiece]) -> float:
    """Return how much of a column's width its usual line fills; 0 if it has only a few letters."""
    beside = [line for line in lines(side) if not line[0].rows]
    if not beside or median(sum(len(p.text) for p in line) for line in beside) < _PROSE_LETTERS:
        return 0.0
    width = max(p.right for line in beside for p in line) - min(p.left for p in side)
    return median(sum(piece.width for piece in line) for line in beside) / max(width, 1.0)
