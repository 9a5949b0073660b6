"""Read a Word document (`.docx`)."""

from __future__ import annotations

import re
from io import BytesIO

from countersign.sources.html import shown
from countersign.sources.office import property_title
from countersign.sources.packed import unpacked
from countersign.sources.reading import Document, one_line

CONTENTS = "[Content_Types].xml"

# Its class keeps a document's title apart from headings of the first rank.
_STYLES = """
p[style-name='Title'] => h1.title:fresh
p[style-name='Subtitle'] => p:fresh
"""
_TITLE = re.compile(r'<h1 class="title">(.*?)</h1>', re.DOTALL)


def read_docx(data: bytes, name: str) -> Document:
    """Read a document's text, without pictures, comments and what was deleted from it.

    Raises:
        Unreadable: It is none, asks for a password, or is packed so that it would fill the memory.
        TooLong: See `Blocks.add`.
    """
    # Imported here because most processes of the app never read a document.
    from mammoth import convert_to_html

    with unpacked(data, CONTENTS) as packed:
        own = property_title(packed)
    # A style map of the document's own could leave out what a person sees.
    converted = convert_to_html(
        BytesIO(data),
        style_map=_STYLES,
        include_embedded_style_map=False,
        convert_image=lambda image: [],
    ).value
    titled = _TITLE.search(converted)
    title = own or (one_line(shown(titled[1]).blocks.document("").text) if titled else "")
    return shown(converted).blocks.document(title or name)
