"""After a restore: what the destinations have, and the ledgers know nothing of.

A ledger that was restored says what was true when its copy was made. What was written after that
is still at its destination, so no open operation goes on before its destination was asked.
"""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from countersign.approvals import writes
from countersign.approvals.errors import LedgerError
from countersign.approvals.operation import Operation
from countersign.destinations.destination import NotAskable, Receipt, WriteMismatch, WritingError
from countersign.kinds.registry import UnknownKind, kind_named
from countersign.operations.repository import Changed
from countersign.operations.writing import write_approved
from countersign.platform.environment import SettingsError
from countersign.steps.records import Stop, VersionWork, Written
from countersign.stores.errors import StoreError

if TYPE_CHECKING:
    from countersign.services import Services

FoundWritten: TypeAlias = Literal[
    "nothing", "confirmed", "contradiction", "held", "unasked", "unknown"
]
"""What came of asking about an open operation.

nothing: nothing was written for it, as far as its destination can say, and it goes on.
confirmed: what was approved is there, and the receipt is recorded.
contradiction: something is there that the ledger knows no approval of; the operation is closed as
    `write_unknown`, and a person has to look.
held: its ledger can't be read or trusted, so nothing is carried out; it has to be asked again if
    that is put right.
unasked: its destination is one that can't be asked, so a person has to look. If it was approved,
    it counts as sent once, so that nothing is sent again that its destination may not tell apart.
unknown: nobody could say; it has to be asked again.
"""


@dataclass(frozen=True, kw_only=True, slots=True)
class FoundAfterRestore:
    """What is known now of an operation that is open in its ledger; `text` is for people."""

    operation_id: str
    finding: FoundWritten
    text: str


async def ask_destinations(app: Services, tenant: str) -> AsyncIterator[FoundAfterRestore]:
    """Ask each destination about each open operation of a tenant, and record what follows.

    Running it twice is safe. It has to end before the app goes on with these operations.

    Args:
        app: the services.
        tenant: whose operations.

    Raises:
        StoreUnavailable: the ledger can't be used.
    """
    async for operation_id in app.operations.ledger.operations(tenant):
        try:
            operation = await app.operations.trusted(tenant, operation_id)
            if operation and not operation.closed:
                yield await _ask(app, operation)
        except LedgerError as error:
            yield FoundAfterRestore(operation_id=operation_id, finding="held", text=f"{error}")
        except (StoreError, WritingError, SettingsError, UnknownKind) as error:
            yield FoundAfterRestore(operation_id=operation_id, finding="unknown", text=f"{error}")


async def _ask(app: Services, operation: Operation) -> FoundAfterRestore:
    destination = kind_named(operation.kind).destination(app)
    try:
        there = await destination.find(tenant=operation.tenant, operation_id=operation.id)
    except NotAskable as error:
        return await _unasked(app, operation, f"{error}: look up what is there for it.")
    except WriteMismatch as error:
        return await _contradicted(app, operation, f"{error}.")
    if there is None:
        return FoundAfterRestore(operation_id=operation.id, finding="nothing", text="Not written.")
    if operation.reservation or (operation.current and operation.current.status == "approved"):
        return await _confirmed(app, operation, there)
    return await _contradicted(app, operation, _out(there))


async def _confirmed(app: Services, operation: Operation, there: Receipt) -> FoundAfterRestore:
    """Have what was approved written, which finds that it is there."""
    assert operation.current is not None  # noqa: S101 - it was approved
    work = VersionWork(
        tenant=operation.tenant, operation_id=operation.id, version=operation.current.version
    )
    written = await write_approved(app, work)
    if isinstance(written, Written):
        text = f"Written: {there['location']}."
        return FoundAfterRestore(operation_id=operation.id, finding="confirmed", text=text)
    if isinstance(written, Stop):
        refused = (
            f"After a restore, the {there['destination']} has something for this operation:"
            f" {there['location']}. Its ledger says that nothing was written: {written.reason}"
        )
        reason = refused if written.ends_as == "failed" else written.reason
        return await _contradicted(app, operation, reason)
    return FoundAfterRestore(operation_id=operation.id, finding="unknown", text=_out(there))


async def _unasked(app: Services, operation: Operation, text: str) -> FoundAfterRestore:
    """Have what was approved count as sent, so that it is never sent as if for the first time."""
    if operation.written:
        return FoundAfterRestore(operation_id=operation.id, finding="confirmed", text="Written.")
    version = operation.current
    if version and version.status == "approved" and not operation.reservation:
        claimed = await app.operations.change(
            operation.tenant,
            operation.id,
            lambda state, now: writes.reserve_write(
                state, version.version, version.digest, now, uuid.uuid4().hex
            ),
        )
        if not isinstance(claimed, Changed):
            return FoundAfterRestore(operation_id=operation.id, finding="unknown", text=text)
    return FoundAfterRestore(operation_id=operation.id, finding="unasked", text=text)


async def _contradicted(app: Services, operation: Operation, reason: str) -> FoundAfterRestore:
    closed = await app.operations.change(
        operation.tenant,
        operation.id,
        lambda state, now: writes.find_write(state, reason, now),
    )
    if not isinstance(closed, Changed):
        return FoundAfterRestore(operation_id=operation.id, finding="unknown", text=reason)
    # Its story is not told any more, and nobody else would pass the news on.
    await app.notifier.notify(operation.tenant, operation.id)
    return FoundAfterRestore(operation_id=operation.id, finding="contradiction", text=reason)


def _out(there: Receipt) -> str:
    return (
        f"After a restore, the {there['destination']} has something for this operation that its"
        f" ledger knows no approval of: {there['location']}."
    )
