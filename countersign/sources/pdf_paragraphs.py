"""The paragraphs and tables of one column."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from countersign.sources.blocks import row
from countersign.sources.pdf_pieces import TextPiece, lines

_WIDE_LEADING = 1.35
"""Between base lines, as a multiple of what is usual in the column: a new paragraph begins."""

_CELLS_APART = 2.5
"""A gap within a line, in heights, that is one between cells though no other line shares it."""

_ENDS = (".", "?", "!", ":", "\u3002", ".\u201d", '."', ".)")


@dataclass(slots=True)
class Paragraph:
    """Lines of text, or a table's rows. `full`: its last line reaches to the column's edge."""

    lines: list[str] = field(default_factory=list)
    is_table: bool = False
    full: bool = False
    indented: bool = False
    height: float = 0.0
    base: float = 0.0

    def goes_on_in(self, other: Paragraph) -> bool:
        """Say whether it ends in the middle of a sentence that the other goes on with."""
        if self.is_table or other.is_table or abs(self.height - other.height) > 0.1 * self.height:
            return False
        last, first = self.lines[-1], other.lines[0]
        if last.endswith("-") or (first[:1].islower() and not last.endswith(_ENDS)):
            return True
        return self.full and not other.indented and not last.endswith(_ENDS)


def paragraphs(column: Sequence[TextPiece]) -> Iterator[Paragraph]:
    """Yield the paragraphs of a column from top to bottom."""
    rows = [sorted(line, key=lambda piece: piece.left) for line in lines(column)]
    left = min((piece.left for piece in column), default=0.0)
    right = max((piece.right for piece in column), default=0.0)
    pitch = _pitch(rows)
    paragraph, last = Paragraph(), None
    for cells in _with_tables(rows):
        if isinstance(cells, Paragraph):
            if paragraph.lines:
                yield paragraph
            yield cells
            paragraph, last = Paragraph(), None
            continue
        first = cells[0]
        indented = first.left > left + first.height
        if last is None or _begins(paragraph, last, first, pitch, indented=indented):
            if paragraph.lines:
                yield paragraph
            paragraph = Paragraph(indented=indented, height=first.height, base=first.base)
        paragraph.lines.append(_line(cells))
        paragraph.full = cells[-1].right > right - 2 * first.height
        last = first
    if paragraph.lines:
        yield paragraph


def _begins(
    paragraph: Paragraph, last: TextPiece, first: TextPiece, pitch: float, *, indented: bool
) -> bool:
    if abs(last.height - first.height) > 0.15 * last.height:
        return True
    if first.base - last.base > _WIDE_LEADING * pitch:
        return True
    outer = first.left > last.left + first.height / 2
    return indented and outer and paragraph.lines[-1].endswith(_ENDS)


def _pitch(rows: Sequence[Sequence[TextPiece]]) -> float:
    """Return the usual distance of base lines."""
    distances = [
        below[0].base - above[0].base
        for above, below in pairwise(rows)
        if below[0].base - above[0].base < 3 * above[0].height
    ]
    return sorted(distances)[len(distances) // 4] if distances else 1e9


def _line(cells: Sequence[TextPiece]) -> str:
    text = cells[0].text
    for before, cell in pairwise(cells):
        apart = cell.left - before.right > _CELLS_APART * cell.height
        text += f" | {cell.text}" if apart else f" {cell.text}"
    return text


def _with_tables(rows: Sequence[list[TextPiece]]) -> Iterator[Paragraph | list[TextPiece]]:
    """Yield the lines, and in the place of lines that are a table's rows the table."""
    start = 0
    while start < len(rows):
        cells = rows[start]
        if cells[0].rows:
            yield Paragraph([row(each) for each in cells[0].rows if any(each)], is_table=True)
            start += 1
        elif (end := _table_end(rows, start)) > start + 1:
            yield Paragraph([row(each) for each in _cells(rows[start:end])], is_table=True)
            start = end
        else:
            yield cells
            start += 1


def _table_end(rows: Sequence[list[TextPiece]], start: int) -> int:
    """Return where lines end that stand in columns, of which the first is at `start`."""
    if len(rows[start]) < 2:
        return start
    end = start + 1
    for number in range(start + 1, len(rows)):
        cells, before = rows[number], rows[number - 1]
        near = cells[0].base - before[0].base < 3 * cells[0].height
        if not near or cells[0].rows or not _share_a_gap(rows[end - 1], cells):
            break
        if len(cells) > 1:
            end = number + 1
    return end


def _share_a_gap(one: Sequence[TextPiece], other: Sequence[TextPiece]) -> bool:
    """Return whether some stretch between cells of one line is free in the other."""
    gaps = [(before.right, cell.left) for before, cell in pairwise(one)]
    return any(
        all(piece.right <= start + 1 or piece.left >= end - 1 for piece in other)
        or _overlap(start, end, other) > other[0].height / 2
        for start, end in gaps
    )


def _overlap(start: float, end: float, other: Sequence[TextPiece]) -> float:
    return max(
        (min(end, cell.left) - max(start, before.right) for before, cell in pairwise(other)),
        default=0.0,
    )


def _cells(rows: Sequence[list[TextPiece]]) -> Iterator[list[str]]:
    """Yield each line as cells of the columns that most lines agree on; some are empty."""
    most = max(len(line) for line in rows)
    edges: list[tuple[float, float]] = []
    for line in rows:
        if len(line) == most:
            spans = [(piece.left, piece.right) for piece in line]
            edges = [
                (min(a[0], b[0]), max(a[1], b[1]))
                for a, b in zip(edges or spans, spans, strict=True)
            ]
    for line in rows:
        cells = [""] * most
        for piece in line:
            number = max(range(most), key=lambda n: _nearness(edges[n], piece))
            cells[number] = f"{cells[number]} {piece.text}".strip()
        yield cells


def _nearness(edge: tuple[float, float], piece: TextPiece) -> float:
    return min(edge[1], piece.right) - max(edge[0], piece.left)
