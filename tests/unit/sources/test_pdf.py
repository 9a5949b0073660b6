"""PDFs as typesetters make them are read in the order in which people read them."""

from __future__ import annotations

from pathlib import Path

import pytest

from countersign.sources.documents import DocumentLibrary
from countersign.sources.formats import read_file
from countersign.sources.locators import located
from countersign.sources.reading import Document
from countersign.team.folded import FoldedText
from countersign.team.models import Citation
from countersign.team.quotes import passages

FILES = Path(__file__).parent / "files"


def read(name: str) -> Document:
    return read_file(name, (FILES / name).read_bytes())


@pytest.fixture(scope="module")
def article() -> Document:
    """Two columns, a head and a foot on each page, a note, and two tables; made by Typst."""
    return read("two_columns.pdf")


@pytest.fixture(scope="module")
def report() -> Document:
    """One column, heads and feet, and tables with lines around their cells; made by ReportLab."""
    return read("report.pdf")


def where(document: Document, words: str) -> str:
    start = document.text.index(words)
    return located(document.locators, document.text, start, start + len(words))


def test_columns_are_read_one_after_the_other(article: Document) -> None:
    cases = [article.text.index(f"The rule of case {number} is") for number in range(1, 16)]
    assert cases == sorted(cases)
    for number in range(1, 16):
        assert FoldedText(article.text).has(
            f"The rule of case {number} is that an activity which failed is tried again after a"
            " pause, and that its notification carries a key of length"
        )
    assert article.warnings == ()


def test_what_stands_over_both_columns_comes_first(article: Document) -> None:
    assert article.text.startswith("Retries, in two columns\n")


def test_running_heads_feet_and_page_numbers_are_left_out(
    article: Document, report: Document
) -> None:
    assert "Journal of Retries" not in article.text
    assert "Volume" not in article.text
    assert "Annual report" not in report.text
    assert "Page" not in report.text


def test_a_note_comes_after_the_text_of_its_page_and_keeps_its_page(article: Document) -> None:
    assert where(article, "A note on case two.") == "p. 1"
    assert "tell.\u00b9\n\nThe rule of case 3" in article.text


def test_raised_figures_stay_raised(article: Document) -> None:
    assert "length 10\u2076 by" in article.text
    assert not FoldedText(article.text).has("carries a key of length 106")


@pytest.mark.parametrize(
    "table",
    [
        "Item | 2024 | 2025\nRetries | 7 | 10\nLimits | | 5",
        "A long label of two lines | 1,700 | 2",
        "Item | 2024 | 2025\nKeys | 3 | 14\nGaps | | 8",  # without any lines around its cells
    ],
)
def test_cells_are_kept_apart_and_empty_ones_show(article: Document, table: str) -> None:
    assert table in article.text


@pytest.mark.parametrize(
    "table",
    [
        "Region | Sacks | Loss\nNorth | 1,700 |\nSouth | 7 | 10\n"
        "Both regions together, as they were counted | 1,707 | 10",
        "Year | 2024 | | 2025 |\n| In | Out | In | Out\nGate A | 1 | 2 | 3 | 4",  # merged cells
    ],
)
def test_the_lines_of_a_table_say_what_its_cells_are(report: Document, table: str) -> None:
    assert table in report.text


def test_figures_of_two_cells_are_no_number(report: Document) -> None:
    text = FoldedText(report.text)
    assert text.has("South | 7 | 10")
    assert not text.has("South 710")
    assert not text.has("South | 710")


def test_each_part_knows_its_page(article: Document, report: Document) -> None:
    assert where(report, "In month 1 ") == "p. 1"
    assert where(report, "In month 30 ") == "p. 2"
    assert where(article, "The end comes") == "p. 2"


def test_a_sentence_that_goes_on_overleaf_is_one(report: Document) -> None:
    texts = report.text.split("\n\n")
    assert all(text.endswith(".") for text in texts if text.startswith("In month"))


def test_a_quote_says_on_which_page_it_is(report: Document) -> None:
    documents = [
        {
            "title": "Mill",
            "text": report.text,
            "locators": [
                {"start": each.start, "label": each.label, "first_row": each.first_row}
                for each in report.locators
            ],
        }
    ]
    quote = "In month 30 the mill ground grain at every tide"
    cited = [Citation(quote=quote, source="doc-1"), Citation(quote="No such words", source="doc-1")]
    found, missing = passages(cited, DocumentLibrary(documents))
    assert found is not None
    assert found.where == "p. 2"
    assert missing is None


def test_a_pdf_is_called_as_its_author_calls_it_and_else_as_its_file(
    article: Document, report: Document
) -> None:
    assert article.title == "Retries, in two columns"
    assert report.title == "report"
