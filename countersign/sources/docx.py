"""Read a Word document (`.docx`)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZipFile

from countersign.sources.docx_hidden import without_hidden
from countersign.sources.hidden import HIDDEN
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

_BODY = "word/document.xml"
_FORMULA = re.compile(rb"<m:oMath(Para)?(?:\s[^>]*)?>.*?</m:oMath(?(1)Para)>", re.DOTALL)
_FORMULA_BEGINS, _FORMULA_ENDS = b"<m:oMath", b"</m:oMath"
_IN_ITS_PLACE = b"<w:r><w:t>[formula]</w:t></w:r>"
FORMULAS = "Formulas are not read: \u201c[formula]\u201d takes their place."


def read_docx(data: bytes, name: str) -> Document:
    """Read a document's text, without pictures, comments and what was deleted from it.

    Raises:
        Unreadable: It is none, asks for a password, or is packed so that it would fill the memory.
        TooLong: The text has more than `blocks.MOST_CHARACTERS` characters.
    """
    # Imported here because most processes of the app never read a document.
    from mammoth import convert_to_html

    with unpacked(data, CONTENTS) as packed:
        own = property_title(packed)
        parts = {part: packed.read(part) for part in packed.namelist()}
    marked = _formulas_marked(parts)
    cleared = without_hidden({**parts, **marked})
    changed = {**marked, **cleared}
    file = _packed({**parts, **changed}) if changed else data
    # A style map of the document's own could leave out what a person sees.
    converted = convert_to_html(
        BytesIO(file),
        style_map=_STYLES,
        include_embedded_style_map=False,
        convert_image=lambda image: [],
    ).value
    titled = _TITLE.search(converted)
    title = own or (one_line(shown(titled[1]).blocks.document("").text) if titled else "")
    warnings = [FORMULAS] * bool(marked) + [HIDDEN] * bool(cleared)
    return shown(converted).blocks.document(title or name, warnings)


def _formulas_marked(parts: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the body with a mark for each formula, which would otherwise vanish silently.

    Nothing if it has none.
    """
    body = parts.get(_BODY, b"")
    # Where the last one isn't closed, none is looked for: to search for its end takes long.
    if _FORMULA_BEGINS not in body or body.rfind(_FORMULA_BEGINS) > body.rfind(_FORMULA_ENDS):
        return {}
    return {_BODY: _FORMULA.sub(_IN_ITS_PLACE, body)}


def _packed(parts: Mapping[str, bytes]) -> bytes:
    file = BytesIO()
    with ZipFile(file, "w", ZIP_DEFLATED) as packed:
        for part, data in parts.items():
            packed.writestr(part, data)
    return file.getvalue()
