"""Paid work, done once: results are kept in the ledger, and replies by what was asked."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from secrets import token_bytes
from typing import Any
from weakref import WeakValueDictionary

from countersign.approvals import rules
from countersign.approvals.digest import canonical, sha256
from countersign.approvals.operation import Operation
from countersign.operations.repository import Changed, NotWanted, Operations
from countersign.operations.rule import Rule, unless_before
from countersign.platform.telemetry import count_tokens, span
from countersign.steps.names import is_advice, subtopic_of
from countersign.stores.artifacts import Artifacts, DamagedArtifact
from countersign.team.budget import InFlight, TokenBudget
from countersign.team.calls import Calls
from countersign.team.chat import EXTRACTIVE, ModelChoice, TokenProvider, model_name
from countersign.team.dialect import Spoken
from countersign.team.progress import Progress, Watch, nobody_watches
from countersign.team.replies import Reply
from countersign.team.roles import Request


@dataclass(frozen=True, kw_only=True, slots=True)
class KeptReplies:
    """The replies to one operation's requests.

    A process that dies in a step loses the call under way and nothing else: whoever repeats the
    step puts the same requests, and finds the replies to those before it.

    Attributes:
        artifacts: where they are kept.
        shelf: whose they are stored as.
        operation_id: whose they are; replies are never shared between operations.
        model: which model answers; another one is asked anew.
        attempt: what sets a try apart in which a model is asked anew; empty where it isn't.
        may_have: whether there can be a reply to a request, as far as the ledger knows.
    """

    artifacts: Artifacts
    shelf: str
    operation_id: str
    model: str
    attempt: str = ""
    may_have: Callable[[Request], bool] = lambda _: True

    async def get(self, request: Request) -> Reply | None:
        """Return the reply to an equal request, None if there is none.

        Raises:
            ArtifactError: it is missing or damaged.
        """
        if not self.may_have(request):
            return None
        reference = await self.artifacts.recall(self.shelf, self._key(request))
        if reference is None:
            return None
        return Reply.model_validate_json(await self.artifacts.get(self.shelf, reference))

    async def put(self, request: Request, reply: Reply) -> None:
        """Keep a reply; the first to a request stands."""
        stored = canonical(reply.model_dump(mode="json"))
        reference = await self.artifacts.put(self.shelf, stored)
        await self.artifacts.remember(self.shelf, self._key(request), reference)

    async def begin(self, request: Request) -> bool:
        """Note that a call is made; says whether one before it was never heard of again."""
        own, number = sha256(token_bytes(32)), 0
        while await self._mark("begun", request, number, own) != own:
            number += 1
        if number == 0:
            return False
        failed = self._key(request, "failed", number - 1)
        return await self.artifacts.recall(self.shelf, failed) is None

    async def fail(self, request: Request) -> None:
        """Note that the call that was begun last brought no reply."""
        number = 0
        while await self.artifacts.recall(self.shelf, self._key(request, "begun", number + 1)):
            number += 1
        await self._mark("failed", request, number, sha256(token_bytes(32)))

    async def _mark(self, what: str, request: Request, number: int, own: str) -> str:
        return await self.artifacts.remember(self.shelf, self._key(request, what, number), own)

    def _key(self, request: Request, *what: str | int) -> str:
        parts = [
            self.shelf,
            self.operation_id,
            *(what or ["reply"]),
            self.model,
            request.model_dump(mode="json"),
        ]
        return sha256(canonical([*parts, *([self.attempt] if self.attempt else [])]))


UNSEEN_SECONDS = 0.5
"""A step that takes no longer is not told of as under way: the page looks every few seconds."""

Making = Callable[[Calls], Awaitable[Any]]
"""Makes the result of a step, as JSON, with the calls of a model that it needs."""

ADVICE_SHARE = 0.2
"""The part of an operation's tokens that all its questions and checks of texts may use together.

