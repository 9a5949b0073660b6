"""What a sentence has to have, to the embedded model, if a question asks for an amount."""

from __future__ import annotations

import pytest

from countersign.sources.terms import terms
from countersign.team.extractive.relevance import best_sentences, expected
from countersign.team.extractive.vocabulary import topic_terms
from countersign.team.questions import Shown


@pytest.mark.parametrize(
    ("question", "answers", "others"),
    [
        (
            "How many stars are in the new catalogue?",
            ["About 10⁶ stars are in it.", "There are no stars in it."],
            ["The stars are not counted yet.", "It has 40 pages."],
        ),
        (
            "Wie viele Fahrradplätze bekommt der Bahnhof?",
            ["Er bekommt 600 Fahrradplätze.", "Es gibt dort keine Fahrradplätze."],
            ["Über die Zahl der Fahrradplätze wurde nicht entschieden."],
        ),
        (
            "Combien d'eau le réseau perd-il ?",
            ["Le réseau perd 14,6 % de son eau.", "Aucune eau n'est perdue."],
            ["L'eau n'a jamais dépassé la limite."],
        ),
        (
            "What does a ticket for tram line 12 cost?",
            ["A ticket costs 2.80 euros.", "Nobody pays: tickets are free."],
            ["Line 12 runs from Northgate to the hospital.", "A print costs 12 pounds."],
        ),
        ("Was kostet der Umbau?", ["Er kostet 23 Millionen Euro."], ["Er beginnt am 3. November."]),
    ],
)
def test_a_sentence_answers_with_the_amount_that_is_asked_for(
    question: str, answers: list[str], others: list[str]
) -> None:
    wanted = expected(question, terms(" ".join([*answers, *others])))
    assert wanted
    assert all(map(wanted.is_in, answers))
    assert not any(map(wanted.is_in, others))


@pytest.mark.parametrize(
    "question",
    [
        "Tidal mills",
        "When was tram line 12 opened?",
        "How do home batteries behave at low temperatures?",
        "How many zebras are there?",  # its sources have another word for them, or none
    ],
)
def test_of_what_is_no_amount_nothing_is_expected(question: str) -> None:
    assert expected(question, terms("Tram line 12 was opened. Batteries and mills.")) is None


def test_where_no_sentence_has_the_amount_nothing_is_quoted() -> None:
    near = "The number of parking places at the station of Lindenau was not decided."
    question = "How many parking places does the station of Lindenau get?"
    shown = [Shown(source="doc-1", title="The station of Lindenau", text=near)]
    assert best_sentences(question, question, shown, most=5, most_per_source=5) == []
    told = "The station of Lindenau gets 420 parking places."
    shown = [Shown(source="doc-1", title="The station of Lindenau", text=f"{near} {told}")]
    best = best_sentences(question, question, shown, most=5, most_per_source=5)
    assert best[0].text == told


def test_a_sentence_with_a_large_number_can_be_quoted() -> None:
    told = "The harbour of Port Ellery handled 1,742,000 tonnes of cargo in 2024."
    question = "How much cargo did the harbour of Port Ellery handle in 2024?"
    shown = [Shown(source="doc-1", title="Port Ellery", text=told)]
    best = best_sentences(question, question, shown, most=5, most_per_source=5)
    assert [each.text for each in best] == [told]


@pytest.mark.parametrize(
    ("topic", "about"),
    [
        ("Quel est le prix de l'eau à Valmère ?", "prix eau Valmère"),
        ("Wie hoch ist der Zuschuss für eine Wärmepumpe?", "hoch Zuschuss Wärmepumpe"),
        ("The man who will die in the war", "man die war"),  # English, though two are German too
        ("C plus plus", "C plus plus"),
    ],
)
def test_function_words_of_a_topic_do_not_tell_what_it_is_about(topic: str, about: str) -> None:
    assert topic_terms(topic) == frozenset(terms(about))
