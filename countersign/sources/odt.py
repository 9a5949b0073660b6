"""Read an OpenDocument text (`.odt`, ISO/IEC 26300)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from countersign.sources.blocks import Blocks
from countersign.sources.hidden import HIDDEN
from countersign.sources.odt_hidden import without_hidden
from countersign.sources.office import property_title, xml_part
from countersign.sources.packed import LOCKED, unpacked
from countersign.sources.reading import Document, Unreadable, one_line
from countersign.sources.shifted import lowered, raised

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

CONTENT = "content.xml"

_STYLES = "styles.xml"
_MANIFEST = "META-INF/manifest.xml"
_MOST_REPEATED = 1_000

_NAMES = "{urn:oasis:names:tc:opendocument:xmlns:"
_OFFICE, _TEXT, _TABLE = (f"{_NAMES}{part}:1.0}}" for part in ("office", "text", "table"))
_GROUPS = frozenset(f"{_TABLE}table-{part}" for part in ("header-rows", "rows", "row-group"))
_STYLE = f"{_NAMES}style:1.0}}"
_STYLES_OF_TEXT = (f"{_STYLE}style", f"{_STYLE}default-style")
_UNREAD = frozenset(
    {f"{_TEXT}tracked-changes", f"{_OFFICE}annotation", f"{_TEXT}note", f"{_TEXT}ruby-text"}
)


def read_odt(data: bytes, name: str) -> Document:
    """Read a text, without what is hidden, comments and what was deleted from it.

    Raises:
        Unreadable: It is none, locked, or packed so that it would fill the memory.
        TooLong: The text has more than `blocks.MOST_CHARACTERS` characters.
    """
    with unpacked(data, CONTENT) as packed:
        if _MANIFEST in packed.namelist() and b"encryption-data" in packed.read(_MANIFEST):
            raise Unreadable(LOCKED)
        own = property_title(packed)
        root = xml_part(packed, CONTENT)
        common = [xml_part(packed, _STYLES)] if _STYLES in packed.namelist() else []
    parts = (*common, root)
    styles = [each for part in parts for each in part.iter() if each.tag in _STYLES_OF_TEXT]
    hidden = without_hidden(root, styles)
    writer = _Writer(root)
    for body in root.iter(f"{_OFFICE}text"):
        writer.add(body)
    return writer.blocks.document(own or writer.title or name, [HIDDEN] * hidden)


class _Writer:
    """Writes the blocks of a text in order."""

    def __init__(self, root: Element) -> None:
        self.blocks = Blocks()
        self.title = ""
        styles = list(root.iter(f"{_STYLE}style"))
        self._parents = {_name(each): each.get(f"{_STYLE}parent-style-name", "") for each in styles}
        self._positions = {_name(each): _position(each) for each in styles}

    def add(self, element: Element, prefix: str = "") -> None:
        """Write what an element holds."""
        for child in element:
            if child.tag == f"{_TEXT}h":
                self.blocks.heading(self._words(child))
                self._add_within(child)
            elif child.tag == f"{_TEXT}p":
                self._add_paragraph(child, prefix)
            elif child.tag == f"{_TABLE}table":
                self.blocks.table(self._rows(child))
            elif child.tag == f"{_TEXT}list-item":
                self.add(child, "- ")
            elif child.tag not in _UNREAD:
                self.add(child, prefix)

    def _add_paragraph(self, paragraph: Element, prefix: str) -> None:
        text = self._words(paragraph)
        style = paragraph.get(f"{_TEXT}style-name", "")
        if "Title" in (style, self._parents.get(style)):
            self.title = self.title or one_line(text)
        if text.strip():  # else the prefix would stand alone
            self.blocks.add(prefix + text)
        self._add_within(paragraph)

    def _add_within(self, paragraph: Element) -> None:
        """Write the notes of a paragraph, and boxes that are fastened to it, after it."""
        for note in paragraph.iter(f"{_TEXT}note-body"):
            self.add(note)
        for child in paragraph.iter():
            if child.tag.endswith("}text-box"):
                self.add(child)

    def _rows(self, table: Element) -> Iterator[list[str]]:
        for row in _rows(table):
            cells: list[str] = []
            for cell in row:
                if cell.tag in (f"{_TABLE}table-cell", f"{_TABLE}covered-table-cell"):
                    cells += [self._cell(cell)] * _repeated(cell, "columns", len(cells))
            for _ in range(_repeated(row, "rows", 0) if any(cells) else 0):
                yield cells

    def _cell(self, cell: Element) -> str:
        return "\n".join(self._words(each) for each in cell.iter(f"{_TEXT}p"))

    def _words(self, element: Element) -> str:
        return "".join(self._pieces(element))

    def _pieces(self, element: Element) -> Iterator[str]:
        yield element.text or ""
        for child in element:
            if child.tag == f"{_TEXT}s":
                yield " "
            elif child.tag == f"{_TEXT}tab":
                yield "\t"
            elif child.tag == f"{_TEXT}line-break":
                yield "\n"
            elif child.tag not in _UNREAD and not child.tag.endswith("}frame"):
                yield self._moved(child)
            yield child.tail or ""

    def _moved(self, span: Element) -> str:
        position = self._positions.get(span.get(f"{_TEXT}style-name", ""), "")
        text = self._words(span)
        if position.startswith("super"):
            return raised(text)
        return lowered(text) if position.startswith("sub") else text


def _rows(table: Element) -> Iterator[Element]:
    for child in table:
        if child.tag == f"{_TABLE}table-row":
            yield child
        elif child.tag in _GROUPS:
            yield from _rows(child)


def _repeated(element: Element, what: str, there: int) -> int:
    said = element.get(f"{_TABLE}number-{what}-repeated", "1")
    return min(int(said) if said.isdigit() else 1, max(_MOST_REPEATED - there, 0))


def _name(style: Element) -> str:
    return style.get(f"{_STYLE}name", "")


def _position(style: Element) -> str:
    properties = style.find(f"{_STYLE}text-properties")
    return properties.get(f"{_STYLE}text-position", "") if properties is not None else ""
