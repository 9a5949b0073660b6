"""The story of a reviewer's question: the fact-checker is asked, and the ledger says what came."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from typing import Any, Final, TypeAlias, cast

import azure.durable_functions as df
from agent_framework_durabletask import AgentSessionId, DurableAgentSession, DurableAIAgent

from countersign.steps.records import (
    QuestionSettled,
    QuestionWork,
    SessionWork,
    SettlingWork,
    read,
    to_json,
)
from orchestrators.names import FACT_CHECKER, SETTLE_QUESTION
from orchestrators.story import FIRST, PATIENCE, Context, Story

GetAgent: TypeAlias = Callable[[Context, str], DurableAIAgent[Any]]

UNTIMED: Final = (*FIRST, "1")
"""The versions of instances that wait for the agent without a timer (decision 8)."""

TRIES = 3
PAUSE = timedelta(seconds=20)

LONGEST_TRY = timedelta(minutes=5)
"""An operation of the agent's ends by itself before that; one that was lost never replies."""


def blueprint_with(get_agent: GetAgent) -> df.Blueprint:
    """Make the story that is registered; `get_agent` is that of the app which hosts the agent."""
    stories = df.Blueprint()

    @stories.orchestration_trigger(context_name="context")
    def answer_question(context: Context) -> Story[None]:
        return have_answered(context, get_agent(context, FACT_CHECKER))

    return stories


def have_answered(context: Context, fact_checker: DurableAIAgent[Any]) -> Story[None]:
    """Have the fact-checker answer a question, and give up after a few tries.

    The agent is sent a reference, and what it replies is never read: it records the answer in the
    ledger itself. So a reply that somebody forges, or one that is lost, says nothing; and one that
    comes too late finds in the ledger that the question is settled.

    Input: tenant, operation_id, question_id, and the session that the question is part of.
    """
    asked = read(SessionWork, cast("dict[str, Any]", context.get_input()))
    # `create_session` gives each its own random key, and this one is to be found again.
    conversation = AgentSessionId(name=FACT_CHECKER, key=asked.session)
    session = DurableAgentSession.from_session_id(conversation)
    question = QuestionWork(
        tenant=asked.tenant, operation_id=asked.operation_id, question_id=asked.question_id
    )
    for left in reversed(range(TRIES)):
        yield from ended(context, fact_checker.run(json.dumps(to_json(question)), session=session))
        settling = SettlingWork.of(question, question_id=question.question_id, last=left == 0)
        said = yield context.call_activity_with_retry(SETTLE_QUESTION, PATIENCE, to_json(settling))
        if read(QuestionSettled, said).settled:
            # What is said next begins with the ledger, so nothing of this is needed any more.
            context.signal_entity(df.EntityId(conversation.entity_name, conversation.key), "reset")
            return
        yield context.create_timer(context.current_utc_datetime + PAUSE)


def ended(context: Context, run: Any) -> Story[None]:
    """Wait until a run of the agent has ended, or has had its time.

    How it ends says nothing: all that counts is in the ledger.
    """
    if context.version in UNTIMED:
        with suppress(Exception):
            yield run
        return
    timer: Any = context.create_timer(context.current_utc_datetime + LONGEST_TRY)
    yield context.task_any([run, timer])
    if not timer.is_completed:
        timer.cancel()
