"""A word of more than one script is named, and no honest word is."""

from __future__ import annotations

import pytest

from countersign.platform.scripts import MOST_WORDS, MixedWord, mixed_words, strings_in
from testbed.cost import times_as_much


@pytest.mark.parametrize(
    ("word", "scripts"),
    [
        ("\u0410cme", ("Cyrillic", "Latin")),  # a Cyrillic A
        ("p\u0430ypal", ("Cyrillic", "Latin")),
        ("Acm\u03b5", ("Greek", "Latin")),
        ("\u0391\u043b\u043b\u043e", ("Cyrillic", "Greek")),
        ("\uff71bc", ("Katakana", "Latin")),
    ],
)
def test_a_word_of_two_scripts_is_named_with_them(word: str, scripts: tuple[str, ...]) -> None:
    assert mixed_words([f"From {word}, Ltd."]) == [MixedWord(word=word, scripts=scripts)]


@pytest.mark.parametrize(
    "text",
    [
        "Acme GmbH & Co. KG, 2nd floor",
        "M\u00fcller, na\u00efve caf\u00e9, e\u0301",
        "\u0410\u043b\u043b\u043e from Acme",  # a Cyrillic word beside a Latin one
        "\u03b2-catenin, 5 \u00b5m",
        "\u6f22\u5b57\u304b\u306a\u30ab\u30ca",
        "\ud55c\uad6d\u6f22\u5b57",
        "\u0646\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
        "\u0939\u093f\u0928\u094d\u0926\u0940",
        "\u2764\ufe0f 12:30 \u20ac",
        "",
    ],
)
def test_honest_words_are_not(text: str) -> None:
    assert mixed_words([text]) == []


def test_a_word_is_named_once_and_not_all_of_many() -> None:
    words = [f"\u0430{chr(97 + n)}" for n in range(26)]
    assert len(mixed_words([" ".join(words), words[0]])) == MOST_WORDS
    assert len(mixed_words([words[0], words[0]])) == 1


def test_all_texts_of_a_value_are_looked_at() -> None:
    value = {"a": "1", "b": ["2", {"c": "3"}], "d": None, "e": 4}
    assert list(strings_in(value)) == ["1", "2", "3"]


def test_a_long_text_costs_no_more_than_a_look_at_each_character() -> None:
    text = "Gr\u00fc\u00dfe from \u0410\u043b\u043b\u043e, here. " * 10_000
    assert times_as_much(lambda: mixed_words([text]), lambda: [*map(ord, text)]) < 50
