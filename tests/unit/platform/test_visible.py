"""What people read before they answer for it hides nothing, however long it is."""

from __future__ import annotations

import sys
import unicodedata

import pytest

from countersign.platform.visible import (
    visible,
    visible_line,
    visible_remark,
    visible_words,
    without_deceit,
)
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


UNSEEN = (
    *"\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200c\u200d\u200e\u200f\u2060\u2064"
    "\u206a\u206f\u2800\u3164\ufe00\ufe0f\ufeff\uffa0\ufff9\ufffb\U000e0001\U000e0100\U000e01ef",
)


@pytest.mark.parametrize("character", UNSEEN)
def test_what_shows_nothing_is_no_part_of_a_name(character: str) -> None:
    for text in (f"Acme{character}", f"Ac{character}me", f"{character}Acme"):
        with pytest.raises(ValueError, match=f"U\\+{ord(character):04X}"):
            visible_line(text)
        assert visible(text) == "Acme"


@pytest.mark.parametrize("character", UNSEEN)
def test_a_remark_of_what_shows_nothing_is_no_remark(character: str) -> None:
    assert visible_remark(f" {character}\n") == ""
    with pytest.raises(ValueError, match="no visible character"):
        visible_words(character)


@pytest.mark.parametrize(
    "text",
    [
        "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",  # Persian: parts of one word
        "\u0915\u094d\u200d\u0937",  # Hindi
        "\u2764\ufe0f fine",  # a heart as a picture
        "\U0001f468\u200d\U0001f469\u200d\U0001f467",  # a family
        "\U0001f3f3\ufe0f\u200d\U0001f308",  # a flag
    ],
)
def test_what_shapes_letters_and_pictures_stays(text: str) -> None:
    assert visible(text) == visible_line(text) == text


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("Acme\u00a0GmbH", "Acme GmbH"),
        ("Acme  GmbH", "Acme GmbH"),
        ("Acme\u3000\u2003GmbH ", "Acme GmbH"),
        ("\uff21\uff43\uff4d\uff45", "Acme"),
        ("Mu\u0308ller", "M\u00fcller"),
        ("\u212b", "\u00c5"),
    ],
)
def test_names_that_look_the_same_are_the_same(text: str, seen: str) -> None:
    assert visible_line(text) == seen
    assert visible_line(seen) == seen


def test_what_can_be_seen_is_composed() -> None:
    assert visible("Mu\u0308ller\n\tsays\n") == "M\u00fcller\n\tsays\n"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("two\nlines", "single line"),
        ("\u0301", "visible character"),
        (" ", "visible character"),
        ("Acme\u200b", r"U\+200B"),
        ("Ac\u00adme", r"U\+00AD"),
    ],
)
def test_a_line_is_one_and_can_be_seen(text: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        visible_line(text)
    assert visible_line("Tides") == "Tides"
