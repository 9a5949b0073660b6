"""What nobody who reads a document sees is not read from it, and its person is told.

`hidden.odt` and `hidden.pptx` were written by odfpy 1.4 and python-pptx 1.0; in both, every text
that says SECRET is hidden or deleted.
"""

from __future__ import annotations

from collections.abc import Callable
from email.message import EmailMessage
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest
from openpyxl import Workbook

from countersign.sources.formats import read_file
from countersign.sources.hidden import HIDDEN, HIDDEN_ROWS
from countersign.sources.html import read_html
from countersign.sources.locators import located
from countersign.sources.reading import Unreadable

Maker = Callable[..., bytes]

FILES = Path(__file__).parent / "files"


def test_nothing_hidden_in_an_opendocument_text_is_read() -> None:
    document = read_file("hidden.odt", (FILES / "hidden.odt").read_bytes())
    assert document.text == (
        "The bridge\n\nThe bridge is safe.\n\nA section that shows.\n\nA paragraph that shows.\n\n"
        "Before after.\n\nYear | | Cost\n2024 | | 7\n\nThe end."
    )
    assert document.warnings == (HIDDEN,)


OASIS = "urn:oasis:names:tc:opendocument:xmlns"


def odt(body: str, styles: str = "") -> bytes:
    """Return an OpenDocument text with these blocks and styles."""
    kinds = ("office", "style", "text", "table")
    spaces = " ".join(f'xmlns:{each}="{OASIS}:{each}:1.0"' for each in kinds)
    file = BytesIO()
    with ZipFile(file, "w") as packed:
        packed.writestr(
            "content.xml",
            f"<office:document-content {spaces}><office:automatic-styles>{styles}"
            f"</office:automatic-styles><office:body><office:text>{body}</office:text>"
            "</office:body></office:document-content>",
        )
    return file.getvalue()


def test_a_hidden_column_is_the_one_that_is_not_read_after_repeated_cells() -> None:
    cell = "<table:table-cell{}><text:p>{}</text:p></table:table-cell>"
    repeated = ' table:number-columns-repeated="2"'
    column = "<table:table-column{}/>"
    collapsed = ' table:visibility="collapse"'
    body = (
        f"<table:table>{column.format(collapsed + repeated)}{column.format('')}"
        f"{column.format(collapsed)}<table:table-row>{cell.format(repeated, 'SECRET')}"
        f"{cell.format('', 'shown')}{cell.format('', 'SECRET')}</table:table-row></table:table>"
    )
    document = read_file("n.odt", odt(body))
    assert "shown" in document.text
    assert "SECRET" not in document.text
    assert document.warnings == (HIDDEN,)


@pytest.mark.parametrize(
    "hidden", ["<text:p>SECRET</text:p>", '<text:p text:style-name="B">SECRET</text:p>']
)
def test_what_an_opendocument_text_hides_unless_a_style_says_otherwise_is_not_read(
    hidden: str,
) -> None:
    display = '<style:text-properties text:display="{}"/>'
    styles = (
        f'<style:default-style style:family="paragraph">{display.format("none")}'
        '</style:default-style><style:style style:family="paragraph" style:name="A">'
        f"{display.format('true')}</style:style>"
        '<style:style style:family="paragraph" style:name="B"/>'
    )
    body = f'<text:p text:style-name="A">It is so.</text:p>{hidden}'
    document = read_file("n.odt", odt(body, styles))
    assert (document.text, document.warnings) == ("It is so.", (HIDDEN,))


def test_nothing_hidden_in_a_presentation_is_read() -> None:
    document = read_file("hidden.pptx", (FILES / "hidden.pptx").read_bytes())
    assert document.text == (
        "The bridge\n\nIt is safe.\n\nSay it slowly.\n\nThe end\n\nIt is over."
    )
    assert document.warnings == ("Hidden slides are not read: slide 2.", HIDDEN)
    place = document.text.index("It is over")
    assert located(document.locators, document.text, place, place + 1) == "slide 3"


