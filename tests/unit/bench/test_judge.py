"""What `dev.py bench evidence` takes for supported."""

from __future__ import annotations

from typing import Any

import pytest

from bench.evidence.judge import Judged, holds, judged
from bench.evidence.labels import Place, Question
from bench.evidence.plain import numbers, stands_in
from bench.evidence.report import reviewed

CRANE = "The new crane was put into service on 14 March 2024."
STRIKE = "It is false that the pilots have gone on strike, said the harbour master."
QUESTION = Question(
    id="english-99",
    text="When was the crane put into service?",
    sources=[Place(document="harbour-report.md", sentence=CRANE)],
    truths=["The new crane has been in service since 14 March 2024."],
    lies=["The new crane has been in service since 14 March 2023."],
)


def proposal(body: str, *doubted: str) -> dict[str, Any]:
    text = f"# The crane\n\n{body}\n\n## Sources\n\n1. Port Ellery Harbour\n"
    evidence = {"claims": [], "doubts": [{"sentence": each} for each in doubted]}
    return {"content": {"text": text}, "evidence": evidence}


def judge(body: str, *doubted: str) -> Judged:
    return judged(reviewed(proposal(body, *doubted)), QUESTION)


@pytest.mark.parametrize(
    ("quote", "text", "stands"),
    [
        ("The crane lifts 63 tonnes.", "The crane lifts  63\ntonnes", True),
        ("\u201clifts 63\u201d", "It lifts 63 tonnes.", True),
        ("63 tonnes", "163 tonnes", False),  # cut inside a number
        ("5 tonnes", "3.5 tonnes", False),
        ("5 degrees", "\u22125 degrees", False),
        ("10\u2076 stars", "10\u2076 stars", True),
        ("106 stars", "10\u2076 stars", False),
        ("10", "10\u2076 stars", False),
        ("1020", "10\u201320", False),
        ("rain", "the train", False),  # cut inside a word
        ("Timber 488,000", "| Timber | 488,000 |", True),
        ("was sold", "was not sold", False),
        ("", "anything", False),
    ],
)
def test_a_quote_stands_word_for_word_and_number_for_number(
    quote: str, text: str, stands: bool
) -> None:
    assert stands_in(quote, text) is stands


def test_numbers_are_told_apart_by_sign_and_decimals() -> None:
    assert numbers("At \u22125 \u00b0C, 10\u2076 of 1,742,000; from 18 to 21 and 9,5") == {
        *("\u22125", "10\u2076", "1,742,000", "18", "21", "9,5")
    }


@pytest.mark.parametrize(
    ("sentence", "reason"),
    [
        ("The new crane has been in service since 14 March 2024. [1]", None),
        ("The new crane was put into service in March 2024. [1]", None),
        ("The new crane has been in service since 14 March 2023. [1]", "a known lie"),
        ("The new crane was put into service in March 2023. [1]", "no quote has 2023"),
        ("The new crane was not put into service in March. [1]", "it says no"),
        ("The mayor resigned over a scandal. [1]", "its words are not those"),
        ("The new crane was put into service in March 2024.", "it cites nothing"),
        ("The new crane was put into service in March 2024. [2]", "no quote is shown"),
    ],
)
def test_a_sentence_is_supported_by_the_quotes_it_cites(sentence: str, reason: str | None) -> None:
    found = judge(f"{sentence}\n\n> \u201c{CRANE}\u201d [1]").unmarked
    assert bool(found) is bool(reason)
    assert all(reason and reason in each for each in found)


@pytest.mark.parametrize(
    ("heading", "reason"),
    [
        ("Introduction", None),  # it says what the part is for
        ("The new crane", None),
        ("The mayor's scandal", "its words are not those"),
        ("Introduction to the scandal", "its words are not those"),
        ("The new crane has been in service since 14 March 2023", "a known lie"),
    ],
)
def test_a_heading_is_unsupported_if_it_says_what_no_quote_says(
    heading: str, reason: str | None
) -> None:
    found = judge(f"## {heading}\n\n{CRANE} [1]\n\n> \u201c{CRANE}\u201d [1]").unmarked
    assert bool(found) is bool(reason)
    assert all(reason and reason in each for each in found)


def test_a_quote_that_no_source_has_is_unsupported() -> None:
    found = judge("> \u201cThe new crane was put into service on 14 May 2024.\u201d [1]")
    assert len(found.unmarked) == len(found.foreign) == 1


def test_a_quote_within_a_sentence_is_judged_as_a_quote() -> None:
    found = judge(f"Closest to the topic: \u201c{CRANE}\u201d [1]")
    assert (found.quotes, found.right, found.found, found.unmarked) == (1, 1, 1, ())


def test_what_a_reviewer_is_warned_of_is_counted_apart() -> None:
    lie, true = "The crane sank.", "The new crane was put into service in March 2024."
    found = judge(f"{lie} [1] {true} [1]\n\n> \u201c{CRANE}\u201d [1]", lie, true)
    assert (found.unmarked, found.marked, found.false_alarms) == ((), 1, (true,))


@pytest.mark.parametrize(
    ("quote", "label", "held"),
    [
        (f"It was so. {CRANE}", CRANE, True),
        ("The new crane was put into service", CRANE, True),  # more than half of it
        ("on 14 March 2024", CRANE, False),
        ("have gone on strike, said", STRIKE, False),
    ],
)
def test_a_quote_answers_with_the_whole_of_a_sentence_or_most_of_it(
    quote: str, label: str, held: bool
) -> None:
    assert holds(quote, label) is held


@pytest.mark.parametrize(
    "place", ["row 2", "row 2 to row 6", "p. 3 to p. 4", "sheet \u201cA\u201d"]
)
def test_where_a_quote_stands_is_no_sentence_of_the_report(place: str) -> None:
    quoted = f"> \u201c{CRANE}\u201d [1], {place}"
    assert (
        judge(f"The new crane was put into service in March 2024. [1]\n\n{quoted}").unmarked == ()
    )
