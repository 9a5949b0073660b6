"""What the worker answers in each turn, and what follows, as the genuine extension saw it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from devhost.durable.history import Kind
from testbed.genuine import Execution, executions

Code = Callable[[Any], str]
KINDS = {"research": 14, "purchase": 2, "approval_gate": 19, "answer_question": 1}


def test_every_turn_is_answered_and_followed_as_recorded(execution: Execution, code: Code) -> None:
    execution.replay(code)


def test_each_orchestrator_has_its_recordings() -> None:
    names = [each.orchestrator for each in executions()]
    assert {name: names.count(name) for name in names} == KINDS


def test_what_a_suspended_instance_answers_is_dropped() -> None:
    [suspended] = [
        turn
        for execution in executions()
        for turn in execution.turns
        if turn.suspended and turn.messages[0]["EventType"] == Kind.EventRaised
    ]
    assert [each["EventType"] for each in suspended.written or ()] == [Kind.OrchestratorCompleted]
