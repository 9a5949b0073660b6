"""Questions about a version: who may ask, how much, and that nothing of it decides anything."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from countersign.approvals.errors import (
    AlreadyDecided,
    Expired,
    ImpossibleHistory,
    NotAuthorised,
    NotFound,
    OwnRequest,
    QuestionOpen,
    QuestionsSpent,
    Superseded,
)
from countersign.approvals.events import QuestionAnswered, QuestionAsked, QuestionFailed
from countersign.approvals.folding import fold
from countersign.approvals.questions import (
    ENDED_FIRST,
    MOST_QUESTIONS,
    conversation,
    failure,
    session_key,
)
from countersign.approvals.rules import Ruling
from countersign.approvals.standing import open_questions
from countersign.operations.summary import summarise

if TYPE_CHECKING:
    from conftest import Begin, Story


def accepted(answer: Ruling) -> bool:
    return isinstance(answer, tuple) and bool(answer)


def open_ids(story: Story) -> list[str]:
    return [each.id for each in open_questions(story.operation)]


def test_a_reviewer_asks_and_is_answered(story: Story) -> None:
    assert accepted(story.ask(story.ann, "Who says so?"))
    asked = story.events[-1]
    assert isinstance(asked, QuestionAsked)
    assert (asked.question_id, asked.actor.name, asked.version) == ("q1", "Ann", 1)
    assert open_ids(story) == ["q1"]
    story.wait(5).answer("q1", "the-reply")
    question = story.operation.question("q1")
    assert question
    assert (question.answer, question.failure, question.is_open) == ("the-reply", None, False)
    assert open_ids(story) == []


def test_whoever_it_can_be_escalated_to_may_ask_as_well(story: Story) -> None:
    assert accepted(story.ask(story.eve))


@pytest.mark.parametrize(
    ("who", "refusal"),
    [
        ("outsider", NotAuthorised),  # an auditor reads, and asks nothing
        ("requester", OwnRequest),
        ("namesake", NotFound),  # of another tenant
    ],
)
def test_nobody_else_may_ask(story: Story, who: str, refusal: type) -> None:
    assert isinstance(story.ask(getattr(story, who)), refusal)


def test_a_version_that_was_never_opened_takes_no_question(story: Story) -> None:
    assert story.ask(story.ann, version=2) == NotFound()


def test_the_same_question_while_it_is_open_is_asked_once(story: Story) -> None:
    story.ask(story.ann, "Why?")
    assert story.ask(story.ann, "Why?") == ()
    story.answer("q1")
    assert accepted(story.ask(story.ann, "Why?"))
    assert open_ids(story) == ["q2"]


def test_a_person_asks_one_thing_at_a_time_and_others_ask_meanwhile(story: Story) -> None:
    story.ask(story.ann)
    assert story.ask(story.ann, "And when?") == QuestionOpen(question_id="q1")
    assert accepted(story.ask(story.bob, "And when?"))
    assert open_ids(story) == ["q1", "q2"]
    story.fail("q1")
    assert accepted(story.ask(story.ann, "And when?"))


def test_an_operation_takes_so_many_questions_over_all_its_versions(story: Story) -> None:
    for number in range(1, MOST_QUESTIONS + 1):
        assert accepted(story.ask(story.ann))
        story.answer(f"q{number}")
    assert story.ask(story.bob) == QuestionsSpent(most=MOST_QUESTIONS)
    story.revise(story.ann)
    story.open()
    assert story.ask(story.bob) == QuestionsSpent(most=MOST_QUESTIONS)


def test_a_version_takes_questions_as_long_as_it_takes_decisions(begin: Begin) -> None:
    revised = begin()
    revised.open()
    revised.revise(revised.ann)
    assert isinstance(revised.ask(revised.bob), AlreadyDecided)
    revised.open()
    assert revised.ask(revised.bob, version=1) == Superseded(current=2)

    late = begin()
    late.open()
    assert isinstance(late.wait(1000).ask(late.ann), Expired)

    withdrawn = begin()
    withdrawn.open()
    withdrawn.withdraw()
    assert isinstance(withdrawn.ask(withdrawn.ann), AlreadyDecided)


def test_what_is_recorded_first_about_a_question_stands(story: Story) -> None:
    story.ask(story.ann)
    assert isinstance(story.answer("q1", "first"), tuple)
    assert story.answer("q1", "second") == ()
    assert story.fail("q1") == ()
    question = story.operation.question("q1")
    assert question
    assert question.answer == "first"


def test_a_question_that_was_never_asked_gets_no_answer(story: Story) -> None:
    assert story.answer("q1") == NotFound()
    assert story.fail("q1") == NotFound()


@pytest.mark.parametrize("kind", [QuestionAnswered, QuestionFailed])
def test_a_ledger_that_answers_what_nobody_asked_is_refused(story: Story, kind: Any) -> None:
    story.ask(story.ann)
    story.answer("q1") if kind is QuestionAnswered else story.fail("q1")
    events = [each for each in story.events if not isinstance(each, QuestionAsked)]
    with pytest.raises(ImpossibleHistory, match="answers q1 before it was asked"):
        fold("contoso", "op-1", events)


def test_a_decision_is_as_good_with_a_question_open(story: Story) -> None:
    story.ask(story.ann)
    story.ask(story.bob)
    assert accepted(story.decide(story.ann))
    assert story.current.status == "approved"
    assert accepted(story.answer("q1"))
    story.reserve()
    story.receive()
    story.close()
    assert open_ids(story) == []
    assert isinstance(story.answer("q2"), AlreadyDecided)
    assert isinstance(story.fail("q2"), AlreadyDecided)


def test_an_open_question_of_an_operation_that_ended_has_failed(story: Story) -> None:
    story.ask(story.ann)
    story.ask(story.bob)
    story.fail("q2", "Too hard.")
    first, second = story.operation.questions
    assert [failure(story.operation, each) for each in (first, second)] == [None, "Too hard."]
    story.withdraw()
    assert failure(story.operation, first) == ENDED_FIRST


def test_a_conversation_is_one_persons_and_up_to_the_question(story: Story) -> None:
    for who in (story.ann, story.bob, story.ann, story.ann):
        story.ask(who)
        story.answer(f"q{len(story.operation.questions)}")
    _, bobs, second, third = story.operation.questions
    assert [each.id for each in conversation(story.operation, third)] == ["q1", "q3"]
    assert [each.id for each in conversation(story.operation, second)] == ["q1"]
    assert conversation(story.operation, bobs) == []


def test_a_session_belongs_to_one_person_in_one_operation_and_names_neither(story: Story) -> None:
    story.ask(story.ann)
    story.ask(story.bob)
    ann, bob = story.operation.questions
    mine = session_key(story.operation, ann)
    assert mine == session_key(story.operation, replace(ann, id="q9", text="Other"))
    assert mine.startswith("op-1-")
    assert "Ann" not in mine
    others = [
        session_key(story.operation, bob),
        session_key(replace(story.operation, id="op-2"), ann),
        session_key(replace(story.operation, tenant="fabrikam"), ann),
    ]
    assert len({mine, *others}) == 4


def test_the_index_shows_since_when_a_question_waits(story: Story) -> None:
    assert summarise(story.operation).asked_at is None
    asked_at = story.wait(5).now
    story.ask(story.ann)
    story.wait(5).ask(story.bob)
    assert summarise(story.operation).asked_at == asked_at
    story.answer("q1")
    story.answer("q2")
    assert summarise(story.operation).asked_at is None