Reviewers who ask a lot must not leave too few for the revision that they ask for then."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Workshop:
    """Where the steps of operations are carried out.

    Attributes:
        operations: whose ledgers say what was done and what it cost.
        artifacts: where results are kept.
        model: which model works here; another one makes other results.
        token: what a model on Azure is asked with if it has no key.
        token_limit: how many tokens one operation may use in all.
        watch: is told how the model's answers come along.
    """

    operations: Operations
    artifacts: Artifacts
    model: ModelChoice
    token: TokenProvider | None = None
    token_limit: int
    watch: Watch = nobody_watches
    _in_flight: InFlight = field(default_factory=InFlight, init=False, repr=False, compare=False)
    _spoken: Spoken = field(default_factory=Spoken, init=False, repr=False, compare=False)
    _under_way: WeakValueDictionary[tuple[asyncio.AbstractEventLoop, str], asyncio.Lock] = field(
        default_factory=WeakValueDictionary, init=False, repr=False, compare=False
    )

    async def make(
        self,
        operation: Operation,
        step: str,
        work: Making,
        then: Callable[[Any], Awaitable[Rule]] | None = None,
    ) -> Any:
        """Carry a step out and record it, unless it is recorded already.

        After a crash in between it is carried out again, with the replies that are kept.

        Args:
            operation: whose step it is.
            step: the name of the step.
            work: makes the result.
            then: what is recorded with the result beside that there is one.

        Returns:
            The JSON of the first result of this step.

        Raises:
            BudgetSpent: the operation has no tokens left for this.
            NotWanted: the operation ended while the work was under way.
            TeamError: the work can't be done.
        """
        async with self._alone(operation, step):
            newest = self.operations.known(operation.tenant, operation.id) or operation
            if step in newest.work:
                return await self.result(newest, step)
            made = await self._carry_out(operation, step, work)
            reference = await self.artifacts.put(operation.shelf, canonical(made))
            more = [await then(made)] if then else []
            changed = await self.operations.change(
                operation.tenant,
                operation.id,
                unless_before(
                    lambda state, now: rules.record_work(state, step, reference, now), *more
                ),
                again=True,
            )
        if not isinstance(changed, Changed):
            raise NotWanted(changed)
        return await self.result(changed.operation, step)

    async def keep(
        self, operation: Operation, step: str, made_from: Mapping[str, Any], work: Making
    ) -> str:
        """Carry a step out, unless its result is stored already, and return where it is stored.

        For what the ledger has words of its own, so that the result is found by what went into it.

        Args:
            operation: whose step it is.
            step: the name of the step.
            made_from: JSON of all that goes into it.
            work: makes the result.

        Raises:
            BudgetSpent, TeamError: as `make`.
        """
        key = self.key(operation, step, made_from)
        async with self._alone(operation, key):
            if reference := await self.artifacts.recall(operation.shelf, key):
                return reference
            made = canonical(await self._carry_out(operation, step, work))
            reference = await self.artifacts.put(operation.shelf, made)
            return await self.artifacts.remember(operation.shelf, key, reference)

    def _alone(self, operation: Operation, what: str) -> asyncio.Lock:
        # An activity may run twice at the same time: the second finds what the first has recorded.
        # The agents' entities have a loop of their own, and nobody on another loop is woken by it.
        one = asyncio.get_running_loop(), f"{operation.tenant}/{operation.id}/{what}"
        return self._under_way.setdefault(one, asyncio.Lock())

    async def result(self, operation: Operation, step: str) -> Any:
        """Return the JSON that a finished step made.

        Raises:
            ArtifactError: it is missing or damaged.
        """
        return await self._read(operation, step, operation.work[step])

    async def _read(self, operation: Operation, step: str, reference: str) -> Any:
        stored = await self.artifacts.get(operation.shelf, reference)
        try:
            return json.loads(stored)
        except ValueError as error:
            raise DamagedArtifact(f"what {step} made is not JSON") from error

    def key(self, operation: Operation, step: str, made_from: Mapping[str, Any]) -> str:
        """Return the key of a result: a digest over everything that it depends on."""
        model = model_name(self.model)
        parts = [operation.tenant, operation.id, step, model, dict(made_from)]
        return sha256(canonical(parts))

    async def _carry_out(self, operation: Operation, step: str, work: Making) -> Any:
        with span("ask_team", step=step):
            return await work(self._calls(operation, step))

    def _calls(self, operation: Operation, step: str) -> Calls:
        return Calls(
            self.model,
            TokenBudget(
                self._limit(operation, step),
                _Account(self, operation, step),
                self._in_flight,
                f"{operation.tenant}/{operation.id}",
            ),
            token=self.token,
            kept=KeptReplies(
                artifacts=self.artifacts,
                shelf=operation.shelf,
                operation_id=operation.id,
                model=model_name(self.model),
                attempt=_attempt(operation),
                may_have=partial(self._was_called, operation),
            ),
            # The embedded one answers before anybody could look.
            told=partial(self.tell, operation, step) if self.model.provider != EXTRACTIVE else None,
            spoken=self._spoken,
        )

    def _was_called(self, operation: Operation, request: Request) -> bool:
        """Return whether a call with this prompt is recorded, as it is before a reply is kept."""
        newest = self.operations.known(operation.tenant, operation.id) or operation
        # Earlier releases recorded no prompts.
        return not newest.prompts.isdisjoint({request.prompt_digest, None})

    def _limit(self, operation: Operation, step: str) -> int:
        """Return how many tokens the operation may have used when this step calls a model."""
        if not is_advice(step):
            return self.token_limit
        asked = sum(spent for each, spent in operation.spent.items() if is_advice(each))
        share = int(self.token_limit * ADVICE_SHARE)
        return min(self.token_limit, operation.tokens - asked + share)

    @asynccontextmanager
    async def seen(self, operation: Operation, step: str) -> AsyncGenerator[None]:
        """Let it be seen that a step is under way, unless it is done before anybody could look."""
        telling = asyncio.create_task(self._tell_late(operation, step))
        try:
            yield
        finally:
            telling.cancel()
            await asyncio.wait([telling])

    async def _tell_late(self, operation: Operation, step: str) -> None:
        await asyncio.sleep(UNSEEN_SECONDS)
        await self.tell(operation, step)

    async def tell(self, operation: Operation, step: str, tokens: int = 0) -> None:
        """Let it be seen that a step is under way, with the tokens of the answer so far."""
        await self.watch(
            Progress(
                tenant=operation.tenant,
                operation_id=operation.id,
                step=step,
                subtopic=subtopic_of(step, operation.subtopics or ()),
                tokens=tokens,
            )
        )


def _attempt(operation: Operation) -> str:
    """Return what distinguishes the tries that a person requested after unusable answers."""
    hold = operation.hold
    return hold.asked.at.isoformat() if hold and hold.asked and hold.costly else ""


@dataclass(frozen=True, slots=True)
class _Account:
    """What an operation has spent, as its ledger says at each moment."""

    workshop: Workshop
    operation: Operation
    step: str

    async def spent(self) -> int:
        # What other processes have spent is known after the next call of this one.
        newest = self.workshop.operations.known(self.operation.tenant, self.operation.id)
        return (newest or self.operation).tokens

    async def spend(self, tokens: int, prompt: str | None = None) -> int:
        """Record what a call cost at once, so that steps side by side share one budget."""
        kind, _, _ = self.step.partition(":")
        count_tokens(tokens, step=kind, model=model_name(self.workshop.model))
        changed = await self.workshop.operations.change(
            self.operation.tenant,
            self.operation.id,
            lambda state, now: rules.record_call(state, self.step, tokens, now, prompt),
            again=True,
        )
        if not isinstance(changed, Changed):
            raise NotWanted(changed)
        return changed.operation.tokens
