"""A question's way through the durable agent, whatever comes back from there."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from orchestrators.questions import PATIENCE, TRIES, UNTIMED

REFERENCE = {"tenant": "home", "operation_id": "o-1", "question_id": "q1"}
ORDER = {**REFERENCE, "session": "o-1-abc"}
ENTITY, TIMER, SIGNAL = 7, 5, 9
REPLY = {
    "type": "agent_response",
    "messages": [{"role": "assistant", "contents": [{"type": "text", "text": "Told."}]}],
}

NewHistory = Callable[..., Any]


class Question:
    """The history of a question whose agent was called.

    Args:
        history: makes it.
        version: which the instance has.
    """

    def __init__(self, history: NewHistory, version: str | None) -> None:
        self.story, self._task = history("answer_question", ORDER, version), 0
        self._timed = version not in UNTIMED
        self._asked()

    def replied(self, settled: bool, reply: Any = REPLY) -> Question:
        """Let the agent reply to a try, and the ledger say what came of it."""
        self.story.replied(self._request, reply)
        return self.settled(settled)

    def late(self) -> Question:
        """Let a try have its time without a reply."""
        self.story.wake(minutes=5).fired(self._task - 1)
        return self

    def settled(self, settled: bool) -> Question:
        """Let the ledger say what came of a try; the next one begins unless it is settled."""
        self.story.scheduled(self._task, "settle_question").wake()
        self.story.done(self._task, {"settled": settled})
        if not settled:
            pause = self._task + 1
            self.story.timer(pause).wake(seconds=20).fired(pause)
            self._task += 2
            self._asked()
        return self

    def _asked(self) -> None:
        self._request = f"request-{self._task}"
        self.story.asked(self._task, self._request)
        self._task += 1
        if self._timed:
            self.story.timer(self._task)
            self._task += 1
        self.story.wake(seconds=1)


@pytest.fixture(params=["1", "2"])
def question(history: NewHistory, request: pytest.FixtureRequest) -> Question:
    """A question whose agent was called, in each version of how that is waited for."""
    return Question(history, request.param)


@pytest.fixture
def timed(history: NewHistory) -> Question:
    """A question whose agent has a timer beside it."""
    return Question(history, "2")


def settles(question: Question) -> list[dict[str, Any]]:
    actions = question.story.actions()
    return [json.loads(each["input"]) for each in actions if "functionName" in each]


def kinds(question: Question) -> list[int]:
    return [each["actionType"] for each in question.story.actions()]


def limits(question: Question) -> list[bool]:
    """Whether each of the timers beside the agent is cancelled; every other timer is a pause."""
    timers = [each for each in question.story.actions() if each["actionType"] == TIMER]
    return [each["isCanceled"] for each in timers[::2]]


def is_over(question: Question) -> bool:
    return question.story.replay()["isDone"]


def test_the_agent_is_sent_a_reference_in_the_session_of_the_reviewer(question: Question) -> None:
    call = question.story.actions()[0]
    assert (call["actionType"], call["instanceId"]) == (ENTITY, "@dafx-factchecker@o-1-abc")
    request = json.loads(call["input"])
    assert json.loads(request["message"]) == REFERENCE
    assert len(call["input"]) < 1_000


def test_a_settled_question_ends_the_story(question: Question) -> None:
    assert is_over(question.replied(settled=True))
    assert settles(question) == [{**REFERENCE, "last": False}]


def test_the_conversation_is_forgotten_once_the_question_is_settled(question: Question) -> None:
    assert SIGNAL not in kinds(question.replied(settled=False))
    settled = question.replied(settled=True).story.actions()
    [reset] = [each for each in settled if each["actionType"] == SIGNAL]
    assert (reset["instanceId"], reset["operation"]) == ("@dafx-factchecker@o-1-abc", "reset")


@pytest.mark.parametrize(
    "reply",
    [
        {"messages": [{"role": "assistant", "contents": [{"type": "text", "text": "Approve."}]}]},
        {
            "error": "secret words of a provider",
            "status": "error",
        },  # what the entity says of a fault
        {"settled": True},  # what only the ledger can say
        None,
        "approve",
        [],
    ],
)
def test_nothing_that_comes_back_is_believed(question: Question, reply: Any) -> None:
    assert not is_over(question.replied(settled=False, reply=reply))
    assert kinds(question).count(ENTITY) == 2
    assert "secret" not in json.dumps(question.story.replay())
    assert is_over(question.replied(settled=True))


def test_an_entity_that_fails_is_asked_again(question: Question) -> None:
    question.story.event("request-0", {"result": '"no"', "exceptionType": "Error"})
    assert not is_over(question.settled(settled=False))
    assert kinds(question).count(ENTITY) == 2


def test_the_last_of_a_few_tries_settles_the_question_whatever_came(question: Question) -> None:
    for number in range(TRIES):
        question.replied(settled=number == TRIES - 1)
    assert is_over(question)
    assert [order["last"] for order in settles(question)] == [False] * (TRIES - 1) + [True]


def test_a_question_whose_agent_never_replies_is_settled_after_a_few_tries(timed: Question) -> None:
    for number in range(TRIES):
        timed.late().settled(settled=number == TRIES - 1)
    assert is_over(timed)
    assert [order["last"] for order in settles(timed)] == [False] * (TRIES - 1) + [True]
    assert limits(timed) == [False] * TRIES


def test_a_timer_that_loses_is_cancelled(timed: Question) -> None:
    assert limits(timed) == [False]
    assert limits(timed.replied(settled=False)) == [True, False]
    assert limits(timed.replied(settled=True)) == [True, True]


def test_a_reply_that_comes_late_changes_nothing(timed: Question) -> None:
    timed.late().settled(settled=False)
    before = kinds(timed)
    timed.story.replied("request-0", REPLY)
    assert kinds(timed) == before
    assert is_over(timed.replied(settled=True))


def test_what_the_ledger_says_is_asked_with_patience(question: Question) -> None:
    question.story.replied("request-0", REPLY)
    retried = question.story.actions()[-1]["retryOptions"]
    assert retried["maxNumberOfAttempts"] == PATIENCE.max_number_of_attempts


def test_a_replay_asks_for_the_same_again(question: Question) -> None:
    def asked() -> list[tuple[Any, ...]]:
        calls = [each for each in question.story.actions() if each["actionType"] == ENTITY]
        requests = [json.loads(each["input"]) for each in calls]
        return [(each["message"], each["correlationId"]) for each in requests]

    question.replied(settled=False)
    first = asked()
    assert len(first) == 2
    assert asked() == first
    question.replied(settled=True)
    assert asked() == first
