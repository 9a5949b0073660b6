"""A question's way through the durable agent, whatever comes back from there."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from orchestrators.questions import PATIENCE, TRIES

REFERENCE = {"tenant": "home", "operation_id": "o-1", "question_id": "q1"}
ORDER = {**REFERENCE, "session": "o-1-abc"}
ENTITY, TIMER, SIGNAL = 7, 5, 9
REPLY = {
    "type": "agent_response",
    "messages": [{"role": "assistant", "contents": [{"type": "text", "text": "Told."}]}],
}

NewHistory = Callable[..., Any]


@pytest.fixture
def begun(history: NewHistory) -> Any:
    """A question whose agent was called."""
    return history("answer_question", ORDER).asked(0, "request-0").wake(seconds=1)


def tried(story: Any, number: int, *, settled: bool, reply: Any = REPLY) -> Any:
    """Let the agent reply to a try (from 0), and the ledger say what came of it."""
    first = 3 * number
    if number:
        story.asked(first, f"request-{number}").wake(seconds=1)
    story.replied(f"request-{number}", reply).scheduled(first + 1, "settle_question").wake()
    story.done(first + 1, {"settled": settled})
    if not settled:
        story.timer(first + 2).wake(seconds=20).fired(first + 2)
    return story


def settles(story: Any) -> list[dict[str, Any]]:
    actions = story.actions()
    return [json.loads(each["input"]) for each in actions if "functionName" in each]


def test_the_agent_is_sent_a_reference_in_the_session_of_the_reviewer(begun: Any) -> None:
    [call] = begun.actions()
    assert (call["actionType"], call["instanceId"]) == (ENTITY, "@dafx-factchecker@o-1-abc")
    request = json.loads(call["input"])
    assert json.loads(request["message"]) == REFERENCE
    assert len(call["input"]) < 1_000


def test_a_settled_question_ends_the_story(begun: Any) -> None:
    assert tried(begun, 0, settled=True).replay()["isDone"]
    assert settles(begun) == [{**REFERENCE, "last": False}]


def test_the_conversation_is_forgotten_once_the_question_is_settled(begun: Any) -> None:
    unsettled = tried(begun, 0, settled=False)
    assert SIGNAL not in [each["actionType"] for each in unsettled.actions()]
    settled = tried(unsettled, 1, settled=True).actions()
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
def test_nothing_that_comes_back_is_believed(begun: Any, reply: Any) -> None:
    story = tried(begun, 0, settled=False, reply=reply)
    assert not story.replay()["isDone"]
    assert [each["actionType"] for each in story.actions()].count(ENTITY) == 2
    assert "secret" not in json.dumps(story.replay())
    assert tried(story, 1, settled=True).replay()["isDone"]


def test_an_entity_that_fails_is_asked_again(begun: Any) -> None:
    failed = {"result": '"no"', "exceptionType": "Error"}
    begun.event("request-0", failed).scheduled(1, "settle_question").wake()
    assert not begun.done(1, {"settled": False}).timer(2).replay()["isDone"]
    assert begun.actions()[-1]["actionType"] == TIMER


def test_the_last_of_a_few_tries_settles_the_question_whatever_came(begun: Any) -> None:
    for number in range(TRIES):
        tried(begun, number, settled=number == TRIES - 1)
    assert begun.replay()["isDone"]
    assert [order["last"] for order in settles(begun)] == [False] * (TRIES - 1) + [True]


def test_what_the_ledger_says_is_asked_with_patience(begun: Any) -> None:
    begun.replied("request-0", REPLY)
    retried = begun.actions()[-1]["retryOptions"]
    assert retried["maxNumberOfAttempts"] == PATIENCE.max_number_of_attempts


def test_a_replay_asks_for_the_same_again(begun: Any) -> None:
    def asked(story: Any) -> list[tuple[Any, ...]]:
        calls = [each for each in story.actions() if each["actionType"] == ENTITY]
        requests = [json.loads(each["input"]) for each in calls]
        return [(each["message"], each["correlationId"]) for each in requests]

    story = tried(begun, 0, settled=False)
    first = asked(story)
    assert len(first) == 2
    assert asked(story) == first
    assert asked(tried(story, 1, settled=True)) == first
