"""The whole graph, made anew for every run: no two runs share an executor, so none shares state."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_framework import (
    Case,
    CheckpointStorage,
    Default,
    Workflow,
    WorkflowBuilder,
    WorkflowExecutor,
)

from countersign.graph.closing import Closing, ClosingInWords
from countersign.graph.gate import ReportApprovalGate
from countersign.graph.intake import Intake
from countersign.graph.messages import (
    LANES,
    asks_for_revision,
    ends,
    goes_on_researching,
    is_approved,
    lacks_support,
)
from countersign.graph.research import (
    Aggregator,
    Dispatcher,
    Drafter,
    FactChecker,
    Planner,
    Researcher,
)
from countersign.graph.writer import Writer

if TYPE_CHECKING:
    from countersign.approvals.person import Person
    from countersign.services import Services


def create_workflow(
    app: Services, operation_id: str, storage: CheckpointStorage | None = None
) -> Workflow:
    """Build the graph of one operation, with executors that nothing else has.

    It begins with `messages.beginning(tenant, operation_id)` and yields the outcome.

    Args:
        app: the services.
        operation_id: whose graph it is; the name of its checkpoints says so.
        storage: where its checkpoints go, and no other operation's.
    """
    planner = Planner(app)
    builder = WorkflowBuilder(
        name=workflow_name(operation_id), start_executor=planner, checkpoint_storage=storage
    )
    endings = Closing(app), Closing(app, "needs_revision")
    return _from_planner(builder, app, planner, Writer(app), endings).build()


def report_workflow(
    app: Services, requester: Person, storage: CheckpointStorage | None = None
) -> Workflow:
    """Build a graph that takes topics, as texts or chat messages, in one person's name.

    Each topic is an operation of its own. An answer to its question carries no authority, whatever
    it says: it has the graph look into the ledger for the decision that a person recorded.

    Args:
        app: the services.
        requester: who asks for the reports; proven by whoever makes the workflow.
        storage: where its checkpoints go, if anywhere, and no other workflow's.
    """
    intake, planner = Intake(app, requester), Planner(app)
    builder = WorkflowBuilder(name="report", start_executor=intake, checkpoint_storage=storage)
    builder.add_edge(intake, planner)
    endings = ClosingInWords(app), ClosingInWords(app, "needs_revision")
    writer = Writer(app, asks=False)
    return _from_planner(builder, app, planner, writer, endings).build()


def _from_planner(
    builder: WorkflowBuilder,
    app: Services,
    planner: Planner,
    writer: Writer,
    endings: tuple[Closing, Closing],
) -> WorkflowBuilder:
    dispatcher, aggregator = Dispatcher(), Aggregator()
    checker, drafter, gate = FactChecker(app), Drafter(app), ReportApprovalGate(app)
    closing, unsupported = endings
    researchers = [subtopic_researcher(app, lane) for lane in range(LANES)]
    builder.add_switch_case_edge_group(planner, [Case(ends, closing), Default(dispatcher)])
    builder.add_fan_out_edges(dispatcher, researchers)
    builder.add_fan_in_edges(researchers, aggregator)
    builder.add_edge(aggregator, checker)
    builder.add_switch_case_edge_group(
        checker,
        [
            Case(lacks_support, unsupported),
            Case(ends, closing),
            Case(goes_on_researching, dispatcher),
            Default(drafter),
        ],
    )
    builder.add_edge(drafter, gate)
    builder.add_switch_case_edge_group(
        gate,
        [
            Case(is_approved, writer),
            Case(asks_for_revision, drafter),
            Default(closing),
        ],
    )
    builder.add_edge(writer, closing)
    return builder


def subtopic_researcher(app: Services, lane: int) -> WorkflowExecutor:
    """One researcher as a workflow of its own, with its questions, if any, passed on."""
    inner = WorkflowBuilder(name=f"subtopic-{lane}", start_executor=Researcher(app, lane)).build()
    return WorkflowExecutor(inner, id=f"subtopic-{lane}", propagate_request=True)


def workflow_name(operation_id: str) -> str:
    """Return the name under which an operation's checkpoints are kept."""
    return f"report-{operation_id}"
