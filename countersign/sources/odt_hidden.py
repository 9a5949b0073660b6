"""Text of an OpenDocument text that its author has hidden, which no reader of it sees."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_NAMES = "{urn:oasis:names:tc:opendocument:xmlns:"
_STYLE, _TEXT, _TABLE = (f"{_NAMES}{part}:1.0}}" for part in ("style", "text", "table"))
_PARAGRAPHS = frozenset({f"{_TEXT}p", f"{_TEXT}h"})
_SPANS = frozenset({f"{_TEXT}span", f"{_TEXT}a"})
_VISIBILITY = f"{_TABLE}visibility"
_UNSEEN = ("collapse", "filter")

Style = tuple[str, str]
"""The family and the name of a style: names are of one family each."""


def without_hidden(root: Element, styles: Iterable[Element]) -> bool:
    """Remove the hidden parts of a text; say whether there were any with words.

    A part is hidden by itself, by its style, or by a condition whose last outcome the document
    has (OpenDocument 1.3, part 3: 5.4 sections, 7.7 hidden fields, 20.181 `text:display`).

    Args:
        root: the content; it is changed.
        styles: all that apply to it, those included that apply where no other does.
    """
    hiding = _hiding(styles)
    found = False
    for parent in list(root.iter()):
        for child in [each for each in parent if _is_hidden(each, hiding)]:
            found |= bool("".join(child.itertext()).strip())
            _remove(parent, child)
    return _without_columns(root) or found


def _hiding(styles: Iterable[Element]) -> set[Style]:
    """Return the styles that hide, by themselves or by the style they are based on."""
    own: dict[Style, str | None] = {}
    based: dict[Style, Style] = {}
    for style in styles:
        family = style.get(f"{_STYLE}family", "")
        known = (family, style.get(f"{_STYLE}name", ""))
        properties = style.find(f"{_STYLE}text-properties")
        own[known] = None if properties is None else properties.get(f"{_TEXT}display")
        based[known] = (family, style.get(f"{_STYLE}parent-style-name", ""))

    def hides(style: Style) -> bool:
        for _ in range(len(own)):
            if said := own.get(style):
                return said == "none"
            style = based.get(style, style)
        return False

    return set(filter(hides, own))


def _is_hidden(element: Element, hiding: set[Style]) -> bool:
    style = element.get(f"{_TEXT}style-name", "")
    if element.tag in _PARAGRAPHS:
        fields = element.iter(f"{_TEXT}hidden-paragraph")
        return ("paragraph", style) in hiding or any(map(_is_so, fields))
    if element.tag in _SPANS:
        return ("text", style) in hiding
    if element.tag == f"{_TEXT}section":
        display = element.get(f"{_TEXT}display")
        return display == "none" or (display == "condition" and _is_so(element))
    if element.tag == f"{_TEXT}hidden-text":
        return _is_so(element)
    return element.tag == f"{_TABLE}table-row" and element.get(_VISIBILITY) in _UNSEEN


def _is_so(element: Element) -> bool:
    """Return whether the condition under which an element is hidden held last."""
    return element.get(f"{_TEXT}is-hidden") == "true"


def _remove(parent: Element, child: Element) -> None:
    """Remove an element and leave the text that follows it."""
    place = list(parent).index(child)
    if child.tail and place:
        parent[place - 1].tail = (parent[place - 1].tail or "") + child.tail
    elif child.tail:
        parent.text = (parent.text or "") + child.tail
    parent.remove(child)


def _without_columns(root: Element) -> bool:
    """Empty the cells of hidden columns; say whether there were words in them."""
    found = False
    for table in root.iter(f"{_TABLE}table"):
        hidden = _hidden_columns(table)
        for row in table.iter(f"{_TABLE}table-row") if hidden else ():
            found |= _emptied(row, hidden)
    return found


def _hidden_columns(table: Element) -> list[range]:
    hidden: list[range] = []
    place = 0
    for column in table.iter(f"{_TABLE}table-column"):
        end = place + _repeated(column)
        if column.get(_VISIBILITY) in _UNSEEN:
            hidden.append(range(place, end))
        place = end
    return hidden


def _emptied(row: Element, hidden: list[range]) -> bool:
    """Empty the cells of a row that begin in hidden columns; say whether any had words."""
    found, place = False, 0
    for cell in row:
        begins, place = place, place + _repeated(cell)
        if any(begins in each for each in hidden):
            found |= bool("".join(cell.itertext()).strip())
            cell.clear()
            cell.tag = f"{_TABLE}table-cell"
    return found


def _repeated(element: Element) -> int:
    said = element.get(f"{_TABLE}number-columns-repeated", "1")
    return int(said) if said.isdigit() else 1
