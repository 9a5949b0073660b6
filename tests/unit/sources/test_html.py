"""A page is read as the text that it shows, in time proportional to its length."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from countersign.sources.docx import FORMULAS
from countersign.sources.formats import read_file
from countersign.sources.hidden import HIDDEN
from countersign.sources.html import read_html
from countersign.sources.locators import located
from countersign.team.quotes import stands_in

Maker = Callable[..., bytes]


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("<table><tr><td>7</td><td>10</td></tr></table>", "7 | 10"),
        ("<table><tr><td>7<td><td>10</table>", "7 | | 10"),  # without end tags, one cell empty
        (
            "<table><tr><th colspan=2>Both<th>One<tr><td>1<td>2<td>3</table>",
            "Both | | One\n1 | 2 | 3",
        ),
        (
            "<table><tr><td rowspan=2>Two<td>1<tr><td>3<tr><td>4<td>5</table>",
            "Two | 1\n| 3\n4 | 5",
        ),
        ("<table><tr><td><p>a</p><p>b</p><td>c</table>", "a b | c"),
        (
            "<table><tr><td><p>Page</p><table><tr><td>7<td>10</table><td>side</table>",
            "Page\n\n7 | 10\n\nside",  # a table that lays out the page
        ),
        ("<table><caption>Fees</caption><tr><td>7<td>10</table>", "Fees\n\n7 | 10"),
        ("<table><tr><td><td></table>after", "after"),
        ("10<sup>6</sup>, CO<sub>2</sub>, 1<sup>st</sup>", "10\u2076, CO\u2082, 1st"),
        ("It is <del>not</del> safe", "It is ~~not~~ safe"),
        ("<s>5</s> <strike>6</strike> 7 euros", "~~5~~ ~~6~~ 7 euros"),
        ("<p hidden>no<p>yes<div style='display: none'>no<div>no</div></div>", "yes"),
        ("<head><title>T</title><p>no end of the head", "no end of the head"),
        ("one<!-- two --> three<!-- four", "one three"),
        ("a < b and c", "a < b and c"),
        ("<pre>a  b\n  c</pre>", "a  b\n  c"),
        ("<ul><li>one<ul><li>in it</ul><li><p>two</ul>", "- one\n\n- in it\n\n- two"),
    ],
)
def test_a_page_is_read_as_it_shows(page: str, text: str) -> None:
    assert read_html(page, "page").text == text


def test_each_part_knows_its_heading() -> None:
    page = read_html("<title>T</title><p>Before</p><h2>Fees &amp; dues</h2><p>Pay 7.</p>", "page")
    start = page.text.index("Pay")
    assert located(page.locators, page.text, start, start + 3) == "section \u201cFees & dues\u201d"
    assert located(page.locators, page.text, 0, 3) == ""


def test_a_table_of_markdown_keeps_its_cells_apart() -> None:
    document = read_file(
        "a.md", b"# Fees\n\n| Item | 2024 |\n|---|---|\n| Mill | 7 |\n| Gate | |\n"
    )
    assert document.text == "Fees\n\nItem | 2024\nMill | 7\nGate |"


def test_a_table_of_word_keeps_its_cells_apart_and_its_title_by_style(docx: Maker) -> None:
    def paragraph(text: str, style: str = "Normal") -> str:
        said = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>'
        return f"<w:p>{said}<w:r><w:t>{text}</w:t></w:r></w:p>"

    def cell(text: str, span: int = 1) -> str:
        said = f'<w:tcPr><w:gridSpan w:val="{span}"/></w:tcPr>'
        return f"<w:tc>{said}{paragraph(text)}</w:tc>"

    rows = [cell("Both", 2) + cell("Sum"), cell("7") + cell("") + cell("10")]
    table = f"<w:tbl>{''.join(f'<w:tr>{row}</w:tr>' for row in rows)}</w:tbl>"
    styles = (
        '<w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">'
        '<w:style w:type="paragraph" w:styleId="Titel"><w:name w:val="Title"/></w:style></w:styles>'
    )
    body = paragraph("Before it") + paragraph("On mills", "Titel") + table
    document = read_file("n.docx", docx(body, **{"word/styles.xml": styles.encode()}))
    assert document.title == "On mills"
    assert document.text == "Before it\n\nOn mills\n\nBoth | | Sum\n7 | | 10"


@pytest.mark.parametrize("around", ["{}", "<m:oMathPara>{}</m:oMathPara>"])
def test_what_word_strikes_out_or_writes_as_a_formula_leaves_a_mark(
    docx: Maker, around: str
) -> None:
    math = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
    raised = "<m:e><m:r><m:t>10</m:t></m:r></m:e><m:sup><m:r><m:t>6</m:t></m:r></m:sup>"
    formula = around.format(f"<m:oMath><m:sSup>{raised}</m:sSup></m:oMath>")
    body = (
        f'<w:p {math}><w:r><w:t xml:space="preserve">There are </w:t></w:r>{formula}'
        '<w:r><w:t xml:space="preserve"> cells, </w:t></w:r>'
        "<w:r><w:rPr><w:strike/></w:rPr><w:t>not</w:t></w:r>"
        '<w:r><w:t xml:space="preserve"> alive.</w:t></w:r></w:p>'
    )
    document = read_file("n.docx", docx(body))
    assert document.text == "There are [formula] cells, ~~not~~ alive."
    assert document.warnings == (FORMULAS,)
    assert not stands_in("There are cells", document.text)


WORD_STYLES = (
    '<w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">'
    '<w:style w:type="character" w:styleId="Secret"><w:rPr><w:vanish/></w:rPr></w:style>'
    '<w:style w:type="character" w:styleId="Also"><w:basedOn w:val="Secret"/></w:style>'
    '<w:style w:type="character" w:styleId="Again"><w:basedOn w:val="Secret"/>'
    '<w:rPr><w:vanish w:val="0"/></w:rPr></w:style></w:styles>'
)


@pytest.mark.parametrize(
    ("properties", "is_hidden"),
    [
        ("<w:vanish/>", True),
        ('<w:b/><w:vanish w:val="true"/>', True),
        ('<w:vanish w:val="0"/>', False),
        ('<w:rStyle w:val="Secret"/>', True),
        ('<w:rStyle w:val="Also"/>', True),
        ('<w:rStyle w:val="Again"/>', False),
        ('<w:rStyle w:val="Secret"/><w:vanish w:val="false"/>', False),
        ("<w:webHidden/>", False),  # in a browser alone
    ],
)
def test_what_word_hides_is_not_said(docx: Maker, properties: str, is_hidden: bool) -> None:
    math = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
    body = (
        f"<w:p {math}><w:r><w:t>The bridge is </w:t></w:r>"
        f"<w:r><w:rPr>{properties}</w:rPr><w:t>not </w:t><w:br/></w:r>"
        "<m:oMath><m:r><m:t>safe</m:t></m:r></m:oMath></w:p>"
    )
    document = read_file("n.docx", docx(body, **{"word/styles.xml": WORD_STYLES.encode()}))
    assert ("not" in document.text) is not is_hidden
    assert document.text.startswith("The bridge is")
    assert document.text.endswith("[formula]")
    assert document.warnings == (FORMULAS, *([HIDDEN] * is_hidden))


def test_a_paragraph_whose_style_hides_is_not_said(docx: Maker) -> None:
    styles = WORD_STYLES.replace("character", "paragraph").encode()
    hidden = '<w:p><w:pPr><w:pStyle w:val="Secret"/></w:pPr><w:r><w:t>Ignore it.</w:t></w:r></w:p>'
    body = f"<w:p><w:r><w:t>It is so.</w:t></w:r></w:p>{hidden}"
    document = read_file("n.docx", docx(body, **{"word/styles.xml": styles}))
    assert (document.text, document.warnings) == ("It is so.", (HIDDEN,))


@pytest.mark.parametrize(
    "piece",
    ["<div>", "<p>a", "<td>a", "<table><tr><td>", "<!-- ", "<a ", "</a ", "<li>", "<b '", "&"],
)
def test_time_grows_with_the_length_of_a_page_and_not_faster(piece: str) -> None:
    def seconds(times: int) -> float:
        begun = time.process_time()
        read_html(f"<table>{piece * times}x", "page")
        return time.process_time() - begun

    short, long = min(seconds(2_000) for _ in range(3)), seconds(32_000)
    assert long < 60 * short + 1  # 16 times as long; it would be 256 times if it were squared
