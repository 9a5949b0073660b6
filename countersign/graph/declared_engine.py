"""Drives the flow that `flow.yaml` declares, with the commands of the drawn graph."""

from __future__ import annotations

from collections.abc import Awaitable

from agent_framework import WorkflowRunResult

from countersign.approvals.operation import Operation
from countersign.approvals.standing import next_step
from countersign.graph.declarative import DeclaredReport, answer_to, declared_workflow
from countersign.graph.engine import Engine
from countersign.graph.errors import WaitsForOperator
from countersign.graph.own_library import check_library
from countersign.graph.question import question_about
from countersign.graph.rest import Rest


class DeclaredEngine(Engine):
    """Runs operations by the declared flow: from its beginning each time, without checkpoints.

    Steps that were done before are found done. The flow can't go round, so it is run again for
    each version.
    """

    async def run(self, tenant: str, operation_id: str) -> Rest:
        """Run the flow until a person is needed or the operation has ended.

        Raises:
            AnotherLibrary: it was begun in another library than this process's.
            WaitsForOperator: the work waits for an operator.
            NotConfigured: the package that reads the flow isn't installed.
            UnknownOperation: there is no such operation.
        """
        operation = await self.operation(tenant, operation_id)
        if not operation.closed:
            await check_library(self.app, operation)
        while not operation.closed:
            report = DeclaredReport(self.app, tenant, operation_id)
            workflow = declared_workflow(report)
            asked = await self._carried_out(report, workflow.run({}))
            operation = await self._told(tenant, operation_id)
            if self._waits_for_a_person(operation):
                break
            for event in asked.get_request_info_events():
                responses = {event.request_id: answer_to(event)}
                await self._carried_out(report, workflow.run(responses=responses))
            operation = await self._told(tenant, operation_id)
        return await self._at_rest(operation)

    async def resume(
        self, tenant: str, operation_id: str, checkpoint_id: str | None = None
    ) -> Rest:
        """Run the flow again; raises as `run` does. There are no checkpoints to go on from."""
        return await self.run(tenant, operation_id)

    async def question(self, tenant: str, operation_id: str) -> Rest:
        """Return what an operation waits for, by its ledger; raises UnknownOperation."""
        return await self._at_rest(await self.operation(tenant, operation_id))

    async def _carried_out(
        self, report: DeclaredReport, running: Awaitable[WorkflowRunResult]
    ) -> WorkflowRunResult:
        result = await running
        # The framework takes the fault of a tool for its result, and goes on to the next one.
        if isinstance(report.fault, WaitsForOperator):
            raise await self._waits(report.work.tenant, report.work.operation_id) from None
        if report.fault:
            raise report.fault
        return result

    async def _told(self, tenant: str, operation_id: str) -> Operation:
        operation = await self.operation(tenant, operation_id)
        await self._notify(operation)
        return operation

    def _waits_for_a_person(self, operation: Operation) -> bool:
        current = operation.current
        return (
            current is not None
            and next_step(operation, current.version) == "wait"
            and self.app.operations.clock() < current.expires_at
        )

    async def _at_rest(self, operation: Operation) -> Rest:
        current = operation.current
        if operation.closed or current is None or current.status != "pending":
            return Rest(operation=operation)
        question = await question_about(self.app, operation, current)
        return Rest(operation=operation, question=question)
