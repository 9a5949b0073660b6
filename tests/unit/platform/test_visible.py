"""What people read before they answer for it hides nothing, however long it is."""

from __future__ import annotations

import sys
import unicodedata

import pytest

from countersign.platform.visible import visible, visible_line, without_deceit
from testbed.cost import times_as_much

TURNS = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}


def deceives(character: str) -> bool:
    """As Unicode's own tables have it."""
    if character in "\n\r\t":
        return False
    hidden = unicodedata.category(character) in {"Cc", "Cs", "Zl", "Zp"}
    return hidden or unicodedata.bidirectional(character) in TURNS


def test_exactly_what_hides_or_turns_text_is_left_out() -> None:
    everything = "".join(map(chr, range(sys.maxunicode + 1)))
    assert without_deceit(everything) == "".join(each for each in everything if not deceives(each))


@pytest.mark.parametrize("character", ["\x00", "\x1b", "\x85", "\u2028", "\u202e", "\ud800"])
def test_a_deceitful_character_is_named(character: str) -> None:
    with pytest.raises(ValueError, match=f"U\\+{ord(character):04X}"):
        visible(f"fine{character}")


def test_a_long_text_costs_no_more_than_a_look_at_each_character() -> None:
    text = "Grüße, 日本! " * 200_000
    assert visible(text) == text
    assert times_as_much(lambda: visible(text), lambda: [*map(ord, text)]) < 10


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("two\nlines", "single line"),
        ("\u200d", "visible character"),
        (" ", "visible character"),
        ("Acme\u200b", r"U\+200B"),
        ("Ac\u00adme", r"U\+00AD"),
    ],
)
def test_a_line_is_one_and_can_be_seen(text: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        visible_line(text)
    assert visible_line("Tides") == "Tides"
