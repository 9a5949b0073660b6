"""What changed between two texts is shown whole, and in bounded time."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from countersign.review.changes import MOST_LINES_OF_WORDS, changed_words
from testbed.cost import times_as_much


def test_equal_texts_have_no_changes() -> None:
    assert changed_words("a\nb\n", "a\nb\n") == []


def test_a_changed_word_is_shown_within_its_line() -> None:
    before = "# Title\n\nEvery retry needs a limit of three.\n"
    after = "# Title\n\nEvery retry needs a limit of five.\n"
    assert changed_words(before, after) == [
        {"op": "same", "text": "# Title\n\nEvery retry needs a limit of "},
        {"op": "removed", "text": "three"},
        {"op": "added", "text": "five"},
        {"op": "same", "text": ".\n"},
    ]


def test_the_space_between_two_changed_words_is_no_break() -> None:
    assert changed_words("The tide is so good.\n", "The tide was very good.\n")[1:3] == [
        {"op": "removed", "text": "is so"},
        {"op": "added", "text": "was very"},
    ]


def test_a_line_of_which_little_stays_is_shown_as_another_one() -> None:
    before, after = (
        "The tide turns the mill twice a day.\n",
        "Nobody knows the age of this stone.\n",
    )
    assert changed_words(before, after) == [
        {"op": "removed", "text": before},
        {"op": "added", "text": after},
    ]


def test_long_unchanged_stretches_are_left_out_and_counted() -> None:
    same = "".join(f"line {number}\n" for number in range(20))
    assert changed_words(f"{same}the old one\n{same}", f"{same}the new one\n{same}") == [
        {"op": "gap", "lines": 18},
        {"op": "same", "text": "line 18\nline 19\nthe "},
        {"op": "removed", "text": "old"},
        {"op": "added", "text": "new"},
        {"op": "same", "text": " one\nline 0\nline 1\n"},
        {"op": "gap", "lines": 18},
    ]


def rebuilt(pieces: Sequence[dict[str, Any]], original: str, op: str) -> str:
    """The text that the pieces of one side make, with the original's lines where there is a gap."""
    text = ""
    for piece in pieces:
        if piece["op"] == "gap":
            left_out = original[len(text) :].splitlines(keepends=True)[: piece["lines"]]
            text += "".join(left_out)
        elif piece["op"] in ("same", op):
            text += piece["text"]
    return text


PARTS = st.lists(
    st.sampled_from(["a", "b ", "c, ", "\n", "\n", "d. ", "\r\n", "long words ", "\u2028"]),
    max_size=120,
)


@given(PARTS, st.lists(st.tuples(st.integers(0, 120), st.integers(0, 5), PARTS), max_size=4))
def test_the_pieces_make_up_both_texts(
    parts: list[str], edits: list[tuple[int, int, list[str]]]
) -> None:
    edited = list(parts)
    for place, dropped, added in edits:
        edited[place : place + dropped] = added[:6]
    before, after = "".join(parts), "".join(edited)
    pieces = changed_words(before, after)
    assert (pieces == []) == (before.splitlines(True) == after.splitlines(True))
    if pieces:
        assert rebuilt(pieces, before, "removed") == before
        assert rebuilt(pieces, after, "added") == after
        assert all(one["op"] != other["op"] for one, other in pairwise(pieces))


def prose(seed: int, lines: int, words: int) -> str:
    chosen = random.Random(seed)  # noqa: S311 - a corpus, not a secret

    def line() -> str:
        ranks = (min(int(chosen.paretovariate(0.6)), 5_000) for _ in range(words))
        return " ".join(f"word{rank}" for rank in ranks)

    return "".join(f"{line()}.\n" for _ in range(lines))


def numbered(lines: int, mark: Callable[[int], str] = lambda number: "") -> str:
    return "".join(f"line {number}{mark(number)}\n" for number in range(lines))


TWO_MEGABYTES = 2_000_000
LARGE = {
    "all lines are other ones": (prose(1, 5_000, 45), prose(2, 5_000, 45)),
    "one line of two megabytes": (
        prose(1, 1, TWO_MEGABYTES // 9),
        prose(2, 1, TWO_MEGABYTES // 9),
    ),
    "every other line changed": (
        numbered(MOST_LINES_OF_WORDS),
        numbered(MOST_LINES_OF_WORDS, lambda number: "!" * (number % 2)),
    ),
    "more lines than are compared": ("a\n" * (TWO_MEGABYTES // 2), "b\n" * (TWO_MEGABYTES // 2)),
    "nothing but signs": ("." * TWO_MEGABYTES, "," * TWO_MEGABYTES),
    "few lines that are the same, in another order": (
        "".join(f"{number % 125}\na{number}\n" for number in range(2_500)),
        "".join(f"{number % 125}\nb{number}\n" for number in range(2_500)),
    ),
}


HONEST = prose(1, 5_000, 45)


@pytest.mark.parametrize("what", LARGE)
def test_large_texts_that_differ_in_all_cost_no_more_than_many_others(
    what: str,
) -> None:
    before, after = LARGE[what]
    pieces = changed_words(before, after)
    work = times_as_much(
        lambda: changed_words(before, after), lambda: changed_words(HONEST, f"{HONEST}One more.")
    )
    assert work < 1_000
    assert rebuilt(pieces, before, "removed") == before
    assert rebuilt(pieces, after, "added") == after


def test_a_few_changed_words_in_two_megabytes_are_shown_alone() -> None:
    before = prose(1, 5_000, 45)
    words = before.split(" ")
    places = range(1_000, len(words), 20_000)
    for place in places:
        words[place] = "changed"
    pieces = changed_words(before, " ".join(words))
    assert [each["text"] for each in pieces if each["op"] == "added"] == ["changed"] * len(places)
