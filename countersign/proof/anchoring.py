"""Take the heads of all ledgers of a tenant, once a day, and see that nothing of before is lost.

The heads are kept first, then the anchor is written where nobody can change it, and then its heads
get the next number. So proofs name only anchors that were written, however long ago that was, and
a run that broke off is taken up by the next one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import date

from countersign.approvals.ledger import Ledger, Row
from countersign.proof.anchors import (
    RECORDED_WITHIN,
    Anchor,
    Head,
    Heads,
    head_of,
    key_of,
    lost_since,
    number_key,
    read_heads,
)
from countersign.stores.artifacts import Artifacts


async def take_heads(
    ledger: Ledger,
    ids: Collection[str],
    tenant: str,
    day: date,
    before: Heads | None,
    kept: Heads | None = None,
) -> tuple[Heads, Sequence[str]]:
    """Return the heads of a day, and what was lost since those before, in sentences.

    Args:
        ledger: all ledgers.
        ids: the operations of the tenant.
        tenant: whose.
        day: today (UTC).
        before: the heads of the last anchor, which are looked for even where `ids` lack them.
        kept: heads of today that are kept already, and are taken if nothing is wrong with them.
    """
    known, taken = _by_operation(before), _by_operation(kept)
    heads: list[Head] = []
    lost: list[str] = []
    for operation_id in sorted({*known, *taken, *ids}):
        rows = await ledger.read(tenant, operation_id)
        befores = known.get(operation_id), taken.get(operation_id)
        faults = [fault for head in befores if head and (fault := lost_since(head, rows))]
        if kept:
            faults += _left_out(operation_id, taken.get(operation_id), rows, day)
        lost += faults[:1]
        if rows and not faults:
            heads.append(head_of(operation_id, rows))
    return kept or Heads(tenant=tenant, day=day, heads=heads), lost


def _by_operation(heads: Heads | None) -> Mapping[str, Head]:
    return {head.operation: head for head in heads.heads} if heads else {}


def _left_out(
    operation_id: str, head: Head | None, rows: Sequence[Row], day: date
) -> Iterator[str]:
    """Yield the error for a day's heads that lack a row from before it."""
    for row in rows[head.rows if head else 0 :][:1]:
        if (row.event.at + RECORDED_WITHIN).date() < day:
            yield (
                f"Row {row.sequence} of {operation_id} is from before {day}, and the heads that are"
                " kept of that day lack it."
            )


async def heads_of(artifacts: Artifacts, anchor: Anchor) -> Heads | None:
    """Return the heads that an anchor is over; None if they are missing or replaced.

    Raises:
        ArtifactError: they can't be read back.
    """
    heads = await heads_on(artifacts, anchor.tenant, date.fromisoformat(anchor.day))
    return heads if heads and heads.anchor == anchor else None


async def heads_on(artifacts: Artifacts, tenant: str, day: date) -> Heads | None:
    """Return the heads that are kept of a day, whether an anchor was written or not.

    None if there are none, or if something else is there: whoever writes the storage can put it.

    Raises:
        ArtifactError: they can't be read back.
    """
    heads = await _heads(artifacts, tenant, key_of(day))
    return heads if heads and heads.day == day else None


async def keep_heads(artifacts: Artifacts, heads: Heads) -> bool:
    """Keep heads, so that proofs can say where they are in; whether those are the day's.

    Other heads of that day may be kept already: somebody took them before, or made them up.
    """
    reference = await artifacts.put(heads.tenant, heads.stored())
    return await artifacts.remember(heads.tenant, key_of(heads.day), reference) == reference


async def number_heads(artifacts: Artifacts, tenant: str, days: Sequence[date]) -> None:
    """Give a number to the heads of all anchors that were written and have no number yet.

    Args:
        artifacts: where they are kept.
        tenant: whose.
        days: those of the tenant's anchors in the place where they are now, the oldest first.
            Numbers continue after those of an earlier place.
    """
    number = await _numbered(artifacts, tenant)
    newest = await _heads(artifacts, tenant, number_key(number)) if number else None
    for day in days if newest is None else [each for each in days if each > newest.day]:
        # Without its heads no proof could name an anchor.
        if reference := await artifacts.recall(tenant, key_of(day)):
            number += 1
            await artifacts.remember(tenant, number_key(number), reference)


async def newest_heads(artifacts: Artifacts, tenant: str) -> Heads | None:
    """Return the heads of a tenant's newest anchor; None if it has none.

    Raises:
        ArtifactError: they can't be read back.
    """
    newest = await _numbered(artifacts, tenant)
    return await _heads(artifacts, tenant, number_key(newest)) if newest else None


async def _numbered(artifacts: Artifacts, tenant: str) -> int:
    """How many anchors of a tenant have a number, which takes twice as many look-ups as digits."""
    least, more = 0, 1
    while await artifacts.recall(tenant, number_key(more)):
        least, more = more, 2 * more
    while more - least > 1:
        middle = (least + more) // 2
        if await artifacts.recall(tenant, number_key(middle)):
            least = middle
        else:
            more = middle
    return least


async def _heads(artifacts: Artifacts, tenant: str, key: str) -> Heads | None:
    reference = await artifacts.recall(tenant, key)
    if not reference:
        return None
    try:
        heads = read_heads(await artifacts.get(tenant, reference))
    except ValueError:
        return None
    return heads if heads.tenant == tenant else None
