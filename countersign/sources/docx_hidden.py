"""Text of a Word document that its author has hidden, which no reader of it sees."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

from countersign.sources.office import parsed
from countersign.sources.reading import Unreadable

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_MARK = b"vanish"
_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_STRICT = "{http://purl.oclc.org/ooxml/wordprocessingml/main}"
"""The same names in documents that are saved as "Strict Open XML"."""

_SHOWN = frozenset(
    f"{_W}{name}"
    for name in (
        *("t", "tab", "br", "cr", "sym", "noBreakHyphen", "drawing", "pict", "object"),
        *("footnoteReference", "endnoteReference"),
    )
) | {"{http://schemas.openxmlformats.org/markup-compatibility/2006}AlternateContent"}
"""What of a run shows, by itself or, as a text box or note does, by what is fastened to it."""

_OFF = ("0", "false", "off")
_NO_STYLE = ""


def without_hidden(parts: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the parts of a checked document that have hidden text, without it.

    A run is hidden by itself, by its style or its paragraph's or table's, or where those are silent
    by what the document has for all: `vanish` (ECMA-376, part 1, 17.3.2.41). Which part is the text
    is for the document to say, so all are looked through.
    """
    # Without its zeros, XML in UTF-16 reads as any other.
    if not any(_MARK in data.replace(b"\0", b"") for data in parts.values()):
        return {}
    read = {part: root for part, data in parts.items() if (root := _root(data)) is not None}
    hiding = _hiding_styles(read.values())
    cleared = ((part, _cleared(root, hiding)) for part, root in read.items())
    return {part: data for part, data in cleared if data}


def _root(data: bytes) -> Element | None:
    """Return the root of a part, with the usual names; None if the part is no XML."""
    try:
        root = parsed(data)
    except Unreadable:
        return None
    for element in root.iter():
        element.tag = element.tag.replace(_STRICT, _W)
        element.attrib = {name.replace(_STRICT, _W): said for name, said in element.items()}
    return root


def _hiding_styles(roots: Collection[Element]) -> Mapping[str, bool]:
    """Return whether each style hides, by itself or by what it is based on, and so does none."""
    own: dict[str, bool | None] = {}
    based: dict[str, str] = {}
    usual = _NO_STYLE
    for style in (style for root in roots for style in root.iter(f"{_W}style")):
        name = style.get(f"{_W}styleId", "")
        kind = style.get(f"{_W}type")
        own[name] = own.get(name) or _hides(style)
        if (base := style.find(f"{_W}basedOn")) is not None:
            based[name] = base.get(f"{_W}val", "")
        elif kind == "table":  # what holds for all is weaker than a paragraph's style
            own[name] = bool(own[name])
        if kind == "paragraph" and style.get(f"{_W}default", "0") not in _OFF:
            usual = name
    for_all = any(_hides(each) for root in roots for each in root.iter(f"{_W}rPrDefault"))

    def hides(style: str) -> bool:
        for _ in range(len(own)):
            if (said := own.get(style)) is not None:
                return said
            style = based.get(style, "")
        return for_all

    return {**{style: hides(style) for style in own}, _NO_STYLE: hides(usual)}


def _cleared(root: Element, hiding: Mapping[str, bool]) -> bytes:
    """Return a part without the text of its hidden runs; nothing if it has none."""
    from xml.etree.ElementTree import tostring

    in_tables = _in_hiding_tables(root, hiding)
    hidden = [
        run
        for paragraph in root.iter(f"{_W}p")
        for run in paragraph.iter(f"{_W}r")
        if _is_hidden(run, paragraph, hiding, in_table=paragraph in in_tables)
    ]
    for run in hidden:
        for shown in [each for each in run if each.tag in _SHOWN]:
            run.remove(shown)
    return tostring(root) if hidden else b""


def _in_hiding_tables(root: Element, hiding: Mapping[str, bool]) -> set[Element]:
    """Return the paragraphs of tables whose style hides."""
    return {
        paragraph
        for table in root.iter(f"{_W}tbl")
        if (style := table.find(f"{_W}tblPr/{_W}tblStyle")) is not None
        if hiding.get(style.get(f"{_W}val", ""), False)
        for paragraph in table.iter(f"{_W}p")
    }


def _is_hidden(
    run: Element, paragraph: Element, hiding: Mapping[str, bool], *, in_table: bool
) -> bool:
    said = _hides(run)
    if said is not None:
        return said
    of_run = run.find(f"{_W}rPr/{_W}rStyle")
    of_paragraph = paragraph.find(f"{_W}pPr/{_W}pStyle")
    named = _NO_STYLE if of_paragraph is None else of_paragraph.get(f"{_W}val", _NO_STYLE)
    by_run = of_run is not None and hiding.get(of_run.get(f"{_W}val", ""), False)
    return in_table or by_run or hiding.get(named, hiding[_NO_STYLE])


def _hides(element: Element) -> bool | None:
    """Whether an element's own properties hide; None if they don't say."""
    vanish = element.find(f"{_W}rPr/{_W}vanish")
    return None if vanish is None else vanish.get(f"{_W}val", "1") not in _OFF
