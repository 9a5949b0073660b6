"""The flow as YAML: a straight line of tools around one question, for those who write workflows so.

Branches and loops would be expressions, which need .NET. So each tool is safe to run again, and the
flow is run again from its beginning where the drawn graph would go round: what was done is found
done. The answer to the question is never read, as everywhere: the ledger has the decision.
"""

from __future__ import annotations

import asyncio
import importlib
import json
import logging
import warnings
from collections.abc import Awaitable, Callable
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from agent_framework import Workflow, WorkflowEvent

from countersign.approvals.operation import Operation
from countersign.approvals.standing import next_step, version_after
from countersign.graph.errors import NotConfigured
from countersign.graph.messages import carried_out
from countersign.graph.question import question_about
from countersign.operations.proposing import close_operation, open_version, settle_version
from countersign.operations.writing import write_approved
from countersign.steps.records import (
    CheckWork,
    ClosingWork,
    Done,
    Round,
    Stop,
    SubtopicWork,
    VersionWork,
    Wait,
    Work,
    to_json,
)

if TYPE_CHECKING:
    from countersign.services import Services

Tool: TypeAlias = Callable[[], Awaitable[dict[str, Any]]]

FLOW = Path(__file__).with_name("flow.yaml")
PACKAGE = "agent-framework-declarative==1.4.0"
"""What reads it. Of what it asks for, only what runs .NET is not installed already."""


class DeclaredReport:
    """The tools that the YAML names, for one operation.

    Args:
        app: the services.
        tenant: whose operation it is.
        operation_id: the operation.

    Attributes:
        work: which operation.
        fault: what the last tool that failed raised; the framework doesn't tell.
    """

    def __init__(self, app: Services, tenant: str, operation_id: str) -> None:
        self._app = app
        self.work = Work(tenant=tenant, operation_id=operation_id)
        self.fault: Exception | None = None

    async def prepare_report(self) -> dict[str, Any]:
        """Have the newest version opened that the ledger asks for, or the operation closed.

        While the version waits for a decision, this returns what a person is asked about it: the
        prompt of the flow's own question can't contain it.
        """
        work = VersionWork.of(self.work, version=await self._version())
        stop = await self._research() if work.version == 1 else None
        if stop is None:
            stop = _stop_in(await self._app.team.write(work))
        opened = stop or carried_out(await open_version(self._app, work))
        if isinstance(opened, Stop):
            return await self._close(opened)
        operation = await self._operation()
        current = operation.current if operation else None
        if operation is None or current is None or current.status != "pending":
            return to_json(opened)
        return await question_about(self._app, operation, current)

    async def finish_report(self) -> dict[str, Any]:
        """Publish an approved version, or close what has ended; otherwise say what it waits for."""
        operation = await self._operation()
        work = VersionWork.of(self.work, version=len(operation.proposals) if operation else 0)
        settled = await settle_version(self._app, work)
        if settled.next not in {"publish", "close"}:
            return {"next": settled.next}
        written = await write_approved(self._app, work) if settled.next == "publish" else None
        return await self._close(_stop_in(written) if written else None)

    async def _version(self) -> int:
        operation = await self._operation()
        if operation is None or operation.current is None:
            return 1
        version = operation.current.version
        return version_after(version, next_step(operation, version)) or version

    async def _research(self) -> Stop | None:
        """Research until the facts are good enough; returns why the operation ends, if it does."""
        planned = carried_out(await self._app.team.plan(self.work))
        if isinstance(planned, Stop):
            return planned
        coming: Round | None = Round.first(planned)
        while coming:
            if stop := await self._research_round(coming):
                return stop
            check = CheckWork.of(self.work, round=coming.number, last=coming.is_last)
            checked = carried_out(await self._app.team.check(check))
            if isinstance(checked, Stop):
                return checked
            coming = coming.after(checked)
        return None

    async def _research_round(self, coming: Round) -> Stop | None:
        works = (
            SubtopicWork.of(self.work, round=coming.number, subtopic=each)
            for each in coming.subtopics
        )
        done = await asyncio.gather(*map(self._app.team.research, works))
        return next(filter(None, map(_stop_in, done)), None)

    async def _operation(self) -> Operation | None:
        return await self._app.operations.load(self.work.tenant, self.work.operation_id)

    async def _close(self, stop: Stop | None) -> dict[str, Any]:
        ending = to_json(stop) if stop else {}
        closed = await close_operation(self._app, ClosingWork.of(self.work, **ending))
        return {"outcome": closed.outcome}


def _stop_in(result: Done | Wait | Stop) -> Stop | None:
    """Return why the operation ends, if it does.

    Raises:
        WaitsForOperator: the step waits for an operator.
    """
    result = carried_out(result)
    return result if isinstance(result, Stop) else None


def declared_workflow(report: DeclaredReport) -> Workflow:
    """Return the workflow that `flow.yaml` declares, with the tools of one operation.

    Raises:
        NotConfigured: the package that reads it isn't installed.
    """
    # Whoever drives the flow tells of a tool's fault.
    logging.getLogger("agent_framework_declarative").setLevel(logging.CRITICAL)
    with warnings.catch_warnings():
        # It says that it is experimental each time.
        warnings.simplefilter("ignore")
        factory = _package().WorkflowFactory()
    factory.register_tool("prepare_report", _remembering(report, report.prepare_report))
    factory.register_tool("finish_report", _remembering(report, report.finish_report))
    return factory.create_workflow_from_yaml_path(FLOW)


def answer_to(question: WorkflowEvent[Any]) -> Any:
    """Return an answer to the question of the flow: any will do, as none is read."""
    return _package().ExternalInputResponse(user_input="")


def _package() -> Any:
    try:
        declarative = importlib.import_module("agent_framework.declarative")
        # What the module has is only looked for when it is asked for.
        _ = declarative.WorkflowFactory, declarative.ExternalInputResponse
    except ImportError:
        raise NotConfigured(
            f"a flow in YAML needs a package: pip install --no-deps {PACKAGE}"
        ) from None
    return declarative


def _remembering(report: DeclaredReport, tool: Tool) -> Callable[[], Awaitable[str]]:
    @wraps(tool)
    async def remembering() -> str:
        try:
            # The framework hands out the result as a text: so it is JSON.
            return json.dumps(await tool())
        except Exception as error:
            report.fault = error
            raise

    return remembering