@pytest.fixture
def book() -> Workbook:
    book = Workbook()
    for row in (("Year", "Cost", "Note"), (2023, 9, "a"), (2024, 7, "b")):
        book.worksheets[0].append(row)
    return book


def text_and_warnings(book: Workbook) -> tuple[str, tuple[str, ...]]:
    file = BytesIO()
    book.save(file)
    document = read_file("a.xlsx", file.getvalue())
    return document.text, document.warnings


def test_hidden_rows_of_a_sheet_are_not_read_and_keep_their_numbers(book: Workbook) -> None:
    book.worksheets[0].row_dimensions[2].hidden = True
    assert text_and_warnings(book) == ("Year | Cost | Note\n\n2024 | 7 | b", (HIDDEN_ROWS,))


def test_hidden_columns_of_a_sheet_are_not_read(book: Workbook) -> None:
    book.worksheets[0].column_dimensions.group("B", "B", hidden=True)
    expected = "Year | Note\n2023 | a\n2024 | b"
    assert text_and_warnings(book) == (expected, (HIDDEN_ROWS,))


def test_a_value_that_its_format_hides_is_not_read(book: Workbook) -> None:
    book.worksheets[0]["B2"].number_format = ";;;"
    expected = "Year | Cost | Note\n2023 | | a\n2024 | 7 | b"
    assert text_and_warnings(book) == (expected, (HIDDEN_ROWS,))


def test_hidden_rows_and_columns_without_values_are_not_warned_of(book: Workbook) -> None:
    book.worksheets[0].row_dimensions[9].hidden = True
    book.worksheets[0].column_dimensions["F"].hidden = True
    assert text_and_warnings(book) == ("Year | Cost | Note\n2023 | 9 | a\n2024 | 7 | b", ())


@pytest.mark.parametrize(
    ("page", "text", "is_warned"),
    [
        ("<p>yes<p hidden>no", "yes", True),
        ('<p>yes<div style="display:none">no</div>', "yes", True),
        ('<p>yes<span style="visibility: hidden">no</span>', "yes", True),
        ("<p>yes<dialog>no</dialog>", "yes", True),
        ("<p>yes<dialog open>too</dialog>", "yes\n\ntoo", False),
        ("<p>yes<details><summary>More</summary>too</details>", "yes\n\nMore\n\ntoo", False),
        ('<p>yes <span aria-hidden="true">too</span>', "yes too", False),  # it shows
        ("<p>yes<template>no</template>", "yes", False),  # what no page shows needs no warning
        ("<p>yes<nav hidden>Home</nav><script>no</script>", "yes", False),
        ("<p>yes<div hidden> <img><script>no</script></div>", "yes", False),  # no words
    ],
)
def test_hidden_parts_of_a_page_are_not_read(page: str, text: str, is_warned: bool) -> None:
    document = read_html(page, "page")
    assert (document.text, document.warnings) == (text, (HIDDEN,) * is_warned)


def test_hidden_parts_of_a_message_are_not_read() -> None:
    message = EmailMessage()
    message.set_content("<p>The mill grinds.<p hidden>It stands still.", subtype="html")
    document = read_file("a.eml", bytes(message))
    assert (document.text, document.warnings) == ("The mill grinds.", (HIDDEN,))


WORD_SPACE = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def in_styles(said: str) -> dict[str, bytes]:
    return {"word/styles.xml": f"<w:styles {WORD_SPACE}>{said}</w:styles>".encode()}


HIDING_BODY = (
    '<w:p><w:r><w:rPr><w:vanish w:val="0"/></w:rPr><w:t>It is so.</w:t></w:r></w:p>'
    "<w:p><w:r><w:rPr><w:vanish/></w:rPr><w:t>SECRET</w:t></w:r></w:p>"
)


def repacked(file: bytes, change: Callable[[str, bytes], tuple[str, bytes]]) -> bytes:
    """Return a packed document with another name or content for each part."""
    written = BytesIO()
    with ZipFile(BytesIO(file)) as old, ZipFile(written, "w") as new:
        for part in old.namelist():
            new.writestr(*change(part, old.read(part)))
    return written.getvalue()


