"""The fact-checker as the durable runtime hosts it, and what an orchestration asks about it."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from datetime import datetime, timezone
from typing import Any

import azure.durable_functions as df
from agent_framework import AgentResponse, BaseAgent, Message

from activities.failures import contained
from activities.traces import traced
from countersign.approvals.operation import Operation, Question
from countersign.approvals.questions import fail_question, open_questions, record_answer
from countersign.operations.endings import Answer
from countersign.operations.repository import Rule
from countersign.platform.telemetry import span
from countersign.services import Services
from countersign.sources.library import SourceError
from countersign.stores.artifacts import ArtifactError
from countersign.team.errors import BudgetSpent, ModelUnavailable, TeamError
from countersign.wiring import services
from orchestrators.inputs import SettlingInput
from orchestrators.names import FACT_CHECKER

UNREADABLE = "What this version rests on can't be read; see the host's log."
STILL_OPEN = "The question is open still."
SHARE = "Questions may use only a part of an operation's tokens."

GIVEN_UP = "The fact-checker could not answer in several tries: ask again later."

blueprint = df.Blueprint()

_log = logging.getLogger(__name__)


class HostedFactChecker(BaseAgent):
    """The agent behind the entity of each conversation: one for each operation and reviewer.

    An entity keeps its conversation and hands it to the agent each time, until it is told to forget
    it. So no question, no answer and no document goes through it: a message is a reference to a
    question in the ledger, and a reply is a few fixed words, 700 bytes for both as they are kept.
    What the reviewer asked before is read from the ledger too, so nothing that somebody slips into
    an entity's state is ever heard, and it is forgotten as soon as a question is settled.

    Running it twice is safe: an answer that is stored is found by what went into it.
    """

    def __init__(self) -> None:
        super().__init__(id=FACT_CHECKER, name=FACT_CHECKER)

    def run(self, messages: Any = None, *, stream: bool = False, **_: Any) -> Any:
        """Answer the question that the last of the messages refers to.

        Returns:
            What awaiting turns into an `AgentResponse`.

        Raises:
            TypeError: a stream is wanted. The entity then asks without one, and only once; an agent
                that can stream is asked a second time whenever it fails.
        """
        if stream:
            raise TypeError("this agent has no stream")
        return _replied(messages or [])


@blueprint.activity_trigger(input_name="order")
@contained
@traced
async def settle_question(order: SettlingInput) -> Answer:
    """Say whether a question is settled, and settle it if this was the last try.

    Running it twice is safe: what was recorded first stands.
    """
    return await _settle(services(), order)


async def _replied(messages: list[Message]) -> AgentResponse:
    try:
        told = await _answer(services(), _order_in(messages))
    except Exception:  # noqa: BLE001 - the edge of the process: an entity keeps a fault's words
        _log.exception("the fact-checker failed")
        told = STILL_OPEN
    # Without a time the entity logs a warning with its stack, and takes the time itself.
    now = datetime.now(timezone.utc).isoformat()
    return AgentResponse(messages=[Message("assistant", [told])], created_at=now)


def _order_in(messages: list[Message]) -> Mapping[str, object]:
    """The reference in the last message, an empty one if there is none."""
    try:
        order = json.loads(messages[-1].text) if messages else {}
    except ValueError:
        return {}
    return order if isinstance(order, dict) else {}


async def _answer(app: Services, order: Mapping[str, object]) -> str:
    operation, question = await _open_question(app, order)
    if operation is None or question is None:
        return "No such question is open."
    with span("answer_question", operation_id=operation.id):
        rule = await _rule(app, operation, question)
    if rule is None:
        return STILL_OPEN
    await app.operations.change(operation.tenant, operation.id, rule)
    return "What came of the question is in the ledger."


async def _open_question(
    app: Services, order: Mapping[str, object]
) -> tuple[Operation | None, Question | None]:
    operation = await app.operations.load(
        str(order.get("tenant", "")), str(order.get("operation_id", ""))
    )
    waiting = open_questions(operation) if operation else ()
    asked = (each for each in waiting if each.id == order.get("question_id"))
    return operation, next(asked, None)


async def _rule(app: Services, operation: Operation, question: Question) -> Rule | None:
    """Work on a question; what is to be recorded of it, None if another try may do better."""
    try:
        reference = await app.consultations.answer(operation, question)
    except (ModelUnavailable, SourceError) as error:
        _log.warning("%s of %s has to wait: %s", question.id, operation.id, error)
        return None
    except BudgetSpent as error:
        why = f"The fact-checker can't answer this: {error}. {SHARE}"
    except TeamError as error:
        why = f"The fact-checker can't answer this: {error}."
    except ArtifactError as error:
        # Its text names folders of this machine, which is nothing for every reader of the ledger.
        _log.error("%s of %s can't be answered: %s", question.id, operation.id, error)
        why = UNREADABLE
    else:
        return lambda state, now: record_answer(state, question.id, reference, now)
    return lambda state, now: fail_question(state, question.id, why, now)


async def _settle(app: Services, order: SettlingInput) -> Answer:
    operation, question = await _open_question(app, order)
    if operation is None or question is None:
        return {"settled": True}
    if order["last"]:
        await app.operations.change(
            operation.tenant,
            operation.id,
            lambda state, now: fail_question(state, question.id, GIVEN_UP, now),
        )
    return {"settled": order["last"]}
