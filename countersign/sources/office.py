"""What office documents have in common: their properties, and parts of XML."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING
from zipfile import ZipFile

from countersign.sources.packed import DAMAGED
from countersign.sources.reading import Unreadable, one_line
from countersign.sources.titles import own_title

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_PROPERTIES = ("docProps/core.xml", "meta.xml")
_TITLE = "{http://purl.org/dc/elements/1.1/}title"


def property_title(packed: ZipFile) -> str:
    """Return the title in a document's properties; nothing if it has none that names it."""
    for part in _PROPERTIES:
        if part in packed.namelist():
            found = xml_part(packed, part).find(f".//{_TITLE}")
            title = one_line(found.text or "") if found is not None else ""
            return own_title(title)
    return ""


def xml_part(packed: ZipFile, part: str) -> Element:
    """Return the root of a part of a checked document.

    Raises:
        Unreadable: There is no such part, or it is no XML.
    """
    try:
        return parsed(packed.read(part))
    except KeyError as error:
        raise Unreadable(DAMAGED) from error


def related(packed: ZipFile, part: str, kind: str) -> dict[str, str]:
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


def parsed(data: bytes) -> Element:
    """Return the root of a part of a checked document; raises Unreadable if it is no XML."""
    from xml.etree.ElementTree import ParseError, fromstring

    try:
        return fromstring(data)  # noqa: S314 - `packed` has refused entities
    except ParseError as error:
        raise Unreadable(DAMAGED) from error
