"""The whole graph as one agent: a topic goes in, and a question or an outcome comes out.

The framework's own `workflow.as_agent()` hands whatever a caller sends on to the graph and into its
next checkpoint. An answer here carries a token, so it is checked and recorded before the graph is
told anything, exactly as everywhere else.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, MutableMapping, Sequence
from typing import Any

from agent_framework import (
    AgentResponse,
    AgentResponseUpdate,
    AgentSession,
    BaseAgent,
    Content,
    Message,
    ResponseStream,
)

from countersign.approvals.errors import Invalid
from countersign.approvals.person import Person
from countersign.graph.conversation import Conversation, refused, stuck
from countersign.graph.engine import Engine
from countersign.graph.errors import FAULTS
from countersign.graph.progress import StagesTold
from countersign.identity.errors import KeysUnavailable


class ReportAgent(BaseAgent):
    """Asks for reports on behalf of one person, and takes decisions from others.

    The pending question is a call of the function `request_info`, whose arguments are what is to be
    decided. It is answered by a function result: the JSON of an `AgentAnswer`. Any object of this
    class can take the answer, in any process.

    While a question waits in a session (or, without one, in this object), a text is never taken for
    the topic of another report: it is an answer, or it is told that it is none.

    Args:
        engine: runs the graphs.
        requester: who asks for what this agent is asked; proven by whoever makes the agent.
        name: what the agent is called.
        description: what it is for.
    """

    def __init__(
        self,
        engine: Engine,
        requester: Person,
        name: str = "Countersign",
        description: str = "Reports that a person has approved.",
    ) -> None:
        super().__init__(name=name, description=description)
        self._engine = engine
        self._requester = requester
        self._without_session: dict[str, Any] = {}

    def run(
        self,
        messages: Any = None,
        *,
        stream: bool = False,
        session: AgentSession | None = None,
        **kwargs: Any,
    ) -> Any:
        """Take a topic, or the answers to questions.

        Args:
            messages: a text, a message, or several; the last text is the topic.
            stream: whether to return a stream of updates instead: what is being done, as reasoning,
                then the reply.
            session: remembers which question waits, also when it is stored and read again.
            kwargs: what the framework passes to agents in general.

        Returns:
            An `AgentResponse` to await, or a `ResponseStream`.
        """
        del kwargs
        kept = self._without_session if session is None else session.state
        if not stream:
            return self._reply(messages, Conversation(self._engine, self._requester, kept))
        return ResponseStream(self._updates(messages, kept), finalizer=AgentResponse.from_updates)

    async def _updates(
        self, messages: Any, kept: MutableMapping[str, Any]
    ) -> AsyncIterator[AgentResponseUpdate]:
        async for told in self._told(messages, kept):
            yield AgentResponseUpdate(role="assistant", contents=told)

    async def _told(
        self, messages: Any, kept: MutableMapping[str, Any]
    ) -> AsyncIterator[list[Content]]:
        doing: asyncio.Queue[str] = asyncio.Queue()
        engine = self._engine.listening(StagesTold(doing.put_nowait))
        replying = asyncio.create_task(
            self._reply(messages, Conversation(engine, self._requester, kept))
        )
        try:
            async for stage in _until(replying, doing):
                yield [Content.from_text_reasoning(text=stage)]
            for message in (await replying).messages:
                yield message.contents
        finally:
            replying.cancel()

    async def _reply(self, given: Any, conversation: Conversation) -> AgentResponse[Any]:
        try:
            messages = _as_messages(given)
        except TypeError as error:
            return _response([refused(Invalid(fields={"messages": str(error)}))])
        parts = [part for message in messages for part in message.contents]
        results = [part for part in parts if part.type == "function_result"]
        if results:
            answered = [await _heard(conversation.answer(part)) for part in results]
            return _response([content for contents in answered for content in contents])
        text = next((message.text for message in reversed(messages) if message.text.strip()), "")
        return _response(await _heard(conversation.take(text)))


def as_agent(engine: Engine, requester: Person, name: str = "Countersign") -> ReportAgent:
    """Return the graph as an agent that asks for reports in one person's name."""
    return ReportAgent(engine, requester, name)


async def _until(done: asyncio.Task[Any], queue: asyncio.Queue[str]) -> AsyncIterator[str]:
    """Yield what is put into a queue until a task is done."""
    while True:
        coming = asyncio.create_task(queue.get())
        await asyncio.wait((done, coming), return_when=asyncio.FIRST_COMPLETED)
        if coming.done():
            yield coming.result()
            continue
        coming.cancel()
        return


async def _heard(replying: Awaitable[list[Content]]) -> list[Content]:
    """Return a reply, or what kept it from being given."""
    try:
        return await replying
    except (*FAULTS, KeysUnavailable) as error:
        return [stuck(error)]


def _response(contents: list[Content]) -> AgentResponse[Any]:
    return AgentResponse(messages=[Message("assistant", contents)])


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
