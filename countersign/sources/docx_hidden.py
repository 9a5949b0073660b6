"""Text of a Word document that its author has hidden, which no reader of it sees."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from countersign.sources.office import parsed

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_MARK = b"vanish"
_STYLES = "word/styles.xml"
_PARTS = ("word/document.xml", "word/footnotes.xml", "word/endnotes.xml")
_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_SHOWN = ("t", "tab", "br", "cr", "sym", "noBreakHyphen")
_OFF = ("0", "false", "off")


def without_hidden(parts: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the parts of a checked document that have hidden text, without it.

    A run is hidden by itself or by its style: `vanish` (ECMA-376, part 1, 17.3.2.41).

    Raises:
        Unreadable: a part is no XML.
    """
    named = {part: parts[part] for part in _PARTS if part in parts}
    styles = parts.get(_STYLES, b"")
    if not any(_MARK in data for data in (styles, *named.values())):
        return {}
    hiding = _hiding_styles(parsed(styles)) if _MARK in styles else set[str]()
    cleared = ((part, _cleared(parsed(data), hiding)) for part, data in named.items())
    return {part: data for part, data in cleared if data}


def _hiding_styles(styles: Element) -> set[str]:
    """Return the ids of the styles that hide, by themselves or by the style they are based on."""
    own = {style.get(f"{_W}styleId", ""): _hides(style) for style in styles.iter(f"{_W}style")}
    based = {
        style.get(f"{_W}styleId", ""): base.get(f"{_W}val", "")
        for style in styles.iter(f"{_W}style")
        if (base := style.find(f"{_W}basedOn")) is not None
    }

    def hides(style: str) -> bool:
        for _ in range(len(own)):
            if (said := own.get(style)) is not None:
                return said
            style = based.get(style, "")
        return False

    return set(filter(hides, own))


def _cleared(root: Element, hiding: set[str]) -> bytes:
    """Return a part without the text of its hidden runs; nothing if it has none."""
    from xml.etree.ElementTree import tostring

    hidden = [
        run
        for paragraph in root.iter(f"{_W}p")
        for run in paragraph.iter(f"{_W}r")
        if _is_hidden(run, paragraph, hiding)
    ]
    for run in hidden:
        for name in _SHOWN:
            for shown in run.findall(f"{_W}{name}"):
                run.remove(shown)
    return tostring(root) if hidden else b""


def _is_hidden(run: Element, paragraph: Element, hiding: set[str]) -> bool:
    said = _hides(run)
    if said is not None:
        return said
    of_run = run.find(f"{_W}rPr/{_W}rStyle")
    of_paragraph = paragraph.find(f"{_W}pPr/{_W}pStyle")
    styles = [each.get(f"{_W}val") for each in (of_run, of_paragraph) if each is not None]
    return any(style in hiding for style in styles)


def _hides(element: Element) -> bool | None:
    """Whether an element's own properties hide; None if they don't say."""
    vanish = element.find(f"{_W}rPr/{_W}vanish")
    return None if vanish is None else vanish.get(f"{_W}val", "1") not in _OFF
