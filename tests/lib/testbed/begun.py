"""A report that was only requested, for tests of what looks at ledgers alone."""

from __future__ import annotations

import asyncio

from countersign.approvals.events import OperationStarted
from countersign.approvals.person import Person
from countersign.approvals.policy import Policy
from countersign.services import Services


def begin(app: Services, tenant: str) -> None:
    """Record the request of the tenant's operation `research-1`."""
    person = Person(id="rita", name="Rita", tenant=tenant, roles=frozenset())
    event = OperationStarted(
        at=app.clock(),
        actor=person.actor,
        kind="research",
        title="Otters",
        request="0" * 64,
        policy=Policy(reviewer_role="Report.Reviewer"),
    )
    asyncio.run(app.operations.start(tenant, "research-1", event, by=person))
