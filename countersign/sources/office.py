"""What office documents have in common: their properties, and parts of XML."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from zipfile import ZipFile

from countersign.sources.packed import DAMAGED
from countersign.sources.reading import Unreadable, one_line

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_PROPERTIES = ("docProps/core.xml", "meta.xml")
_TITLE = "{http://purl.org/dc/elements/1.1/}title"

# What programs fill in themselves names no document.
_NO_TITLE = re.compile(
    r"(microsoft )?(word|excel|powerpoint)( -.*| document| presentation)?|presentation|"
    r"pr\u00e4sentation|powerpoint-pr\u00e4sentation|untitled.*|unbenannt.*|ohne titel.*|"
    r"(document|dokument|book|mappe|presentation)\s?\d*",
    re.IGNORECASE,
)


def property_title(packed: ZipFile) -> str:
    """Return the title in a document's properties; nothing if it has none that names it."""
    for part in _PROPERTIES:
        if part in packed.namelist():
            found = xml_part(packed, part).find(f".//{_TITLE}")
            title = one_line(found.text or "") if found is not None else ""
            return named(title)
    return ""


def named(title: str) -> str:
    """Return a title; nothing if it is one that a program gives to every new document."""
    return "" if _NO_TITLE.fullmatch(title.strip()) else title


def xml_part(packed: ZipFile, part: str) -> Element:
    """Return the root of a part of a checked document.

    Raises:
        Unreadable: There is no such part, or it is no XML.
    """
    from xml.etree.ElementTree import ParseError, fromstring

    try:
        return fromstring(packed.read(part))  # noqa: S314 - `packed` has refused document types
    except (KeyError, ParseError) as error:
        raise Unreadable(DAMAGED) from error
