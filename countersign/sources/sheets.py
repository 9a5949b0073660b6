"""Rows of a sheet as lines, each of which knows its number."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from countersign.sources.blocks import Blocks


def add_sheet(blocks: Blocks, label: str, rows: Iterable[Sequence[str]]) -> None:
    """Add the rows of a sheet, numbered from 1; empty ones are left out.

    Args:
        blocks: What they are added to.
        label: Of the sheet; nothing if the file has only one.
        rows: All its rows. Those shorter than the first that isn't empty get empty cells.

    Raises:
        TooLong: The text has more than `blocks.MOST_CHARACTERS` characters.
    """
    run: list[list[str]] = []
    begun = width = 0
    for number, cells in enumerate(rows, start=1):
        shown = _without_empty_end(cells)
        if shown:
            width = width or len(shown)
            begun = begun if run else number
            run.append(shown + [""] * (width - len(shown)))
        elif run:
            _add(blocks, label, begun, run)
            run = []
    _add(blocks, label, begun, run)


def _add(blocks: Blocks, label: str, begun: int, run: Sequence[Sequence[str]]) -> None:
    if run:
        blocks.locate(label, begun)
        blocks.table(run)


def _without_empty_end(cells: Sequence[str]) -> list[str]:
    last = len(cells)
    while last and not cells[last - 1].strip():
        last -= 1
    return list(cells[:last])
