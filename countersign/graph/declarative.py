"""The flow as YAML: a straight line of tools around one question, for those who write workflows so.

Branches and loops would be expressions, which need .NET. So each tool is safe to run again, and the
flow is run again from its beginning where the drawn graph would go round: what was done is found
done. The answer to the question is never read, as everywhere: the ledger has the decision.
"""

from __future__ import annotations

import asyncio
import importlib
import logging
import warnings
from collections.abc import Awaitable, Callable
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agent_framework import Workflow, WorkflowEvent

from countersign.approvals.standing import next_step
from countersign.graph.errors import NotConfigured
from countersign.graph.messages import ROUNDS, carried_out, ends
from countersign.operations import proposing
from countersign.operations.endings import Answer
from countersign.operations.proposing import open_version, settle_version
from countersign.operations.publication import publish
from countersign.operations.repository import Changed
from countersign.research import teamwork

if TYPE_CHECKING:
    from countersign.services import Services

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
        key: the tenant and the operation.
        fault: what the last tool that failed raised; the framework doesn't tell.
    """

    def __init__(self, app: Services, tenant: str, operation_id: str) -> None:
        self._app = app
        self.key = (tenant, operation_id)
        self.fault: Exception | None = None

    async def prepare_report(self) -> Answer:
        """Have the newest version opened that the ledger asks for, or the operation closed."""
        version = await self._version()
        answer = {} if version > 1 else await self._research()
        if not ends(answer):
            answer = carried_out(await teamwork.write(self._app, *self.key, version=version))
        if not ends(answer):
            answer = await open_version(self._app, *self.key, version)
        return await self._close(answer) if ends(answer) else answer

    async def finish_report(self) -> Answer:
        """Publish an approved version, or close what has ended; otherwise say what it waits for."""
        operation = await self._app.operations.load(*self.key)
        version = len(operation.proposals) if operation else 0
        changed = await settle_version(self._app, *self.key, version)
        step = next_step(changed.operation, version) if isinstance(changed, Changed) else "close"
        if step in {"wait", "revise", "escalate"}:
            return {"next": step}
        answer = await publish(self._app, *self.key, version) if step == "publish" else {}
        return await self._close(answer)

    async def _version(self) -> int:
        operation = await self._app.operations.load(*self.key)
        if operation is None or operation.current is None:
            return 1
        version = operation.current.version
        return version + (next_step(operation, version) in {"revise", "escalate"})

    async def _research(self) -> Answer:
        planned = carried_out(await teamwork.plan(self._app, *self.key))
        again = list(range(planned.get("subtopics", 0)))
        checked = planned
        for number in range(ROUNDS):
            if ends(checked) or checked.get("approved"):
                break
            done = await asyncio.gather(
                *(
                    teamwork.research(self._app, *self.key, number=number, subtopic=subtopic)
                    for subtopic in again
                )
            )
            ending = next(filter(ends, map(carried_out, done)), None)
            checked = ending or carried_out(
                await teamwork.check(self._app, *self.key, number=number, last=number + 1 == ROUNDS)
            )
            again = checked.get("again", [])
        return checked

    async def _close(self, answer: Answer) -> Answer:
        outcome, reason = answer.get("ends_as"), answer.get("reason", "")
        operation = await self._app.operations.load(*self.key)
        if operation and operation.closed is None:
            operation = await proposing.close(self._app, *self.key, outcome, reason)
        closed = operation.closed if operation else None
        return {"outcome": closed.outcome if closed else None}


def declared_workflow(report: DeclaredReport) -> Workflow:
    """The workflow that `flow.yaml` declares, with the tools of one operation.

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
    """An answer to the question of the flow: any will do, as none is read."""
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


def _remembering(
    report: DeclaredReport, tool: Callable[[], Awaitable[Answer]]
) -> Callable[[], Awaitable[Answer]]:
    @wraps(tool)
    async def remembering() -> Answer:
        try:
            return await tool()
        except Exception as error:
            report.fault = error
            raise

    return remembering
