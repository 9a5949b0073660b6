"""A person's request on its way into the ledger, whichever way it came in."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

from countersign.approvals.digest import canonical
from countersign.approvals.events import OperationStarted
from countersign.approvals.person import Person
from countersign.approvals.policy import Policy
from countersign.operations import Changed
from countersign.roles import ESCALATION

if TYPE_CHECKING:
    from countersign.bodies import ResearchBody
    from countersign.wiring import Services


def new_operation_id() -> str:
    """An id that no other operation has."""
    return f"research-{uuid.uuid4().hex[:24]}"


async def start_research(
    app: Services, person: Person, operation_id: str, body: ResearchBody
) -> tuple[Changed, str]:
    """Begin an operation, unless one of this id was begun before.

    Returns:
        The operation, with no events if it was there, and the reference of this request.
    """
    event = OperationStarted(
        at=app.clock(),
        actor=person.actor,
        kind="research",
        title=body.topic,
        request=await app.artifacts.put(person.tenant, canonical(body.model_dump(mode="json"))),
        policy=policy_for(body, app.settings.window_seconds),
    )
    started = await app.operations.start(person.tenant, operation_id, event)
    return started, event.request


def policy_for(body: ResearchBody, usual_window: float) -> Policy:
    """The terms of the approval that this request gets."""
    return Policy(
        reviewer_role=body.approval.role,
        escalation_role=ESCALATION,
        quorum=body.approval.quorum,
        window_seconds=body.approval.window_seconds or usual_window,
    )
