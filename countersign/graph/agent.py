"""The whole graph as one agent: a topic goes in, and a question or an outcome comes out.

The framework's own `workflow.as_agent()` hands whatever a caller sends on to the graph and into its
next checkpoint. An answer here carries a token, so it is checked and recorded before the graph is
told anything, exactly as everywhere else.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Awaitable, Sequence
from typing import Any

from agent_framework import (
    AgentResponse,
    AgentResponseUpdate,
    BaseAgent,
    Content,
    Message,
    ResponseStream,
)
from pydantic import Field, ValidationError

from countersign.approvals.errors import Invalid, NotAuthorised, Refusal
from countersign.approvals.person import Person
from countersign.graph.engine import Engine
from countersign.graph.errors import FAULTS
from countersign.graph.rest import Rest
from countersign.identity.errors import KeysUnavailable, Unauthenticated
from countersign.operations.refusals import explain, malformed
from countersign.operations.repository import Changed
from countersign.reports.report_bodies import (
    ReportDecisionBody,
    ReportRequestBody,
    ReportTermsBody,
)
from countersign.roles import RESEARCH_REQUESTER

REQUEST_INFO = "request_info"
"""What the framework calls the function by which a workflow, as an agent, puts a question."""

_QUESTION = re.compile(r"(research-[0-9a-f]{24})-v(\d{1,2})(-\d+)?")


class AgentAnswer(ReportDecisionBody):
    """A decision, with the token of the person whose it is."""

    token: str = Field(min_length=1, repr=False)


class ReportAgent(BaseAgent):
    """Asks for reports on behalf of one person, and takes decisions from others.

    The pending question is a call of the function `request_info`, whose arguments are what is to be
    decided. It is answered by a function result: the JSON of an `AgentAnswer`. Any object of this
    class can take the answer, in any process.

    Args:
        engine: runs the graphs.
        requester: who asks for what this agent is asked; proven by whoever makes the agent.
    """

    def __init__(self, engine: Engine, requester: Person) -> None:
        super().__init__(name="Countersign", description="Reports that a person has approved.")
        self._engine = engine
        self._requester = requester

    def run(
        self, messages: Any = None, *, stream: bool = False, session: Any = None, **kwargs: Any
    ) -> Any:
        """Take a topic, or the answers to questions.

        Args:
            messages: a text, a message, or several; the last text is the topic.
            stream: whether to return a stream of updates instead.
            session: not needed: what is pending is in the ledger.
            kwargs: what the framework passes to agents in general.

        Returns:
            An `AgentResponse` to await, or a `ResponseStream`.
        """
        del session, kwargs
        replying = self._reply(messages)
        if not stream:
            return replying
        return ResponseStream(_updates(replying), finalizer=AgentResponse.from_updates)

    async def _reply(self, given: Any) -> AgentResponse[Any]:
        try:
            messages = _as_messages(given)
        except TypeError as error:
            return _response([_refused(Invalid(fields={"messages": str(error)}))])
        parts = [part for message in messages for part in message.contents]
        results = [part for part in parts if part.type == "function_result"]
        if results:
            answered = [await _heard(self._answer(part)) for part in results]
            return _response([content for contents in answered for content in contents])
        topic = next((message.text for message in reversed(messages) if message.text.strip()), "")
        return _response(await _heard(self._ask_for(topic)))

    async def _ask_for(self, topic: str) -> list[Content]:
        if RESEARCH_REQUESTER not in self._requester.roles:
            return [_refused(NotAuthorised(needs=f"the role {RESEARCH_REQUESTER}"))]
        try:
            body = ReportRequestBody(topic=topic, approval=ReportTermsBody())
        except ValidationError as error:
            return [_refused(malformed(error))]
        operation = await self._engine.start(self._requester, body)
        going_on = self._engine.run(operation.tenant, operation.id)
        return await _rested(going_on, f"{operation.id} was started")

    async def _answer(self, result: Content) -> list[Content]:
        asked = _QUESTION.fullmatch(result.call_id or "")
        if asked is None:
            return [_refused(Invalid(fields={"call_id": "not a question of this agent"}))]
        operation_id, version = asked[1], int(asked[2])
        try:
            answer = AgentAnswer.model_validate_json(str(result.result))
            bearer = {"Authorization": f"Bearer {answer.token}"}
            person = await self._engine.app.verifier.verify(bearer)
        except ValidationError as error:
            return await self._asked_again(operation_id, _refused(malformed(error)))
        except Unauthenticated as error:
            return await self._asked_again(operation_id, _said(f"unauthenticated: {error}"))
        decided = await self._engine.decide(person, operation_id, version, answer)
        if not isinstance(decided, Changed):
            return await self._asked_again(operation_id, _refused(decided))
        going_on = self._engine.resume(person.tenant, operation_id)
        return await _rested(going_on, f"{answer.decision} of version {version} is recorded")

    async def _asked_again(self, operation_id: str, why: Content) -> list[Content]:
        """Why an answer didn't count, and the question if it is about this requester's request.

        Nobody else's is shown or gone on with: the answer proved nothing.
        """
        tenant = self._requester.tenant
        operation = await self._engine.app.operations.load(tenant, operation_id)
        if operation is None or operation.requester.id != self._requester.id:
            return [why]
        # It may have to go on all the same: to another version, or its end.
        try:
            rest = await self._engine.resume(tenant, operation_id)
        except FAULTS as error:
            return [why, _stuck(error)]
        return [why, *(_contents(rest) if rest.question else [])]


def as_agent(engine: Engine, requester: Person) -> ReportAgent:
    """The graph as an agent that asks for reports in one person's name."""
    return ReportAgent(engine, requester)


async def _heard(replying: Awaitable[list[Content]]) -> list[Content]:
    """A reply, or what kept it from being given."""
    try:
        return await replying
    except (*FAULTS, KeysUnavailable) as error:
        return [_stuck(error)]


async def _rested(going_on: Awaitable[Rest], stands: str) -> list[Content]:
    """Where a graph comes to rest, or what stands although it can't go on now."""
    try:
        return _contents(await going_on)
    except FAULTS as error:
        return [_said(f"{stands} and remains valid."), _stuck(error)]


def _contents(rest: Rest) -> list[Content]:
    if rest.request_id is None or rest.question is None:
        closed = rest.operation.closed
        outcome = closed.outcome if closed else "running"
        reason = f": {closed.reason}" if closed and closed.reason else ""
        return [_said(f"{rest.operation.id} {outcome}{reason}")]
    return [
        Content.from_function_call(
            call_id=rest.request_id, name=REQUEST_INFO, arguments=dict(rest.question)
        )
    ]


def _refused(refusal: Refusal) -> Content:
    told = explain(refusal)
    return _said(f"{told.code}: {told.detail}")


def _stuck(error: Exception) -> Content:
    return _said(f"stuck: {error}.")


def _said(text: str) -> Content:
    return Content.from_text(text)


def _response(contents: list[Content]) -> AgentResponse[Any]:
    return AgentResponse(messages=[Message("assistant", contents)])


async def _updates(
    replying: Awaitable[AgentResponse[Any]],
) -> AsyncIterator[AgentResponseUpdate]:
    for message in (await replying).messages:
        yield AgentResponseUpdate(role="assistant", contents=message.contents)


def _as_messages(given: Any) -> list[Message]:
    if given is None:
        return []
    if isinstance(given, Message):
        return [given]
    if isinstance(given, (str, Content)):
        return [Message("user", [given])]
    if isinstance(given, Sequence):
        return [message for each in given for message in _as_messages(each)]
    raise TypeError(f"expected a text or messages, not {type(given).__name__}")
