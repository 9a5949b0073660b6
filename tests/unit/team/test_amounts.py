"""An amount of something else is told from the amount that was asked for."""

from __future__ import annotations

import pytest

from bench.evidence.corpus import text_of
from bench.evidence.labels import questions
from countersign.team.context import passage_of
from countersign.team.doubts import other_amount
from countersign.team.folded import FoldedText
from countersign.team.models import CheckedFinding

HARBOUR = (
    "The harbour handled 1,742,000 tonnes of cargo in 2024.\n\nMost of it was ore. Timber came to"
    " 455,000 tonnes. In the port of Ellery that was a good year."
)


def finding(claim: str, quote: str, text: str) -> CheckedFinding:
    passage = passage_of(quote, FoldedText(text))
    return CheckedFinding(
        claim=claim, quote=quote, source="s", subtopic="x", found=bool(passage), passage=passage
    )


CARGO = finding(
    "The harbour handled 1,742,000 tonnes of cargo.",
    "The harbour handled 1,742,000 tonnes of cargo in 2024.",
    HARBOUR,
)
TIMBER = finding("It was 455,000 tonnes.", "Timber came to 455,000 tonnes.", HARBOUR)


@pytest.mark.parametrize(
    ("question", "text", "other"),
    [
        ("How many tonnes of timber passed through in 2024?", HARBOUR, "timber"),
        ("How many tonnes of the timber were handled?", HARBOUR, "timber"),
        ("How many tonnes of cargo were handled?", HARBOUR, ""),  # that was asked
        ("How many tonnes of wood were handled?", HARBOUR, ""),  # the source may call it otherwise
        ("How many ships of timber came?", HARBOUR, ""),  # not its unit
        ("How was the timber handled?", HARBOUR, ""),  # no amount
    ],
)
def test_an_amount_of_something_else_is_none_that_was_asked_for(
    question: str, text: str, other: str
) -> None:
    assert other_amount(question, CARGO, "Harbour", text) == other
    assert other_amount(question, TIMBER, "Harbour", text) == ""


@pytest.mark.parametrize(
    ("question", "said", "text"),
    [
        (
            "Combien de tonnes de bois sont pass\u00e9es ?",
            "Le port a trait\u00e9 9 tonnes de fret.",
            "Le port a trait\u00e9 9 tonnes de fret. Le bois, 2 tonnes.",
        ),
        (
            "Wie viele Tonnen Holz wurden verladen?",
            "Der Hafen verlud 9 Tonnen Fracht.",
            "Der Hafen verlud 9 Tonnen Fracht. Davon waren 2 Tonnen Holz.",
        ),
    ],
)
def test_so_it_is_in_french_and_german(question: str, said: str, text: str) -> None:
    assert other_amount(question, finding(said, said, text), "Port", text)


def test_no_true_statement_of_the_benchmark_is_taken_for_another_amount() -> None:
    marked = [
        (question.id, truth)
        for question in questions()
        for place, truth in zip(question.sources, question.truths, strict=True)
        if told(question.text, truth, place.sentence, place.document)
    ]
    assert marked == []


def test_all_cargo_is_no_answer_of_the_benchmark_on_timber() -> None:
    [timber] = [each for each in questions() if "timber" in each.text]
    all_cargo = "The harbour of Port Ellery handled 1,742,000 tonnes of cargo in 2024."
    assert told(timber.text, all_cargo, all_cargo, timber.sources[0].document) == "timber"


def told(question: str, claim: str, quote: str, document: str) -> str:
    text = text_of(document)
    return other_amount(question, finding(claim, quote, text), document, text)
