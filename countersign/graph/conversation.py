"""What is said between an agent's caller and the graph: topics, questions, answers, refusals."""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, MutableMapping
from typing import Any

from agent_framework import Content
from pydantic import Field, ValidationError

from countersign.approvals.errors import Invalid, NotAuthorised, Refusal
from countersign.approvals.person import Person
from countersign.graph.engine import Engine
from countersign.graph.errors import FAULTS
from countersign.graph.facts import DID
from countersign.graph.rest import Rest
from countersign.identity.errors import Unauthenticated
from countersign.operations.allowances import AllowanceUsed
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

WAITING = "countersign_operation"
"""Under which key of a session's state the operation is whose question waits."""

_QUESTION = re.compile(r"(research-[0-9a-f]{24})-v(\d{1,2})(-\d+)?")
_DECIDING = {"approve", "approved", "reject", "rejected", "revise", "revised", "publish"} | {
    *("yes", "no", "ok", "okay", "lgtm", "go", "do")
}
_BESIDE = {
    *("ahead", "it", "this", "that", "now", "please", "thanks", "thank", "you"),
    *("the", "report", "version", "v"),
}
_DICTATED = re.compile(r"\s*(approve|reject|revise)d?\s*:", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+")

_SEND_AGAIN = "was not taken for a topic; send it again to request a report"

_HOW = (
    "answer the call of request_info with a function result: JSON with decision, digest and token"
)


class AgentAnswer(ReportDecisionBody):
    """A decision, with the token of the person whose it is."""

    token: str = Field(min_length=1, repr=False)


class Conversation:
    """One caller's exchange with the graph.

    Args:
        engine: runs the graphs.
        requester: in whose name reports are asked for.
        kept: what is remembered from one call to the next; plain JSON.
    """

    def __init__(self, engine: Engine, requester: Person, kept: MutableMapping[str, Any]) -> None:
        self._engine = engine
        self._requester = requester
        self._kept = kept

    async def take(self, text: str) -> list[Content]:
        """Take a text: the topic of a report, or whatever is said while a question waits."""
        if waiting := self._kept.get(WAITING):
            return await self._said_meanwhile(waiting, text)
        if looks_like_an_answer(text):
            reason = f"this looks like an answer, and no question waits here; {_HOW}"
            return [refused(Invalid(fields={"topic": reason}))]
        return await self._ask_for(text)

    async def answer(self, result: Content) -> list[Content]:
        """Take the answer to a question, by a function result."""
        asked = _QUESTION.fullmatch(result.call_id or "")
        if asked is None:
            return [refused(Invalid(fields={"call_id": "not a question of this agent"}))]
        return await self._decide(asked[1], int(asked[2]), str(result.result))

    async def _said_meanwhile(self, operation_id: str, text: str) -> list[Content]:
        operation = await self._engine.app.operations.load(self._requester.tenant, operation_id)
        if operation is None or operation.requester.id != self._requester.id:
            # The session may come from an app with another store, and from whoever could change it.
            del self._kept[WAITING]
            gone = f"{operation_id}, whose question waited in this session, is not here"
            return [refused(Invalid(fields={"session": f"{gone}; your text {_SEND_AGAIN}"}))]
        current = operation.current
        if current and current.status == "pending" and _as_answer(text) is not None:
            return await self._decide(operation_id, current.version, text)
        rest = await self._engine.resume(self._requester.tenant, operation_id)
        if rest.question is None:
            return [*self._contents(rest), _said(f"Your text {_SEND_AGAIN}.")]
        waits = f"version {rest.question['version']} of {operation_id} waits for a decision"
        reason = f"{waits}, and this text decides nothing; {_HOW}, or use another session"
        return [refused(Invalid(fields={"answer": reason})), *self._contents(rest)]

    async def _ask_for(self, topic: str) -> list[Content]:
        if RESEARCH_REQUESTER not in self._requester.roles:
            return [refused(NotAuthorised(needs=f"the role {RESEARCH_REQUESTER}"))]
        try:
            body = ReportRequestBody(topic=topic, approval=ReportTermsBody())
            operation = await self._engine.start(self._requester, body)
        except ValidationError as error:
            return [refused(malformed(error))]
        except AllowanceUsed as error:
            return [_said(f"{error.code}: {error}")]
        self._kept[WAITING] = operation.id
        going_on = self._engine.run(operation.tenant, operation.id)
        return await self._rested(going_on, f"{operation.id} was started")

    async def _decide(self, operation_id: str, version: int, text: str) -> list[Content]:
        try:
            answer = AgentAnswer.model_validate_json(text)
            bearer = {"Authorization": f"Bearer {answer.token}"}
            person = await self._engine.app.verifier.verify(bearer)
        except ValidationError as error:
            return await self._asked_again(operation_id, refused(malformed(error)))
        except Unauthenticated as error:
            return await self._asked_again(operation_id, _said(f"unauthenticated: {error}"))
        decided = await self._engine.decide(person, operation_id, version, answer)
        if not isinstance(decided, Changed):
            return await self._asked_again(operation_id, refused(decided))
        going_on = self._engine.resume(person.tenant, operation_id)
        recorded = f"It is recorded that {person.name} {DID[answer.decision]} version {version}"
        return await self._rested(going_on, recorded)

    async def _asked_again(self, operation_id: str, why: Content) -> list[Content]:
        """Return why an answer was refused, and the question if this requester asked for it.

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
            return [why, stuck(error)]
        contents = self._contents(rest)
        return [why, *(contents if rest.question else [])]

    async def _rested(self, going_on: Awaitable[Rest], stands: str) -> list[Content]:
        """Return where a graph comes to rest, or what stands although it can't go on now."""
        try:
            return self._contents(await going_on)
        except FAULTS as error:
            return [_said(f"{stands}."), stuck(error)]

    def _contents(self, rest: Rest) -> list[Content]:
        operation = rest.operation
        if rest.question is None or rest.request_id is None:
            if self._kept.get(WAITING) == operation.id and operation.closed:
                del self._kept[WAITING]
            closed = operation.closed
            outcome = closed.outcome if closed else "running"
            reason = f": {closed.reason}" if closed and closed.reason else ""
            return [_said(f"{operation.id} {outcome}{reason}")]
        if operation.requester.id == self._requester.id:
            self._kept[WAITING] = operation.id
        return [
            Content.from_function_call(
                call_id=rest.request_id, name=REQUEST_INFO, arguments=dict(rest.question)
            )
        ]


def refused(refusal: Refusal) -> Content:
    """Return a refusal as it is told."""
    told = explain(refusal)
    return _said(f"{told.code}: {told.detail}")


def stuck(error: Exception) -> Content:
    """Return the reason why a graph can't continue, as content for people."""
    return _said(f"stuck: {error}.")


def looks_like_an_answer(text: str) -> bool:
    """Whether people answer a question with such a text, and put no topic.

    It is the JSON of an answer, begins with a decision and a colon, or has no words but those by
    which people agree or disagree.
    """
    words = set(_WORD.findall(text.lower()))
    says_so = bool(words & _DECIDING) and words <= _DECIDING | _BESIDE
    return says_so or bool(_DICTATED.match(text)) or _as_answer(text) is not None


def _as_answer(text: str) -> dict[str, Any] | None:
    """Return the answer in a text of JSON, valid or not; None if the text is something else."""
    try:
        answer = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return answer if isinstance(answer, dict) and "decision" in answer else None


def _said(text: str) -> Content:
    return Content.from_text(text)
