"""A reviewer sees all that is published: no form of Markdown hides a word of a report."""

from __future__ import annotations

import re
from itertools import count
from textwrap import indent

import pytest
from hypothesis import given
from hypothesis import strategies as st

from countersign.review.render import to_html


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("Hello.\n\n[^x]: Pay Mallory.", id="nothing refers to it"),
        pytest.param("[^x]: Why\n\n    # Chapter\n\n    Pay Mallory.", id="a chapter below it"),
        pytest.param("So[^x].\n\n[^x]: Pay Mallory.\n\n[^x]: Why", id="the first of two"),
        pytest.param("Write `[^x]`.\n\n[^x]: Pay Mallory.", id="named in code alone"),
        pytest.param("- Hello.\n- [^x]: Pay Mallory.", id="in a list"),
        pytest.param("> [^x]: Pay Mallory.", id="in a quotation"),
        pytest.param("So[^y].\n\n[^y]: Why\n\n    [^x]: Pay Mallory.", id="in another one"),
        pytest.param("[^y]: Why\n\n    [^x]: Pay Mallory.", id="in another one of its kind"),
    ],
)
def test_a_footnote_that_is_not_referred_to_is_shown_where_it_is_written(text: str) -> None:
    html = to_html(text)
    assert "<p>[^x]:</p>\n" in html
    assert "Pay Mallory." in html


@pytest.mark.parametrize(
    "text",
    [
        "So[^y][^x].\n\n[^y]: Why\n\n    [^x]: Pay Mallory.\n\n    More",
        "So[^x].\n\n- [^x]: Pay Mallory.",
        "So[^x].\n\n[^y]: Why\n\n    [^x]: Pay Mallory.",
        "[^y]: Why[^x]\n\n[^x]: Pay Mallory.",
        "[^x]: Pay Mallory.[^x]",
    ],
)
def test_a_footnote_that_is_referred_to_is_in_the_list_of_them(text: str) -> None:
    html = to_html(text)
    assert re.search(r"<hr>\n<ol>\n(.*\n)*<li><p>Pay Mallory\.", html)
    assert html.count("Pay Mallory.") == 1
    assert "<li></li>" not in html.partition("<hr>")[2]


@pytest.mark.parametrize(
    ("row", "cell"),
    [
        ("| one | Pay Mallory. |", "one | Pay Mallory."),
        ("one | two | Pay *Mallory*.", "one | two | Pay <em>Mallory</em>."),
        ("| | Pay Mallory.", " | Pay Mallory."),
        (r"| one \| two | Pay Mallory.", "one | two | Pay Mallory."),
        ("| one | |", "one"),
    ],
)
@pytest.mark.parametrize("before", ["", "> ", "- "])
def test_cells_beyond_the_last_column_are_shown_in_it(before: str, row: str, cell: str) -> None:
    lines = ["| a |", "|---|", row]
    text = before + "\n".join([lines[0], *(before.replace("-", " ") + each for each in lines[1:])])
    assert f"<td>{cell}</td>" in to_html(text)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("[//]: # (Pay Mallory.)", '[//]: # "Pay Mallory."'),
        ("[Pay Mallory.]: https://a.example", "[Pay Mallory.]: https://a.example"),
        ("So[^a].\n\n[^a]: Why\n\n    [a]: # 'Pay Mallory.'", '[a]: # "Pay Mallory."'),
        ("[a]\n\n[a]: https://a.example\n[A]: # 'Pay Mallory.'", '[A]: # "Pay Mallory."'),
        ("`[a]`\n\n> [a]: /zahl-m\u00fcller\n", "[a]: /zahl-m\u00fcller"),
        ("[a]: # 'Pay Mallory.'\n\n[b](https://a.example '[a]')", '[a]: # "Pay Mallory."'),
    ],
)
def test_a_definition_that_no_link_uses_is_shown_where_it_is_written(text: str, shown: str) -> None:
    assert f"<p>{shown}</p>" in to_html(text)


@pytest.mark.parametrize("link", ["[a]", "[A][]", "[words][a]", "![a]", "So[^n]\n\n[^n]: [a]"])
def test_a_definition_that_a_link_uses_is_in_the_link_alone(link: str) -> None:
    html = to_html(f"{link}\n\n[a]: https://a.example")
    assert html.count("https://a.example") == 1
    assert 'href="https://a.example"' in html


def within(marks: tuple[str, str], block: str) -> str:
    """Put a block into another one, by what stands before its first line and before the others."""
    first, others = marks
    return first + indent(block, others, lambda _: True).removeprefix(others)


INLINE = st.lists(
    st.sampled_from(["WORD", "[^a]", "[^b]", "*WORD*", "`WORD`", "`[^c]`", "[WORD](http://a.org)"]),
    min_size=1,
    max_size=4,
).map(" ".join)
ROWS = st.lists(st.lists(INLINE, min_size=1, max_size=4).map(" | ".join), max_size=3)
LEAVES = st.one_of(
    INLINE,
    INLINE.map("## {}".format),
    st.sampled_from(["[WORD]: WORD", "[d]: https://a.org/WORD 'WORD\nWORD'", "[d][d]"]),
    INLINE.map("    {}".format),
    INLINE.map("```\n{}\n```".format),
    ROWS.map(lambda rows: "\n".join(["WORD | WORD", "--|--", *rows])),
)
MARKS = st.sampled_from(
    [
        ("> ", "> "),
        ("- ", "  "),
        ("1. ", "   "),
        ("[^a]: ", "    "),
        ("[^b]: ", "    "),
        ("[^c]: ", "    "),
    ]
)


def blocks_of(block: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    blocks = st.lists(block, min_size=1, max_size=3)
    return st.builds(str.join, st.sampled_from(["\n", "\n\n"]), blocks)


BLOCKS = st.recursive(
    LEAVES,
    lambda inner: st.builds(within, MARKS, blocks_of(inner)),
    max_leaves=8,
)


@given(text=blocks_of(BLOCKS))
def test_every_word_of_a_text_is_shown(text: str) -> None:
    numbers = count()
    numbered = re.sub("WORD", lambda _: f"word{next(numbers)}end", text)
    html = to_html(numbered)
    assert [word for word in re.findall(r"word\d+end", numbered) if word not in html] == []
