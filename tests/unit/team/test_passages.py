"""A quote that stands in a source is shown there, in the source's own words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from countersign.sources.documents import DocumentLibrary
from countersign.team.context import USUAL_LENGTH, passage_of
from countersign.team.folded import FoldedText
from countersign.team.models import QuotedPassage, SubtopicFinding
from countersign.team.quotes import checked, stands_in
from countersign.team.view import LONGEST_PLACE
from testbed.cost import times_as_much

TEXT = """\
Nothing is known of the first. An activity may run twice, so it must be idem-
potent.  The \u201cremedy\u201d is a key.

The end.
"""


def passage(quote: str, text: str) -> QuotedPassage:
    found = passage_of(quote, FoldedText(text))
    assert found is not None
    return found


def test_a_quote_is_shown_in_the_words_and_signs_of_its_source() -> None:
    found = passage('it must be idempotent. The "remedy" is a key.', TEXT)
    assert found.quote == "it must be idempotent. The \u201cremedy\u201d is a key."
    assert found.before == "Nothing is known of the first. An activity may run twice, so "
    assert found.after == "\n\nThe end."


def test_what_stands_around_it_is_cut_where_sentences_end() -> None:
    text = "One sentence of many. " * 40 + "Every retry needs a limit. " + "And so on. " * 40
    found = passage("Every retry needs a limit.", text)
    assert found.before.startswith("One sentence")
    assert found.after.endswith("And so on.")
    assert USUAL_LENGTH / 2 < len(found.before) <= USUAL_LENGTH
    assert USUAL_LENGTH / 2 < len(found.after) <= USUAL_LENGTH


def test_without_sentences_it_is_cut_between_words() -> None:
    text = "word " * 200 + "every retry needs a limit " + "word " * 200
    found = passage("every retry needs a limit", text)
    assert found.before.startswith("word ")
    assert found.after.endswith(" word")


def test_a_quote_that_does_not_stand_has_no_passage() -> None:
    assert passage_of("Every retry needs a limit.", FoldedText(TEXT)) is None
    assert passage_of("key", FoldedText("A key.")) is None


ODD = st.text(
    alphabet=st.sampled_from(
        "abcdefAB12  \n\n.,-\"'_\t\x0c\u2013\u2014\u00ad\u201c\u2019\u2028\u00a0"  # signs, spaces
        "\u00e9\u0301\u0316\u212b\uac00\u1100\u1161\u11a8\u3131\u314f"  # accents, Hangul by parts
        "\uff76\uff9e\ufb01\u2026\u00bd\u0e33\u0e01\u4e2d\u0915\u094d\u0937\u0345\u03b1"
    ),
    max_size=80,
)


@given(ODD, ODD, ODD, st.booleans())
def test_whatever_stands_is_found_and_the_words_shown_are_those_of_the_quote(
    before: str, amid: str, after: str, other_spaces: bool
) -> None:
    words = f"abcdef ghijkl{amid}mnopqr stuvwxyz"
    text = f"{before} | {words} | {after}"
    quote = " ".join(words.split()) if other_spaces else words
    assert stands_in(quote, text)
    shown = passage(quote, text).quote
    assert stands_in(shown, text)
    assert stands_in(quote, shown)
    assert stands_in(shown, quote)


@given(ODD, ODD)
def test_a_passage_is_found_exactly_where_a_quote_stands(quote: str, text: str) -> None:
    for asked in (quote, text[7:60], text):
        assert (passage_of(asked, FoldedText(text)) is not None) == stands_in(asked, text)


WORDS = st.lists(st.text(alphabet="abcdefg", min_size=1, max_size=9), min_size=12, max_size=40)


@given(WORDS, st.data())
def test_a_run_of_words_is_shown_as_exactly_those(words: list[str], data: st.DataObject) -> None:
    breaks = st.sampled_from([" ", "\n", "\n   ", "  ", " \u2013 ", "\n\n"])
    pieces = [word + data.draw(breaks) for word in words]
    quote = "".join(pieces[2:-2]).strip(" \n\u2013")
    assert passage(quote, "".join(pieces)).quote.split() == quote.split()


SIZE = 200_000
HOSTILE = {
    "one word again and again": ("ab " * (SIZE // 3), "ab " * 600 + "a"),
    "no space at all": ("a" * SIZE, "a" * 1_999),
    "accents out of order": ("a" + "\u0301\u0316" * (SIZE // 2), "a" * 20),
    "nothing but accents": ("\u0301" * SIZE, "\u0301" * 20 + "a" * 20),
    "signs that become many": ("\ufdfa" * (SIZE // 10), "\ufdfa"),
    "vowels without consonants": ("\u1161" * SIZE, "\u1161" * 30),
    "dashes": ("a- " * (SIZE // 3), "a" * 20),
    "words far apart": (
        "every retry needs" + " " * SIZE + "a limit of its own",
        "every retry needs a limit of its own",
    ),
    "words between dashes": (
        "every retry needs" + " -" * SIZE + " a limit of its own",
        "every retry needs a limit of its own",
    ),
}


@pytest.mark.parametrize("what", HOSTILE)
def test_a_hostile_text_costs_little_more_than_any_other(what: str) -> None:
    text, quote = HOSTILE[what]
    honest = "A retry has its own limit. " * (len(text) // 27)
    found = passage_of(quote, FoldedText(text))
    work = times_as_much(
        lambda: passage_of(quote, FoldedText(text)), lambda: passage_of(quote, FoldedText(honest))
    )
    assert work < 100
    assert found is None or len(found.quote) <= LONGEST_PLACE


def test_many_quotes_are_found_in_two_megabytes() -> None:
    sentences = [f"Sentence number {number} says something.\n" for number in range(50_000)]
    folded = FoldedText("".join(sentences))
    for number in range(0, 50_000, 2_500):
        found = passage_of(sentences[number], folded)
        assert found is not None
        assert found.quote == sentences[number].strip()


def test_each_checked_finding_has_the_passage_of_its_own_source() -> None:
    library = DocumentLibrary(
        [{"title": "One", "text": "So it is. Every retry needs a limit. Always."}]
    )
    quote = "Every retry needs a limit."
    findings = [
        SubtopicFinding(claim="A claim.", quote=quote, source=source, subtopic="Retries")
        for source in ("doc-1", "gone")
    ]
    found, missing = checked(findings, library)
    assert found.passage == QuotedPassage(
        before="So it is. ", quote=quote, after=" Always.", start=10, end=36
    )
    assert missing.passage is None