def in_utf_16(part: str, data: bytes) -> tuple[str, bytes]:
    return part, data.decode().encode("utf-16") if part == "word/document.xml" else data


def strict(part: str, data: bytes) -> tuple[str, bytes]:
    usual = b"http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    return part, data.replace(usual, b"http://purl.oclc.org/ooxml/wordprocessingml/main")


def under_another_name(part: str, data: bytes) -> tuple[str, bytes]:
    return part.replace("document.xml", "text.xml"), data.replace(b"document.xml", b"text.xml")


@pytest.mark.parametrize("change", [in_utf_16, strict, under_another_name])
def test_what_word_hides_is_not_said_however_it_is_stored(
    docx: Maker, change: Callable[[str, bytes], tuple[str, bytes]]
) -> None:
    document = read_file("n.docx", repacked(docx(HIDING_BODY), change))
    assert (document.text, document.warnings) == ("It is so.", (HIDDEN,))


@pytest.mark.parametrize(
    "styles",
    [
        '<w:style w:type="paragraph" w:default="1" w:styleId="Normal">{}</w:style>',
        "<w:docDefaults><w:rPrDefault>{}</w:rPrDefault></w:docDefaults>",
        '<w:docDefaults><w:rPrDefault>{}</w:rPrDefault></w:docDefaults><w:style w:type="paragraph"'
        ' w:default="1" w:styleId="Normal"/>',
    ],
)
def test_what_is_hidden_unless_it_says_otherwise_is_not_said(docx: Maker, styles: str) -> None:
    body = HIDING_BODY.replace("<w:vanish/>", "")
    said = styles.format("<w:rPr><w:vanish/></w:rPr>")
    document = read_file("n.docx", docx(body, **in_styles(said)))
    assert (document.text, document.warnings) == ("It is so.", (HIDDEN,))


SHOWN = "<w:p><w:r><w:t>It is so.</w:t></w:r></w:p>"
BOX = "<w:txbxContent><w:p><w:r><w:t>SECRET</w:t></w:r></w:p></w:txbxContent>"
SHAPE = (
    '<w:pict><v:shape xmlns:v="urn:schemas-microsoft-com:vml">'
    f"<v:textbox>{BOX}</v:textbox></v:shape></w:pict>"
)
ALTERNATIVES = (
    '<mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006">'
    f"<mc:Fallback>{SHAPE}</mc:Fallback></mc:AlternateContent>"
)


@pytest.mark.parametrize("box", [SHAPE, ALTERNATIVES])
def test_a_text_box_that_is_fastened_to_hidden_text_is_not_read(docx: Maker, box: str) -> None:
    run = "<w:p><w:r>{}" + box + "</w:r></w:p>"
    assert "SECRET" in read_file("n.docx", docx(SHOWN + run.format(""))).text
    document = read_file("n.docx", docx(SHOWN + run.format("<w:rPr><w:vanish/></w:rPr>")))
    assert (document.text, document.warnings) == ("It is so.", (HIDDEN,))


def table_of(style: str, cell: str) -> str:
    """Return a table of one cell in Word's format."""
    return (
        f'<w:tbl><w:tblPr><w:tblStyle w:val="{style}"/></w:tblPr>'
        f"<w:tr><w:tc>{cell}</w:tc></w:tr></w:tbl>"
    )


@pytest.mark.parametrize("style", ["Hiding", "Based"])
def test_what_the_style_of_a_table_hides_is_not_read(docx: Maker, style: str) -> None:
    styles = in_styles(
        '<w:style w:type="table" w:styleId="Hiding"><w:rPr><w:vanish/></w:rPr></w:style>'
        '<w:style w:type="table" w:styleId="Based"><w:basedOn w:val="Hiding"/></w:style>'
    )
    body = SHOWN + table_of(style, SHOWN.replace("It is so.", "SECRET"))
    document = read_file("n.docx", docx(body, **styles))
    assert "SECRET" not in document.text
    assert document.warnings == (HIDDEN,)


