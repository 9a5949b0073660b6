"""The questions of `dev.py bench evidence`: what they say of the documents is so."""

from __future__ import annotations

from collections import Counter

import pytest

from bench.evidence.corpus import SENT_AS_PDF, documents, sent, text_of
from bench.evidence.labels import Question, chosen, questions
from bench.evidence.plain import normal, stands_in

KNOWN = questions()


@pytest.mark.parametrize("question", KNOWN, ids=lambda question: question.id)
def test_each_labelled_sentence_stands_in_its_document(question: Question) -> None:
    for place in (*question.sources, *question.near):
        assert stands_in(place.sentence, text_of(place.document)), place


@pytest.mark.parametrize("question", KNOWN, ids=lambda question: question.id)
def test_a_lie_is_no_truth_and_no_sentence_of_a_document(question: Question) -> None:
    said = [normal(truth).rstrip(".") for truth in question.truths]
    for lie in question.lies:
        assert not any(normal(lie).rstrip(".") in truth for truth in said)
        assert not any(text_of(name).count(f" {lie}") for name in documents())


def test_there_are_questions_of_every_kind_in_three_languages() -> None:
    assert len(KNOWN) >= 60
    assert min(Counter(question.language for question in KNOWN).values()) >= 20
    assert min(Counter(question.trap for question in KNOWN).values()) >= 5


def test_no_question_holds_another() -> None:
    for question in KNOWN:
        assert [each for each in KNOWN if each.text in question.text] == [question]


def test_a_few_questions_are_of_many_kinds() -> None:
    few = chosen(KNOWN, 21, seed=5)
    assert len({(question.language, question.trap) for question in few}) == 21
    assert few == chosen(KNOWN, 21, seed=5)
    assert few[:9] == chosen(KNOWN, 9, seed=5)


@pytest.mark.parametrize("name", SENT_AS_PDF)
def test_a_pdf_is_the_same_each_time(name: str) -> None:
    assert sent(name) == sent(name)
    assert sent(name)[1].startswith(b"%PDF-")
