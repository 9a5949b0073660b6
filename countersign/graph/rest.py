"""Where a graph stands still: at its end, or at a question to a person."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from agent_framework import WorkflowCheckpoint

from countersign.approvals.operation import Operation

PendingQuestion: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True, kw_only=True, slots=True)
class Rest:
    """A graph at rest: its operation has ended, or a person is asked.

    Attributes:
        operation: the operation, as the ledger has it.
        request_id: the id of the question that is pending, None if there is none.
        question: what is asked.
    """

    operation: Operation
    request_id: str | None = None
    question: PendingQuestion | None = None


def pending(checkpoint: WorkflowCheckpoint | None) -> tuple[str | None, PendingQuestion | None]:
    """Return the question at which a checkpoint was saved, by its id; Nones if it was at none."""
    waiting = checkpoint.pending_request_info_events if checkpoint else {}
    return next(((name, event.data) for name, event in waiting.items()), (None, None))
