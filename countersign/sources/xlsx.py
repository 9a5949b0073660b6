"""Read an Excel workbook (`.xlsx`)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from io import BytesIO
from typing import Any
from zipfile import ZipFile

from countersign.sources.blocks import Blocks
from countersign.sources.hidden import HIDDEN_ROWS
from countersign.sources.number_formats import shown_number
from countersign.sources.office import property_title
from countersign.sources.packed import unpacked
from countersign.sources.reading import Document
from countersign.sources.sheets import add_sheet
from countersign.sources.xlsx_hidden import WORKBOOK, HiddenPlaces, hidden_places

_UNCALCULATED = re.compile(rb"<f\b[^>]*?(?:/>|>[^<]*</f>)\s*(?:<v\s*/>|<v></v>)?\s*</c>")


def read_xlsx(data: bytes, name: str) -> Document:
    """Read the values of all sheets that show; of formulas, what Excel calculated last.

    Raises:
        Unreadable: It is none, locked, or packed so that it would fill the memory.
        TooLong: The text has more than `blocks.MOST_CHARACTERS` characters.
    """
    from openpyxl import load_workbook

    with unpacked(data, WORKBOOK) as packed:
        title = property_title(packed)
        warnings = list(_warnings(packed))
        hidden = hidden_places(packed)
    book = load_workbook(BytesIO(data), read_only=True, data_only=True, keep_links=False)
    blocks = Blocks()
    for sheet in book.worksheets:
        if sheet.sheet_state == "visible":
            sheet.reset_dimensions()  # what the file says of its size may be wrong, or a bomb
            add_sheet(
                blocks,
                f"sheet {sheet.title}",
                _rows(sheet, hidden.get(sheet.title, HiddenPlaces())),
            )
        else:
            warnings.append(f"The sheet \u201c{sheet.title}\u201d is hidden, and not read.")
    warnings += [HIDDEN_ROWS] * any(each.met for each in hidden.values())
    return blocks.document(title or name, warnings)


def _rows(sheet: Any, hidden: HiddenPlaces) -> Iterator[list[str]]:
    """Yield the rows of a sheet as they show; nothing of a hidden one."""
    for number, cells in enumerate(sheet.iter_rows(), start=1):
        shown = hidden.without(number, cells)
        yield ["" if hidden.hides(cell) else _shown(cell) for cell in shown]


def _warnings(packed: ZipFile) -> Iterator[str]:
    sheets = [part for part in packed.namelist() if part.startswith("xl/worksheets/sheet")]
    if any(_UNCALCULATED.search(packed.read(part)) for part in sheets):
        yield "Formulas that no program has calculated yet are read as empty cells."


def _shown(cell: Any) -> str:
    value = cell.value
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, (int, float)):
        return shown_number(value, cell.number_format)
    if isinstance(value, datetime):
        return value.date().isoformat() if value.time() == time() else value.isoformat(" ")
    return value.isoformat() if isinstance(value, (date, time)) else _text(value)


def _text(value: object) -> str:
    # A duration has no form that all offices share.
    return f"{value.total_seconds():g} s" if isinstance(value, timedelta) else str(value)
