"""Read a PowerPoint presentation (`.pptx`, ECMA-376 part 1, 19 and 20)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from zipfile import ZipFile

from countersign.sources.blocks import Blocks
from countersign.sources.hidden import HIDDEN
from countersign.sources.listed import listed
from countersign.sources.office import property_title, related, xml_part
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
_ON, _OFF = ("1", "true"), ("0", "false")


def read_pptx(data: bytes, name: str) -> Document:
    """Read the text of all slides that show, in order, with their tables and notes.

    Notes are the author's words to whoever opens the file, so they are read, and say that they are
    notes. Those of a hidden slide are hidden with it.

    Raises:
        Unreadable: It is none, locked, or packed so that it would fill the memory.
        TooLong: The text has more than `blocks.MOST_CHARACTERS` characters.
    """
    blocks = Blocks()
    unread = _Unread()
    with unpacked(data, PRESENTATION) as packed:
        for number, part in enumerate(_slides(packed), start=1):
            slide = xml_part(packed, part)
            if slide.get("show") in _OFF:
                unread.slides.append(number)
                continue
            unread.shapes |= _without_hidden(slide)
            blocks.locate(f"slide {number}")
            _add_slide(blocks, slide)
            if any(frame.find(f".//{_A}tbl") is None for frame in slide.iter(_FRAME)):
                unread.charts.append(number)
            for target in related(packed, part, "/notesSlide").values():
                notes = xml_part(packed, target)
                unread.shapes |= _without_hidden(notes)
                blocks.locate(f"slide {number}, notes")
                _add_notes(blocks, notes)
        return blocks.document(property_title(packed) or name, unread.warnings())


@dataclass(slots=True)
class _Unread:
    """What of a presentation isn't read.

    Attributes:
        slides: numbers of the hidden slides.
        charts: numbers of the slides with charts or diagrams.
        shapes: whether text is in hidden shapes.
    """

    slides: list[int] = field(default_factory=list[int])
    charts: list[int] = field(default_factory=list[int])
    shapes: bool = False

    def warnings(self) -> Iterator[str]:
        if self.slides:
            yield f"Hidden slides are not read: {listed('slide', self.slides)}."
        if self.shapes:
            yield HIDDEN
        if self.charts:
            yield f"Charts and diagrams are not read: {listed('slide', self.charts)}."


def _without_hidden(slide: Element) -> bool:
    """Remove the hidden shapes of a slide; say whether there was text in them."""
    found = False
    for parent in list(slide.iter()):
        for shape in [each for each in parent if _is_hidden(each)]:
            found |= any(text.text for text in shape.iter(f"{_A}t"))
            parent.remove(shape)
    return found


def _is_hidden(shape: Element) -> bool:
    """Return whether a shape, group or frame itself is hidden (20.1.2.2.8)."""
    return any(each.get("hidden") in _ON for each in shape.findall(f"*/{_P}cNvPr"))


def _slides(packed: ZipFile) -> Iterator[str]:
    targets = related(packed, PRESENTATION, "/slide")
    root = xml_part(packed, PRESENTATION)
    for slide in root.iter(f"{_P}sldId"):
        if target := targets.get(slide.get(f"{_R}id", "")):
            yield target


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
