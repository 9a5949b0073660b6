"""Every kind of file that is accepted is read with its cells apart, its title, and its places."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from email.message import EmailMessage
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZipFile

import pytest
from openpyxl import Workbook

from countersign.sources import packed, quarantine
from countersign.sources.formats import read_file
from countersign.sources.locators import located
from countersign.sources.number_formats import shown_number
from countersign.sources.reading import Document, TooLong, Unreadable

Maker = Callable[..., bytes]

DRAWING = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
SLIDES = 'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"'
RELATION = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PARTS = 'xmlns="http://schemas.openxmlformats.org/package/2006/relationships"'
OASIS = "urn:oasis:names:tc:opendocument:xmlns"
CORE = "http://purl.org/dc/elements/1.1/"


def zipped(**parts: str) -> bytes:
    file = BytesIO()
    with ZipFile(file, "w", ZIP_DEFLATED) as made:
        for name, part in parts.items():
            made.writestr(name, part)
    return file.getvalue()


def workbook(make: Callable[[Workbook], None]) -> bytes:
    book, file = Workbook(), BytesIO()
    make(book)
    book.save(file)
    return file.getvalue()


def where(document: Document, words: str) -> str:
    start = document.text.index(words)
    return located(document.locators, document.text, start, start + len(words))


def refusal(name: str, data: bytes) -> str:
    with pytest.raises(Unreadable) as refused:
        read_file(name, data)
    return str(refused.value)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.csv", 'Region,Sales,Loss\nNorth,"1,700",\nSouth,7,10\n'),
        ("a.csv", "Region;Sales;Loss\r\nNorth;1,700;\r\nSouth;7;10\r\n"),
        ("a.csv", "sep=;\nRegion;Sales;Loss\nNorth;1,700;\nSouth;7;10"),  # as Excel writes it
        ("a.tsv", "Region\tSales\tLoss\nNorth\t1,700\nSouth\t7\t10"),  # a short row
    ],
)
def test_values_of_a_table_are_kept_apart(name: str, text: str) -> None:
    document = read_file(name, text.encode())
    assert document.text == "Region | Sales | Loss\nNorth | 1,700 |\nSouth | 7 | 10"
    assert document.title == "a"
    assert where(document, "7 | 10") == "row 3"


def test_a_row_of_a_table_is_numbered_as_in_a_sheet() -> None:
    document = read_file("a.csv", b'Region,Note\n,\nNorth,"one\ntwo"\nSouth,three')
    assert document.text == "Region | Note\n\nNorth | one two\nSouth | three"
    assert where(document, "three") == "row 4"
    assert where(document, "two\nSouth") == "row 3 to row 4"


def test_a_workbook_is_read_sheet_by_sheet_as_it_shows() -> None:
    def make(book: Workbook) -> None:
        costs = book.worksheets[0]
        costs.title = "Costs"
        costs.append(["Region", "Sales", "Share", "Since"])
        costs.append(["North", 1700, 0.153, datetime(2025, 3, 1)])  # noqa: DTZ001 - a cell's
        costs.append(["South", None, 7, 10])
        costs["B2"].number_format = "#,##0"
        costs["C2"].number_format = "0.0%"
        book.create_sheet("Second")["A5"] = "Fifth row"
        hidden = book.create_sheet("Secret")
        hidden["A1"] = "Not shown"
        hidden.sheet_state = "hidden"
        book.properties.title = "Costs of 2025"

    document = read_file("a.xlsx", workbook(make))
    assert document.title == "Costs of 2025"
    assert document.text == (
        "Region | Sales | Share | Since\nNorth | 1,700 | 15.3% | 2025-03-01\nSouth | | 7 | 10"
        "\n\nFifth row"
    )
    assert where(document, "South") == "sheet Costs, row 3"
    assert where(document, "Fifth") == "sheet Second, row 5"
    assert document.warnings == ("The sheet \u201cSecret\u201d is hidden, and not read.",)


def test_formulas_without_a_value_are_warned_of() -> None:
    def make(book: Workbook) -> None:
        book.worksheets[0].append([1, "=A1*2"])

    assert "calculated" in read_file("a.xlsx", workbook(make)).warnings[0]


@pytest.mark.parametrize(
    ("value", "number_format", "shown"),
    [
        (1234.5, "General", "1234.5"),
        (3.0, "General", "3"),
        (0.1 + 0.2, "General", "0.3"),
        (1234.5, "#,##0.00", "1,234.50"),
        (-1234.5, "#,##0.00;[Red](#,##0.00)", "(1,234.50)"),
        (0.153, "0%", "15%"),
        (4.2, '"\u20ac" 0.00', "\u20ac 4.20"),
        (4.2, "0.00 [$\u20ac-407]", "4.20 \u20ac"),
        (2.5, "0.##", "2.5"),
        (2.0, "0.##", "2"),
        (0.125, "# ?/?", "0.125"),  # a fraction: all digits rather than a guess
        (1.005, "0.00", "1.01"),  # rounded as people do
    ],
)
def test_a_number_is_read_as_its_sheet_shows_it(
    value: float, number_format: str, shown: str
) -> None:
    assert shown_number(value, number_format) == shown


def pptx(*slides: str, notes: str = "") -> bytes:
    numbers = range(1, len(slides) + 1)
    listed = "".join(f'<p:sldId id="{255 + n}" r:id="r{n}"/>' for n in reversed(numbers))
    related = "".join(
        f'<Relationship Id="r{n}" Type="{RELATION}/slide" Target="slides/slide{n}.xml"/>'
        for n in numbers
    )
    parts = {
        "ppt/presentation.xml": f'<p:presentation {SLIDES} xmlns:r="{RELATION}"><p:sldIdLst>'
        f"{listed}</p:sldIdLst></p:presentation>",
        "ppt/_rels/presentation.xml.rels": f"<Relationships {PARTS}>{related}</Relationships>",
    }
    for number, shapes in enumerate(slides, start=1):
        parts[f"ppt/slides/slide{number}.xml"] = slide(shapes)
    if notes:
        parts["ppt/slides/_rels/slide1.xml.rels"] = (
            f'<Relationships {PARTS}><Relationship Id="n" Type="{RELATION}/notesSlide"'
            ' Target="../notesSlides/notesSlide1.xml"/><Relationship Id="x" TargetMode="External"'
            f' Type="{RELATION}/notesSlide" Target="http://127.0.0.1:9/notes.xml"/></Relationships>'
        )
        parts["ppt/notesSlides/notesSlide1.xml"] = slide(shape(notes, "body"))
    return zipped(**parts)


def slide(shapes: str) -> str:
    return f"<p:sld {SLIDES} {DRAWING}><p:cSld><p:spTree>{shapes}</p:spTree></p:cSld></p:sld>"


def shape(text: str, placeholder: str = "") -> str:
    said = f'<p:nvPr><p:ph type="{placeholder}"/></p:nvPr>' if placeholder else "<p:nvPr/>"
    return (
        f"<p:sp><p:nvSpPr>{said}</p:nvSpPr><p:txBody><a:p><a:r><a:t>{text}</a:t></a:r></a:p>"
        "</p:txBody></p:sp>"
    )


def test_slides_are_read_in_their_order_title_first_with_tables_and_notes() -> None:
    cells = "".join(
        f"<a:tc><a:txBody><a:p><a:r><a:t>{text}</a:t></a:r></a:p></a:txBody></a:tc>"
        for text in ("7", "", "10")
    )
    table = f"<p:graphicFrame><a:tbl><a:tr>{cells}</a:tr></a:tbl></p:graphicFrame>"
    second = shape("Grain", "body") + shape("12", "sldNum") + shape("Mills", "title") + table
    document = read_file("talk.pptx", pptx(second, shape("Begin"), notes="Say it slowly."))
    assert document.text == "Begin\n\nMills\n\nGrain\n\n7 | | 10\n\nSay it slowly."
    assert where(document, "7 | | 10") == "slide 2"
    assert where(document, "slowly") == "slide 2, notes"
    assert document.title == "talk"


def test_charts_on_slides_are_warned_of() -> None:
    document = read_file("talk.pptx", pptx(shape("Mills") + "<p:graphicFrame/>"))
    assert document.warnings == ("Charts and diagrams are not read: slide 1.",)


def odt(body: str, styles: str = "", **parts: str) -> bytes:
    spaces = " ".join(f'xmlns:{each}="{OASIS}:{each}:1.0"' for each in ("office", "text", "table"))
    return zipped(
        **{
            "content.xml": f'<office:document-content {spaces} xmlns:style="{OASIS}:style:1.0">'
            f"<office:automatic-styles>{styles}</office:automatic-styles><office:body>"
            f"<office:text>{body}</office:text></office:body></office:document-content>",
            **parts,
        }
    )


def test_an_opendocument_text_is_read_as_it_shows() -> None:
    cell = "<table:table-cell><text:p>{}</text:p></table:table-cell>"
    row = f'{cell.format(7)}<table:table-cell table:number-columns-repeated="2"/>{cell.format(10)}'
    document = read_file(
        "a.odt",
        odt(
            "<text:tracked-changes><text:p>Deleted</text:p></text:tracked-changes>"
            '<text:p text:style-name="P1">On mills</text:p><text:h>Tides</text:h>'
            '<text:p>A mill<text:s text:c="3"/>has 10<text:span text:style-name="T1">6</text:span>'
            " sacks<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>A"
            " note.</text:p></text:note-body></text:note>.</text:p>"
            f"<table:table><table:table-row>{row}</table:table-row></table:table>",
            '<style:style style:name="P1" style:parent-style-name="Title"/><style:style'
            ' style:name="T1"><style:text-properties style:text-position="super 58%"/>'
            "</style:style>",
        ),
    )
    assert document.title == "On mills"
    assert document.text == (
        "On mills\n\nTides\n\nA mill has 10\u2076 sacks.\n\nA note.\n\n7 | | | 10"
    )
    assert where(document, "A mill has") == "section \u201cTides\u201d"


def test_a_table_that_repeats_itself_without_end_is_bounded() -> None:
    cell = (
        '<table:table-cell table:number-columns-repeated="999999999"><text:p>x</text:p>'
        "</table:table-cell>"
    )
    row = f'<table:table-row table:number-rows-repeated="999999999">{cell}</table:table-row>'
    with pytest.raises(TooLong):
        read_file("a.odt", odt(f"<table:table>{row * 3}</table:table>"))


def test_a_locked_opendocument_text_is_refused() -> None:
    manifest = {"META-INF/manifest.xml": "<manifest><encryption-data/></manifest>"}
    assert refusal("a.odt", odt("", **manifest)) == packed.LOCKED


def test_a_message_says_who_wrote_it_and_names_what_is_attached() -> None:
    message = EmailMessage()
    message["From"] = "Ada <ada@mill.example>"
    message["Subject"] = "\u00dcber die M\u00fchle"
    message.set_content("The mill grinds.")
    message.add_alternative("<p>The <b>mill</b> grinds.</p>", subtype="html")
    message.add_attachment(b"x", maintype="application", subtype="pdf", filename="plan.pdf")
    document = read_file("a.eml", bytes(message))
    assert document.title == "\u00dcber die M\u00fchle"
    assert document.text == (
        "From: Ada <ada@mill.example>\nSubject: \u00dcber die M\u00fchle\n\nThe mill grinds."
    )
    assert document.warnings == ("Attachments are not read: plan.pdf.",)
    assert where(document, "grinds") == "message"


def test_a_message_in_html_keeps_its_cells_apart() -> None:
    message = EmailMessage()
    message.set_content("<table><tr><td>7<td><td>10</table>", subtype="html")
    assert read_file("a.eml", bytes(message)).text == "7 | | 10"


BOMB = '<!DOCTYPE a [<!ENTITY b "bbbbbbbbbb"><!ENTITY c "&b;&b;&b;">]>'
AWAY = '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]>'


@pytest.mark.parametrize("declared", [BOMB, AWAY])
@pytest.mark.parametrize(
    ("name", "needed"),
    [
        ("a.docx", "[Content_Types].xml"),
        ("a.odt", "content.xml"),
        ("a.pptx", "ppt/presentation.xml"),
        ("a.xlsx", "xl/workbook.xml"),
    ],
)
def test_declared_entities_are_refused_in_every_part(name: str, needed: str, declared: str) -> None:
    for parts in ({needed: f"{declared}<a>&b;</a>"}, {needed: "<a/>", "x/y.xml": declared}):
        assert refusal(name, zipped(**parts)) == packed.DECLARES


@pytest.mark.parametrize("name", ["a.odt", "a.pptx", "a.xlsx"])
@pytest.mark.parametrize("data", [b"", b"no archive", b"PK\x03\x04 and so on"])
def test_what_is_no_archive_is_no_document(name: str, data: bytes) -> None:
    assert refusal(name, data) == packed.DAMAGED


def test_titles_that_programs_give_are_no_titles(docx: Maker) -> None:
    core = f'<c xmlns:d="{CORE}"><d:title>{{}}</d:title></c>'
    body = "<w:p><w:r><w:t>Text.</w:t></w:r></w:p>"
    for title, expected in (("Microsoft Word - x.doc", "n"), ("On mills", "On mills")):
        data = docx(body, **{"docProps/core.xml": core.format(title).encode()})
        assert read_file("n.docx", data).title == expected


async def test_a_workbook_with_a_cell_at_its_farthest_end_is_bounded() -> None:
    def make(book: Workbook) -> None:
        book.worksheets[0]["XFD1048576"] = "far"

    document = await quarantine.read_apart("a.xlsx", workbook(make))
    assert where(document, "far") == "sheet Sheet, row 1048576"
