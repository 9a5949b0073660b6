"""Drives the graph of an operation: until a person is needed, or until it has ended."""

from __future__ import annotations

from collections.abc import AsyncIterable, Callable
from typing import TYPE_CHECKING, Any, TypeAlias

from agent_framework import Workflow, WorkflowCheckpoint, WorkflowEvent
from agent_framework.exceptions import WorkflowException
from typing_extensions import Self

from countersign.approvals import rules
from countersign.approvals.errors import NotFound, Refusal
from countersign.approvals.holding import request_retry
from countersign.approvals.operation import Operation
from countersign.approvals.person import Person
from countersign.commands.deciding import record_decision
from countersign.commands.starting import new_operation_id, start_operation
from countersign.graph.checkpoint_stores import CheckpointStores, check_name
from countersign.graph.errors import (
    ChangedGraph,
    GraphStalled,
    WaitsForOperator,
    unknown_operation,
    way_on,
)
from countersign.graph.messages import beginning
from countersign.graph.own_library import check_library, keep_library
from countersign.graph.question import QUESTION, question_about
from countersign.graph.rest import PendingQuestion, Rest, pending
from countersign.graph.sealed_checkpoints import SealedCheckpoints
from countersign.graph.settled import settled
from countersign.graph.workflow import create_workflow, workflow_name
from countersign.kinds.report import REPORT
from countersign.operations.repository import Changed

if TYPE_CHECKING:
    from countersign.bodies.body import WithdrawBody
    from countersign.reports.report_bodies import ReportDecisionBody, ReportRequestBody
    from countersign.services import Services

AnyEvent: TypeAlias = WorkflowEvent[Any]
Listener: TypeAlias = Callable[[AnyEvent], None]


def deaf(event: AnyEvent) -> None:
    """Listen to nothing."""


