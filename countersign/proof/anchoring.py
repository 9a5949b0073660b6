"""Take the heads of all ledgers of a tenant, once a day, and see that nothing of before is lost."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import date

from countersign.approvals.ledger import Ledger
from countersign.proof.anchors import (
    Anchor,
    Head,
    Heads,
    head_of,
    key_of,
    lost_since,
    read_heads,
)
from countersign.stores.artifacts import Artifacts


async def take_heads(
    ledger: Ledger, ids: Collection[str], tenant: str, day: date, before: Heads | None
) -> tuple[Heads, Sequence[str]]:
    """The heads of a day, and what was lost since those before, in sentences.

    Args:
        ledger: all ledgers.
        ids: the operations of the tenant.
        tenant: whose.
        day: today (UTC).
        before: the heads of the last anchor, which are looked for even where `ids` lack them.
    """
    known = {head.operation: head for head in before.heads} if before else {}
    heads: list[Head] = []
    lost: list[str] = []
    for operation_id in sorted({*known, *ids}):
        rows = await ledger.read(tenant, operation_id)
        fault = lost_since(known[operation_id], rows) if operation_id in known else None
        if fault:
            lost.append(fault)
        elif rows:
            heads.append(head_of(operation_id, rows))
    return Heads(tenant=tenant, day=day, heads=heads), lost


async def heads_of(artifacts: Artifacts, anchor: Anchor) -> Heads | None:
    """The heads that an anchor is over; None if they are gone, or others.

    Raises:
        ArtifactError: they can't be read back.
    """
    reference = await artifacts.recall(anchor.tenant, key_of(date.fromisoformat(anchor.day)))
    if reference is None:
        return None
    heads = read_heads(await artifacts.get(anchor.tenant, reference))
    return heads if heads.anchor == anchor else None


async def keep_heads(artifacts: Artifacts, heads: Heads) -> bool:
    """Keep heads, so that proofs can say where they are in; whether those are the day's.

    Other heads of that day may be kept already: somebody took them before, or made them up.
    """
    reference = await artifacts.put(heads.tenant, heads.stored())
    return await artifacts.remember(heads.tenant, key_of(heads.day), reference) == reference
