"""Write once: however often and by however many this is tried, there is one write."""

from __future__ import annotations

from datetime import timedelta

from countersign.approvals.digest import sha256
from countersign.destinations.destination import AlreadyThere, Destination, Receipt, WriteMismatch


async def write_once(
    destination: Destination,
    *,
    tenant: str,
    operation_id: str,
    data: bytes,
    tried_for: timedelta | None = None,
) -> Receipt:
    """See to it that these bytes are at the destination.

    Running it again, after a crash at any point or at the same time elsewhere, is safe: the
    destination makes no second write, and the receipt is of what is there.

    Args:
        destination: where to.
        tenant: whose operation it is.
        operation_id: the operation.
        data: what was approved.
        tried_for: how long ago this was first tried for the operation, None if never. Of all who
            try, only one may say never: some destinations have no guard of their own.

    Returns:
        The receipt of the one write.

    Raises:
        WriteMismatch: something else is there for this operation; the message says what.
        WriteInDoubt: it may be there, and writing again could write twice.
        NotWritten: it is not there, and won't be.
        DestinationUnavailable: the destination can't be used now; trying again is safe.
    """
    try:
        return await destination.write(
            tenant=tenant, operation_id=operation_id, data=data, tried_for=tried_for
        )
    except AlreadyThere:
        there = await destination.find(tenant=tenant, operation_id=operation_id)
    if there is None or there["sha256"] != sha256(data):
        raise WriteMismatch(_mismatch(operation_id, there))
    return there


def _mismatch(operation_id: str, there: Receipt | None) -> str:
    if there is None:
        return f"what was there for {operation_id} is gone"
    return (
        f"the {there['destination']} holds something else for {operation_id}: {there['location']}"
    )
