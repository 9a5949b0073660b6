"""An order that is approved, without a host."""

from __future__ import annotations

from typing import Any

from countersign.approvals import rules
from countersign.approvals.digest import canonical
from countersign.approvals.events import OperationStarted
from countersign.approvals.operation import Operation
from countersign.approvals.person import Person
from countersign.approvals.policy import Policy
from countersign.operations.proposing import open_version
from countersign.services import Services
from countersign.steps.names import draft_step
from countersign.steps.records import VersionWork
from testbed.orders import order

ROLE = "Purchase.Approver"


async def have_approved(app: Services, tenant: str, operation_id: str) -> None:
    """Have an order approved."""
    event = OperationStarted(
        at=app.clock(),
        actor=Person(id="rita", name="Rita", tenant=tenant, roles=frozenset()).actor,
        kind="purchase",
        title="Chairs",
        request=await app.artifacts.put(tenant, canonical({})),
        policy=Policy(reviewer_role=ROLE, has_team=False),
    )
    await app.operations.start(tenant, operation_id, event)
    made = {"content": await app.artifacts.put(tenant, order().stored()), "evidence": None}
    result = await app.artifacts.put(tenant, canonical(made))
    await app.operations.change(
        tenant,
        operation_id,
        lambda state, now: rules.record_work(state, draft_step(1), result, now),
    )
    await open_version(app, VersionWork(tenant=tenant, operation_id=operation_id, version=1))
    await app.operations.change(
        tenant, operation_id, lambda state, now: decide(state, now, "approve")
    )


def decide(state: Operation, now: Any, decision: Any) -> rules.Ruling:
    """What an approver's decision on the newest version comes to."""
    assert state.current
    person = Person(id="ann", name="Ann", tenant=state.tenant, roles=frozenset({ROLE}))
    command = rules.Decide(
        reviewer=person,
        version=state.current.version,
        digest=state.current.digest,
        decision=decision,
        comment="" if decision == "approve" else "No.",
    )
    return rules.decide(state, command, now)
