"""How much of a long text is laid out is bounded by what it costs, and no word of it is hidden."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from countersign.review.chapters import LONGEST_BLOCK, MOST_MARKS
from countersign.review.dialect import dialect
from countersign.review.render import to_html

if TYPE_CHECKING:
    from markdown_it.token import Token

CHARACTERS = 2_000_000
CHAPTER = 150_000
MOST_TOKENS = 3 * MOST_MARKS
"""What is open, within and closed of each mark."""

PIECES = (
    "*a* ", "> > > > a\n", "- a\n", "1. a\n", "a\n\n", "[a](b) ", "[", "\\*", "&amp;", "`a", "_a",
    "[^a] ", "<a:b>", "[d]: x\n\n", "| a | b |\n|---|---|\n| c | d |\n\n", "~~a~~ ", "![a](b) ",
)  # fmt: skip

SENTENCE = "The tide *rises* twice a day (says [the office](https://example.org/tides), in part). "
PARAGRAPH = SENTENCE * 6 + "\n\n"


def tokens(text: str) -> int:
    def all_of(some: Sequence[Token]) -> Iterator[Token]:
        for each in some:
            yield each
            yield from all_of(each.children or ())

    return sum(1 for _ in all_of(dialect().parse(text)))


@pytest.mark.parametrize("piece", PIECES)
def test_of_a_text_full_of_marks_a_bounded_part_is_laid_out(piece: str) -> None:
    chapter = "# Chapter\n\n" + piece * (CHAPTER // len(piece)) + "\n\n"
    text = chapter * (CHARACTERS // len(chapter))
    assert tokens(text) < MOST_TOKENS


def test_of_a_text_of_headings_alone_too() -> None:
    text = "# a\n" * (CHARACTERS // 4)
    assert tokens(text) < MOST_TOKENS
    html = to_html(text)
    assert html.count("more formatting than can be shown") == 1
    assert html.count("<h1>") + html.count("# a") == CHARACTERS // 4


def test_a_book_is_laid_out_whole() -> None:
    chapter = "## Chapter\n\n" + PARAGRAPH * 20
    count = CHARACTERS // len(chapter)
    html = to_html(chapter * count)
    assert html.count("<h2>") == count
    assert "as it is written" not in html


def test_chapters_that_can_be_laid_out_are_after_one_that_can_not() -> None:
    html = to_html(
        "# One\n\n*1*\n\n# Two\n\n" + "*2* " * (LONGEST_BLOCK // 5) + "\n\n# Three\n\n*3*\n" * 2
    )
    assert html.count("<h1>Three</h1>") == 2


@settings(max_examples=8, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(PIECES), st.integers(1, 15_000)), min_size=3, max_size=9))
def test_every_word_is_shown_however_much_is_laid_out(runs: list[tuple[str, int]]) -> None:
    parts = [
        f"# word{number}\n\n{piece * times}\n\nend{number}\n\n"
        for number, (piece, times) in enumerate(runs)
    ]
    shown = re.sub("<[^>]*>", "", to_html("".join(parts)))
    for number in range(len(parts)):
        assert f"word{number}" in shown
        assert f"end{number}" in shown
