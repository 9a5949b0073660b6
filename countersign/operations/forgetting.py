"""Erase what is no longer to be kept: recorded first, then done, and done again if it broke off."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import TYPE_CHECKING

from countersign.approvals.erased import commitments_of, takes_part
from countersign.approvals.erasing import erase_content, erase_person
from countersign.approvals.errors import Refusal
from countersign.approvals.operation import Operation
from countersign.approvals.person import Person
from countersign.operations.repository import Changed

if TYPE_CHECKING:
    from countersign.services import Services


async def forget_what_is_due(app: Services, operation: Operation) -> datetime | None:
    """Erase an operation that ended, if its time has come.

    Returns:
        When (UTC) its time comes; None if it has come, or never does as things are.
    """
    if operation.erased:
        await _erase_all(app, operation)
        return None
    due = app.settings.retention.due(operation)
    if due is None or operation.legal_hold:
        return None
    if due.at > app.clock():
        return due.at
    changed = await app.operations.change(
        operation.tenant, operation.id, lambda state, now: erase_content(state, due.rule, now)
    )
    if isinstance(changed, Changed):
        await _erase_all(app, changed.operation)
    return None


async def forget_person(
    app: Services, operation: Operation, person: str, operator: Person, rule: str
) -> Refusal | int:
    """Erase what somebody is called and wrote in an operation that ended.

    Args:
        app: the services.
        operation: the operation.
        person: their id.
        operator: who has it done.
        rule: why it has to be done.

    Returns:
        How many names and texts were erased, or why they are kept.
    """
    rows = await app.operations.ledger.read(operation.tenant, operation.id)
    commitments = commitments_of(rows, person)
    if not commitments and not takes_part(rows, person):
        return 0
    changed = await app.operations.change(
        operation.tenant,
        operation.id,
        lambda state, now: erase_person(state, operator, commitments, rule, now),
        by=operator,
    )
    if not isinstance(changed, Changed):
        return changed
    if commitments:
        await _erase_rows(app, operation, commitments)
    return len(commitments)


async def _erase_all(app: Services, operation: Operation) -> None:
    await app.artifacts.erase(operation.shelf)
    await _erase_rows(app, operation, None)


async def _erase_rows(
    app: Services, operation: Operation, commitments: Collection[str] | None
) -> None:
    await app.operations.ledger.erase(operation.tenant, operation.id, commitments)
    announced = await app.operations.index.announce(operation.tenant, operation.id, app.clock())
    await app.operations.refresh(operation.tenant, operation.id, announced)
