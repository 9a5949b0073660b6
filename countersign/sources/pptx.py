"""Read a PowerPoint presentation (`.pptx`, ECMA-376 part 1, 19 and 20)."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from typing import TYPE_CHECKING
from zipfile import ZipFile

from countersign.sources.blocks import Blocks
from countersign.sources.listed import listed
from countersign.sources.office import property_title, xml_part
from countersign.sources.packed import unpacked
from countersign.sources.reading import Document
from countersign.sources.shifted import lowered, raised

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

PRESENTATION = "ppt/presentation.xml"

_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_P = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
_FRAME = f"{_P}graphicFrame"
_R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_RUNNING = frozenset({"sldNum", "ftr", "dt", "hdr"})
_TITLES = frozenset({"title", "ctrTitle"})


def read_pptx(data: bytes, name: str) -> Document:
    """Read the text of all slides in order, with their tables and notes.

    Raises:
        Unreadable: It is none, locked, or packed so that it would fill the memory.
        TooLong: See `Blocks.add`.
    """
    blocks = Blocks()
    unread: list[int] = []
    with unpacked(data, PRESENTATION) as packed:
        for number, part in enumerate(_slides(packed), start=1):
            blocks.locate(f"slide {number}")
            slide = xml_part(packed, part)
            _add_slide(blocks, slide)
            if any(frame.find(f".//{_A}tbl") is None for frame in slide.iter(_FRAME)):
                unread.append(number)
            for target in _related(packed, part, "/notesSlide").values():
                blocks.locate(f"slide {number}, notes")
                _add_notes(blocks, xml_part(packed, target))
        warnings = (
            [f"Charts and diagrams are not read: {listed('slide', unread)}."] if unread else []
        )
        return blocks.document(property_title(packed) or name, warnings)


def _slides(packed: ZipFile) -> Iterator[str]:
    related = _related(packed, PRESENTATION, "/slide")
    root = xml_part(packed, PRESENTATION)
    for slide in root.iter(f"{_P}sldId"):
        if target := related.get(slide.get(f"{_R}id", "")):
            yield target


def _related(packed: ZipFile, part: str, kind: str) -> dict[str, str]:
    """Return the parts that a part names, by id; what is outside of the file is left alone."""
    folder, file = posixpath.split(part)
    relations = f"{folder}/_rels/{file}.rels"
    if relations not in packed.namelist():
        return {}
    return {
        each.get("Id", ""): posixpath.normpath(posixpath.join(folder, each.get("Target", "")))
        if not each.get("Target", "").startswith("/")
        else each.get("Target", "")[1:]
        for each in xml_part(packed, relations)
        if each.get("Type", "").endswith(kind) and each.get("TargetMode") != "External"
    }


def _add_slide(blocks: Blocks, slide: Element) -> None:
    shapes = list(_shapes(slide))
    for shape in sorted(shapes, key=lambda each: _placeholder(each) not in _TITLES):
        if _placeholder(shape) not in _RUNNING:
            _add_shape(blocks, shape)


def _add_notes(blocks: Blocks, notes: Element) -> None:
    for shape in _shapes(notes):
        if _placeholder(shape) == "body":
            _add_shape(blocks, shape)


def _shapes(element: Element) -> Iterator[Element]:
    """Yield shapes and tables, those of groups among them; of alternatives, the first."""
    for child in element:
        if child.tag in (f"{_P}sp", _FRAME):
            yield child
        elif child.tag == f"{_MC}AlternateContent":
            yield from _shapes(child[0]) if len(child) else ()
        elif child.tag in (f"{_P}cSld", f"{_P}spTree", f"{_P}grpSp"):
            yield from _shapes(child)


def _placeholder(shape: Element) -> str:
    """Which part of its slide a shape is; nothing if it stands by itself."""
    found = shape.find(f".//{_P}nvPr/{_P}ph")
    return found.get("type", "body") if found is not None else ""


def _add_shape(blocks: Blocks, shape: Element) -> None:
    if shape.tag == _FRAME:
        for table in shape.iter(f"{_A}tbl"):
            rows = table.iter(f"{_A}tr")
            blocks.table([[_text(cell) for cell in row.iter(f"{_A}tc")] for row in rows])
        return
    blocks.add(_text(shape))


def _text(element: Element) -> str:
    """Return the paragraphs of a shape or cell, a line each."""
    return "\n".join(_paragraph(each) for each in element.iter(f"{_A}p")).strip()


def _paragraph(paragraph: Element) -> str:
    return "".join(_run(each) for each in paragraph)


def _run(run: Element) -> str:
    if run.tag == f"{_A}br":
        return "\n"
    text = run.findtext(f"{_A}t", "")
    properties = run.find(f"{_A}rPr")
    baseline = properties.get("baseline", "0") if properties is not None else "0"
    if baseline.startswith("-"):
        return lowered(text)
    return text if baseline.strip("0%") == "" else raised(text)
