"""The fact-checker as the durable runtime hosts it, and what an orchestration asks about it."""

from __future__ import annotations

import json
import logging
from datetime import datetime, timezone
from typing import Any

import azure.durable_functions as df
from agent_framework import AgentResponse, BaseAgent, Message

from activities.entities import in_time
from activities.step import make_sure_it_serves, step
from countersign.services import Services
from countersign.steps.records import QuestionWork, Result, SettlingWork, read
from countersign.wiring import services
from orchestrators.names import FACT_CHECKER

NO_QUESTION = "No such question is open."
SETTLED = "What came of the question is in the ledger."
STILL_OPEN = "The question is open still."

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


@step(blueprint)
async def settle_question(app: Services, work: SettlingWork) -> Result:
    """Say whether a question is settled, and settle it if this was the last try.

    Running it twice is safe: what was recorded first stands.
    """
    return await app.questions.settle(work)


async def _replied(messages: list[Message]) -> AgentResponse:
    try:
        told = await in_time(_told(_question_in(messages)))
    except Exception:  # noqa: BLE001 - the edge of the process: an entity keeps a fault's words
        _log.exception("the fact-checker failed")
        told = STILL_OPEN
    # Without a time the entity logs a warning with its stack, and takes the time itself.
    now = datetime.now(timezone.utc).isoformat()
    return AgentResponse(messages=[Message("assistant", [told])], created_at=now)


async def _told(question: QuestionWork | None) -> str:
    if question is None:
        return NO_QUESTION
    app = services()
    await make_sure_it_serves(app)
    return SETTLED if await app.questions.take_up(question) else STILL_OPEN


def _question_in(messages: list[Message]) -> QuestionWork | None:
    """Return the question that the last message refers to, None if it refers to none."""
    try:
        said = json.loads(messages[-1].text) if messages else {}
        names = {name: value for name, value in said.items() if isinstance(value, str)}
        return read(QuestionWork, names)
    except (ValueError, AttributeError, TypeError):
        return None
