"""What nobody who reads a document sees is not read from it, and its person is told.

`hidden.odt` and `hidden.pptx` were written by odfpy 1.4 and python-pptx 1.0; in both, every text
that says SECRET is hidden or deleted.
"""

from __future__ import annotations

from email.message import EmailMessage
from io import BytesIO
from pathlib import Path

import pytest
from openpyxl import Workbook

from countersign.sources.formats import read_file
from countersign.sources.hidden import HIDDEN, HIDDEN_ROWS
from countersign.sources.html import read_html
from countersign.sources.locators import located

FILES = Path(__file__).parent / "files"


def test_nothing_hidden_in_an_opendocument_text_is_read() -> None:
    document = read_file("hidden.odt", (FILES / "hidden.odt").read_bytes())
    assert document.text == (
        "The bridge\n\nThe bridge is safe.\n\nA section that shows.\n\nA paragraph that shows.\n\n"
        "Before after.\n\nYear | | Cost\n2024 | | 7\n\nThe end."
    )
    assert document.warnings == (HIDDEN,)


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
