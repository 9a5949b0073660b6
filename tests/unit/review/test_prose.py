"""What a text says is read block by block, without the marks of Markdown."""

from __future__ import annotations

import pytest

from countersign.review.prose import prose


@pytest.mark.parametrize(
    ("markdown", "read"),
    [
        # Lines of a paragraph
        ("One *line*\nand `another`.", [("text", "One line and another.")]),
        # Underlined headings too
        ("# Tides\n\nHigh\n---\n", [("heading", "Tides"), ("heading", "High")]),
        # A list in a quotation
        ("> - “Tides rise.” [1]\n", [("quotation", "“Tides rise.” [1]")]),
        # Entries, with a task
        ("- [x] done\n- 2nd", [("text", "☑ done"), ("text", "2nd")]),
        # A table
        (
            "| sea | metres |\n|---|--:|\n| North | 3 |\n",
            [("row", "sea | metres"), ("row", "North | 3")],
        ),
        # Code is no statement
        ("```\nsea = 3\n```\n\n    sea = 4\n", []),
        # The words of a footnote, not its number
        ("High.[^a]\n\n[^a]: At noon.\n", [("text", "High."), ("text", "At noon.")]),
        # Escaped marks
        (r"3 \* 4 \[1\]", [("text", "3 * 4 [1]")]),
    ],
)
def test_a_block_is_read_as_its_reader_sees_it(markdown: str, read: list[tuple[str, str]]) -> None:
    assert prose(markdown) == read