def test_a_style_of_tables_that_says_nothing_hides_nothing(docx: Maker) -> None:
    hiding = "<w:rPr><w:vanish/></w:rPr>"
    styles = in_styles(
        f"<w:docDefaults><w:rPrDefault>{hiding}</w:rPrDefault></w:docDefaults>"
        '<w:style w:type="paragraph" w:default="1" w:styleId="Normal">'
        '<w:rPr><w:vanish w:val="0"/></w:rPr></w:style>'
        '<w:style w:type="table" w:styleId="Plain"/>'
    )
    document = read_file("n.docx", docx(table_of("Plain", SHOWN), **styles))
    assert "It is so." in document.text
    assert document.warnings == ()


def rewritten(book: Workbook, old: str, new: str) -> bytes:
    """Return a saved workbook with other text in its parts."""
    file = BytesIO()
    book.save(file)

    def change(part: str, data: bytes) -> tuple[str, bytes]:
        return part, data.replace(old.encode(), new.encode())

    return repacked(file.getvalue(), change)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('<row r="2"', '<row hidden = "1" r="2"'),
        ('<row r="2"', "<row hidden\n=' true ' r='2'"),
        *(
            ('<row r="2"', f'<row ht="{size}" customHeight="1" r="2"')
            for size in ("0", "0.", "0e0", "-0", "0.001")
        ),
    ],
)
def test_a_hidden_row_is_not_read_however_it_is_written(book: Workbook, old: str, new: str) -> None:
    document = read_file("a.xlsx", rewritten(book, old, new))
    assert document.text == "Year | Cost | Note\n\n2024 | 7 | b"
    assert document.warnings == (HIDDEN_ROWS,)


@pytest.mark.parametrize("size", ["0.2", "15", "", "x"])
def test_a_row_of_another_height_is_read(book: Workbook, size: str) -> None:
    document = read_file("a.xlsx", rewritten(book, '<row r="2"', f'<row ht="{size}" r="2"'))
    assert (document.text, document.warnings) == (
        "Year | Cost | Note\n2023 | 9 | a\n2024 | 7 | b",
        (),
    )


def test_a_column_without_width_is_not_read(book: Workbook) -> None:
    columns = '<cols><col min="2" max="2" width="0" customWidth="1"/></cols><sheetData>'
    document = read_file("a.xlsx", rewritten(book, "<sheetData>", columns))
    assert (document.text, document.warnings) == ("Year | Note\n2023 | a\n2024 | b", (HIDDEN_ROWS,))


def test_hidden_rows_in_another_encoding_are_not_read(book: Workbook) -> None:
    book.worksheets[0].row_dimensions[2].hidden = True
    file = BytesIO()
    book.save(file)

    def in_utf_16(part: str, data: bytes) -> tuple[str, bytes]:
        return part, data.decode().encode("utf-16") if "worksheets/" in part else data

    document = read_file("a.xlsx", repacked(file.getvalue(), in_utf_16))
    assert (document.text, document.warnings) == (
        "Year | Cost | Note\n\n2024 | 7 | b",
        (HIDDEN_ROWS,),
    )


def test_a_workbook_with_two_sheets_of_one_name_is_not_read(book: Workbook) -> None:
    book.worksheets[0].row_dimensions[2].hidden = True
    book.create_sheet("Other").append(["x"])
    with pytest.raises(Unreadable):
        read_file("a.xlsx", rewritten(book, 'name="Other"', 'name="Sheet"'))


def test_a_workbook_with_a_second_list_of_sheets_is_not_read(book: Workbook) -> None:
    book.worksheets[0].row_dimensions[2].hidden = True
    file = BytesIO()
    book.save(file)

    def elsewhere(part: str, data: bytes) -> tuple[str, bytes]:
        return part, data.replace(b"/xl/workbook.xml", b"/xl/other.xml")

    hidden = BytesIO(repacked(file.getvalue(), elsewhere))
    with ZipFile(hidden, "a") as packed:
        packed.writestr("xl/other.xml", packed.read("xl/workbook.xml"))
        packed.writestr("xl/_rels/other.xml.rels", packed.read("xl/_rels/workbook.xml.rels"))
    with pytest.raises(Unreadable):
        read_file("a.xlsx", hidden.getvalue())
