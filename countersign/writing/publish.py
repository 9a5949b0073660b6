"""Write once: however often and by however many this is tried, there is one write."""

from __future__ import annotations

from countersign.approvals.digest import sha256
from countersign.writing.destination import AlreadyThere, Destination, Receipt, WriteMismatch


async def write_once(
    destination: Destination, *, tenant: str, operation_id: str, data: bytes
) -> Receipt:
    """See to it that these bytes are at the destination.

    Running it again, after a crash at any point or at the same time elsewhere, is safe: it looks
    first, the destination refuses a second write, and the receipt is of what is there.

    Returns:
        The receipt of the one write.

    Raises:
        WriteMismatch: other bytes are there for this operation.
        DestinationUnavailable: the destination can't be used now.
    """
    there = await destination.find(tenant=tenant, operation_id=operation_id)
    if there is None:
        try:
            return await destination.write(tenant=tenant, operation_id=operation_id, data=data)
        except AlreadyThere:
            there = await destination.find(tenant=tenant, operation_id=operation_id)
    if there is None or there["sha256"] != sha256(data):
        raise WriteMismatch(f"the destination holds something else for {operation_id}")
    return there