class Engine:
    """Runs operations as graphs in this process, one at a time or many.

    Everything that it does goes through the ledger, so running, resuming and answering can be
    repeated, also by several processes at once: what was done before is found done.

    Args:
        app: the services.
        stores: the checkpoints of each operation.
        listener: is told every event of the framework's, for a display of the progress.
    """

    def __init__(self, app: Services, stores: CheckpointStores, listener: Listener = deaf) -> None:
        self.app = app
        self.stores = stores
        self._listener = listener

    def listening(self, listener: Listener) -> Self:
        """Return the same engine with another listener beside its own."""

        def both(event: AnyEvent) -> None:
            self._listener(event)
            listener(event)

        return type(self)(self.app, self.stores, both)

    async def start(
        self, person: Person, body: ReportRequestBody, operation_id: str | None = None
    ) -> Operation:
        """Record a request; nothing runs yet.

        Raises:
            AnotherLibrary: it has to be researched in a library that isn't there.
            ValueError: the operation can't have that id.
        """
        named = new_operation_id(REPORT.name) if operation_id is None else operation_id
        check_name(named)
        if not body.documents:
            await keep_library(self.app, person.tenant, named)
        started, _ = await start_operation(self.app, person, named, REPORT, body)
        return started.operation

    async def run(self, tenant: str, operation_id: str) -> Rest:
        """Run a graph from its beginning; steps that were done before cost nothing again.

        Raises:
            AnotherLibrary: it was begun in another library than this process's.
            CheckpointError: a checkpoint can't be saved.
            WaitsForOperator: the work waits for an operator.
            UnknownOperation: there is no such operation.
            GraphStalled: the graph came to rest with neither an end nor a question.
        """
        await check_library(self.app, await self.operation(tenant, operation_id))
        store = self.stores.of(tenant, operation_id)
        workflow = create_workflow(self.app, operation_id, store)
        events = workflow.run(beginning(tenant, operation_id), stream=True)
        return await self._until_rest(workflow, events, store, tenant, operation_id)

    async def resume(
        self, tenant: str, operation_id: str, checkpoint_id: str | None = None
    ) -> Rest:
        """Go on from the last checkpoint, after a crash or because the ledger knows more now.

        Args:
            tenant: whose operation it is.
            operation_id: the operation.
            checkpoint_id: one of its checkpoints to go on from instead.

        Raises:
            AnotherLibrary: it was begun in another library than this process's.
            CheckpointError: the checkpoint can't be used.
            WaitsForOperator: the work waits for an operator.
            UnknownOperation: there is no such operation.
        """
        operation = await self.operation(tenant, operation_id)
        if operation.closed and checkpoint_id is None:
            return Rest(operation=operation)
        await check_library(self.app, operation)
        store = self.stores.of(tenant, operation_id)
        checkpoint = await _checkpoint(store, operation_id, checkpoint_id)
        if checkpoint is None:
            return await self.run(tenant, operation_id)
        request_id, question = pending(checkpoint)
        rings = await settled(self.app, operation, request_id, question)
        if question and not rings:
            rest = await self._rest(tenant, operation_id, request_id, question)
            await self._notify(rest.operation)
            return rest
        workflow = create_workflow(self.app, operation_id, store)
        _check_shape(workflow, checkpoint, operation_id)
        events = workflow.run(
            checkpoint_id=checkpoint.checkpoint_id, responses=rings or None, stream=True
        )
        return await self._until_rest(workflow, events, store, tenant, operation_id)

    async def decide(
        self, person: Person, operation_id: str, version: int, body: ReportDecisionBody
    ) -> Changed | Refusal:
        """Record a person's decision about a version, or say why it doesn't count.

        The graph is told by `resume`, in this process or another.
        """
        operation = await self.app.operations.load(person.tenant, operation_id)
        proposal = operation.proposal(version) if operation else None
        if operation is None or proposal is None:
            return NotFound()
        return await record_decision(self.app, operation, proposal, person, body)

    async def withdraw(
        self, person: Person, operation_id: str, body: WithdrawBody
    ) -> Changed | Refusal:
        """Record that the requester takes the request back, or say why that is too late."""
        return await self.app.operations.change(
            person.tenant,
            operation_id,
            lambda state, now: rules.withdraw(state, person, body.reason, now),
            by=person,
        )

    async def retry(self, person: Person, operation_id: str) -> Changed | Refusal:
        """Record that a person wants work tried again now that waits for an operator.

        The graph is told by `resume`, in this process or another.
        """
        return await self.app.operations.change(
            person.tenant,
            operation_id,
            lambda state, now: request_retry(state, person, now),
            by=person,
        )

    async def question(self, tenant: str, operation_id: str) -> Rest:
        """Return what an operation waits for, by its last checkpoint, without running anything.

        Raises:
            CheckpointError: the checkpoint can't be used.
            UnknownOperation: there is no such operation.
        """
        operation = await self.operation(tenant, operation_id)
        if operation.closed:
            return Rest(operation=operation)
        store = self.stores.of(tenant, operation_id)
        checkpoint = await _checkpoint(store, operation_id, None)
        request_id, question = pending(checkpoint)
        return await self._rest(tenant, operation_id, request_id, question)

    async def operation(self, tenant: str, operation_id: str) -> Operation:
        """Return an operation as the ledger has it, whatever has become of its checkpoints.

        Raises:
            UnknownOperation: there is no such operation.
        """
        operation = await self.app.operations.load(tenant, operation_id)
        if operation is None:
            raise unknown_operation(operation_id)
        return operation

    async def _until_rest(
        self,
        workflow: Workflow,
        events: AsyncIterable[AnyEvent],
        store: SealedCheckpoints,
        tenant: str,
        operation_id: str,
    ) -> Rest:
        while True:
            try:
                asked = await self._listen(events, store)
            except WaitsForOperator:
                raise await self._waits(tenant, operation_id) from None
            operation = await self.operation(tenant, operation_id)
            await self._notify(operation)
            if not asked:
                break
            [(request_id, question)] = asked.items()
            rings = await settled(self.app, operation, request_id, question)
            if not rings:
                return await self._rest(tenant, operation_id, request_id, question)
            events = workflow.run(responses=rings, stream=True)
        if operation.closed is None:
            raise GraphStalled(
                f"the graph of {operation_id} stopped without an outcome or a question;"
                f" {way_on(operation_id)}"
            )
        return Rest(operation=operation)

    async def _waits(self, tenant: str, operation_id: str) -> WaitsForOperator:
        operation = await self.operation(tenant, operation_id)
        await self._notify(operation)
        hold = operation.hold
        assert hold is not None  # noqa: S101 - that is what it waits for
        by_itself = f"; from {hold.next_try:%Y-%m-%d %H:%M} UTC on, resume retries too"
        return WaitsForOperator(
            f"the work waits for an operator ({hold.cause}): {hold.reason.rstrip('.')};"
            f" retry {operation_id} retries at once{by_itself if hold.next_try else ''}"
        )

    async def _listen(
        self, events: AsyncIterable[AnyEvent], store: SealedCheckpoints
    ) -> dict[str, PendingQuestion]:
        asked: dict[str, PendingQuestion] = {}
        try:
            async for event in events:
                # A checkpoint that couldn't be saved is known by now, and no step follows it.
                store.check()
                self._listener(event)
                if event.type == "request_info":
                    asked[event.request_id] = event.data
        except WorkflowException as error:
            raise GraphStalled(f"the graph cannot continue: {error.__cause__ or error}") from error
        store.check()
        return asked

    async def _rest(
        self,
        tenant: str,
        operation_id: str,
        request_id: str | None,
        question: PendingQuestion | None,
    ) -> Rest:
        operation = await self.operation(tenant, operation_id)
        if question and question["question"] == QUESTION:
            # A checkpoint keeps the question as it was put; others may have approved since.
            proposal = operation.proposals[question["version"] - 1]
            question = {**question, **await question_about(self.app, operation, proposal)}
        return Rest(operation=operation, request_id=request_id, question=question)

    async def _notify(self, operation: Operation) -> None:
        if self.app.notifier.has_news(operation):
            await self.app.notifier.notify(operation.tenant, operation.id)


async def _checkpoint(
    store: SealedCheckpoints, operation_id: str, checkpoint_id: str | None
) -> WorkflowCheckpoint | None:
    if checkpoint_id is not None:
        return await store.load(checkpoint_id)
    return await store.get_latest(workflow_name=workflow_name(operation_id))


def _check_shape(workflow: Workflow, checkpoint: WorkflowCheckpoint, operation_id: str) -> None:
    if workflow.graph_signature_hash != checkpoint.graph_signature_hash:
        raise ChangedGraph(
            f"another version of the graph started {operation_id}, so its checkpoints cannot be"
            f" used. Finish it with the release that started it, or {way_on(operation_id)}"
        )
