"""Files of the kinds that people send along, made here so that each shows what it is for."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZipFile

import pytest

from bench.evidence.pdfs import assembled


@pytest.fixture(scope="session")
def pdf() -> Callable[..., bytes]:
    """Makes PDFs (ISO 32000-1) with a line of text on each page."""

    def make(*pages: str) -> bytes:
        places = [4 + 2 * number for number in range(len(pages))]
        kids = " ".join(f"{place} 0 R" for place in places)
        objects = [
            "<</Type/Catalog/Pages 2 0 R>>",
            f"<</Type/Pages/Kids[{kids}]/Count {len(pages)}>>",
            "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
        ]
        for place, text in zip(places, pages, strict=True):
            drawn = f"BT /F1 12 Tf 72 720 Td ({text}) Tj ET"
            objects += [
                f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents {place + 1} 0 R"
                "/Resources<</Font<</F1 3 0 R>>>>>>",
                f"<</Length {len(drawn)}>>stream\n{drawn}\nendstream",
            ]
        return assembled(objects)

    return make


@pytest.fixture(scope="session")
def docx() -> Callable[..., bytes]:
    """Makes Word documents (ECMA-376) of a body in WordprocessingML, with other parts besides."""
    office = "http://schemas.openxmlformats.org"
    document = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
    types = (
        f'<Types xmlns="{office}/package/2006/content-types">'
        '<Default Extension="rels"'
        ' ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Override PartName="/word/document.xml" ContentType="{document}"/></Types>'
    )
    relations = (
        f'<Relationships xmlns="{office}/package/2006/relationships"><Relationship Id="r1"'
        f' Type="{office}/officeDocument/2006/relationships/officeDocument"'
        ' Target="word/document.xml"/></Relationships>'
    )

    def make(body: str, method: int = ZIP_DEFLATED, **parts: bytes) -> bytes:
        file = BytesIO()
        with ZipFile(file, "w", method) as packed:
            packed.writestr("[Content_Types].xml", types)
            packed.writestr("_rels/.rels", relations)
            space = f'xmlns:w="{office}/wordprocessingml/2006/main"'
            content = f"<w:document {space}><w:body>{body}</w:body></w:document>"
            packed.writestr("word/document.xml", content)
            for name, part in parts.items():
                packed.writestr(name, part)
        return file.getvalue()

    return make
