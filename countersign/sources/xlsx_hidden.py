"""Rows and columns of an Excel workbook that its sheets don't show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from xml.parsers.expat import ExpatError, ParserCreate
from zipfile import ZipFile

from countersign.sources.office import related, xml_part
from countersign.sources.packed import DAMAGED
from countersign.sources.reading import Unreadable

if TYPE_CHECKING:
    from openpyxl.cell import Cell

WORKBOOK = "xl/workbook.xml"

_MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_ID = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_ON = ("1", "true")
_LEAST_SIZE = 0.1
"""A row of fewer points, or a column of fewer characters, shows nothing."""

_CONTENT_TYPES = "[Content_Types].xml"
_OF_WORKBOOKS = ".main+xml"
_SHOWS_NOTHING = ";;;"
"""A number format whose four parts are empty (ECMA-376, part 1, 18.8.31)."""


@dataclass(slots=True)
class HiddenPlaces:
    """What a sheet hides.

    Attributes:
        rows: numbers of its hidden rows, from 1.
        columns: stretches of its hidden columns, from 1.
        met: whether something was left out that has a value.
    """

    rows: set[int] = field(default_factory=set[int])
    columns: list[range] = field(default_factory=list[range])
    met: bool = False

    def without(self, number: int, cells: Sequence[Cell]) -> list[Cell]:
        """Return the cells of a row that show, and note whether others have values."""
        if number in self.rows:
            self.met |= any(cell.value is not None for cell in cells)
            return []
        return [cell for column, cell in enumerate(cells, start=1) if self._shows(column, cell)]

    def hides(self, cell: Cell) -> bool:
        """Return whether the format of a cell lets nothing of its value show."""
        hidden = cell.value is not None and cell.number_format == _SHOWS_NOTHING
        self.met |= hidden
        return hidden

    def _shows(self, column: int, cell: Cell) -> bool:
        hidden = any(column in each for each in self.columns)
        self.met |= hidden and cell.value is not None
        return not hidden


def hidden_places(packed: ZipFile) -> dict[str, HiddenPlaces]:
    """Return what the sheets of a checked workbook hide, by their names.

    Raises:
        Unreadable: a part is no XML, or two sheets have one name, or the package names another
            workbook: what is hidden in one would be looked for in the other.
    """
    if _workbooks(packed) - {WORKBOOK}:
        raise Unreadable(DAMAGED)
    parts = related(packed, WORKBOOK, "/worksheet")
    sheets = list(xml_part(packed, WORKBOOK).iter(f"{_MAIN}sheet"))
    named = {sheet.get("name", ""): parts.get(sheet.get(_ID, "")) for sheet in sheets}
    if len(named) < len(sheets):
        raise Unreadable(DAMAGED)
    there = set(packed.namelist())
    return {name: _hidden_in(packed.read(part)) for name, part in named.items() if part in there}


def _workbooks(packed: ZipFile) -> set[str]:
    """Return the parts that the package calls workbooks."""
    return {
        each.get("PartName", "").removeprefix("/")
        for each in xml_part(packed, _CONTENT_TYPES)
        if each.get("PartName") and each.get("ContentType", "").endswith(_OF_WORKBOOKS)
    }


def _hidden_in(data: bytes) -> HiddenPlaces:
    """Read the tags of a sheet one by one: as a tree, a large one would fill the memory."""
    found, number = HiddenPlaces(), 0

    def begin(tag: str, given: dict[str, str]) -> None:
        nonlocal number
        size = given.get("ht" if tag.endswith(" row") else "width", "").strip()
        hidden = given.get("hidden", "").strip() in _ON or _is_nothing(size)
        if tag.endswith(" row"):
            number = int(given.get("r", number + 1))
            found.rows.update([number] * bool(hidden))
        elif tag.endswith(" col") and hidden:
            found.columns.append(range(int(given["min"]), int(given["max"]) + 1))

    parser = ParserCreate(namespace_separator=" ")
    parser.StartElementHandler = begin
    try:
        parser.Parse(data, True)
    except (ExpatError, ValueError, KeyError) as error:
        raise Unreadable(DAMAGED) from error
    return found


def _is_nothing(size: str) -> bool:
    try:
        return float(size) < _LEAST_SIZE
    except ValueError:
        return False
