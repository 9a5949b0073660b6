"""Anchor the ledgers of a tenant, at most once a day."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from countersign.approvals.ledger import Ledger
from countersign.proof.anchor_place import AnchorPlace
from countersign.proof.anchoring import heads_of, heads_on, keep_heads, number_heads, take_heads
from countersign.proof.anchors import Anchor, Heads
from countersign.proof.errors import ProofFault
from countersign.stores.artifacts import Artifacts


@dataclass(frozen=True, kw_only=True, slots=True)
class Anchored:
    """What came of it.

    Attributes:
        written: the anchor, if it was written now; None if the day has one, or something is lost.
        lost: what of an earlier anchor is gone or was changed, in sentences. Nothing was written.
    """

    written: Anchor | None = None
    lost: Sequence[str] = ()


async def anchor_tenant(
    place: AnchorPlace, ledger: Ledger, artifacts: Artifacts, tenant: str, day: date
) -> Anchored:
    """Write the day's anchor of a tenant, unless it is there or something is lost.

    What was interrupted is completed by the next call.

    Args:
        place: where anchors are.
        ledger: all ledgers.
        artifacts: where their heads are kept.
        tenant: whose ledgers.
        day: today (UTC).

    Raises:
        ProofFault: the tenant never had an operation, or something else is where the anchors
            should be.
        StoreError, LedgerError, OSError: something can't be read or written.
    """
    days = await place.days(tenant)
    if days and days[-1] > day:
        fault = f"There is an anchor of {days[-1]} for {tenant} already, and today is {day}."
        return Anchored(lost=[fault])
    if days and days[-1] == day:
        await number_heads(artifacts, tenant, days)
        return Anchored()
    before: Heads | None = None
    if days:
        before = await heads_of(artifacts, await place.read(tenant, days[-1]))
        if before is None:
            heads = f"The heads that were anchored on {days[-1]} for {tenant}"
            return Anchored(lost=[f"{heads} are missing or have been replaced."])
    ids = await _operations(ledger, tenant, anchored=bool(days))
    kept = await heads_on(artifacts, tenant, day)
    taken, lost = await take_heads(ledger, ids, tenant, day, before, kept)
    if lost:
        return Anchored(lost=lost)
    if not await keep_heads(artifacts, taken):
        if kept is None and await heads_on(artifacts, tenant, day):
            # Another run has kept its heads since: they are compared, and anchored, instead.
            return await anchor_tenant(place, ledger, artifacts, tenant, day)
        heads = f"the heads of {day} is stored in their place for {tenant}"
        return Anchored(lost=[f"Something other than {heads}."])
    await place.write(taken.anchor)
    await number_heads(artifacts, tenant, [*days, day])
    return Anchored(written=taken.anchor)


async def _operations(ledger: Ledger, tenant: str, *, anchored: bool) -> Sequence[str]:
    ids = [each async for each in ledger.operations(tenant)]
    if not ids and not anchored:
        # Most likely another tenant was meant, or another storage.
        raise ProofFault(f"the tenant {tenant} has no operation, so nothing was anchored")
    return ids
