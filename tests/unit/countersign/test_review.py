"""What a reviewer's browser is given can do nothing but be read."""

from __future__ import annotations

import pytest

from countersign.review.changes import MOST_LINES, changed_lines
from countersign.review.render import to_html


def test_markdown_becomes_html() -> None:
    html = to_html("# Title\n\nSome *text* with [a link](https://example.org).\n")
    assert "<h1>Title</h1>" in html
    assert 'href="https://example.org"' in html
    assert "noopener" in html


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "[x](javascript:alert(1))",
        "[x](JaVaScRiPt:alert(1))",
        "[x](data:text/html;base64,PHNjcmlwdD4=)",
        "![x](https://tracker.example/pixel.png)",
        '<a href="https://example.org" onclick="alert(1)">x</a>',
        "<style>*{display:none}</style>",
        "<iframe src=https://example.org></iframe>",
        "| a |\n|---|\n| <svg onload=alert(1)> |",
    ],
)
def test_no_text_becomes_active_markup(text: str) -> None:
    html = to_html(text).lower()
    for active in ("<script", "<img", "<iframe", "<style", "<svg", 'href="j', 'href="d'):
        assert active not in html


def test_an_image_is_shown_as_the_link_that_it_is() -> None:
    html = to_html("All is well. ![hidden](https://tracker.example/p.png)")
    assert ">hidden</a>" in html
    assert 'href="https://tracker.example/p.png"' in html


def test_equal_texts_have_no_changes() -> None:
    assert changed_lines("a\nb\n", "a\nb\n") == []


def test_changes_show_what_went_and_what_came() -> None:
    lines = changed_lines("same\nold\n", "same\nnew\n")
    assert "-old" in lines
    assert "+new" in lines
    assert " same" in lines


def test_texts_too_long_to_compare_are_said_to_differ() -> None:
    [sentence] = changed_lines("a\n" * (MOST_LINES + 1), "b\n")
    assert "differ" in sentence
