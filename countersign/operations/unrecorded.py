"""After a restore: what the destinations have for operations that no ledger knows.

Whatever was requested and written after a backup was made is at its destination alone.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from countersign.destinations.destination import Destination, NotAskable, WritingError
from countersign.kinds.registry import known_kinds
from countersign.platform.environment import SettingsError

if TYPE_CHECKING:
    from countersign.services import Services

FoundUnrecorded: TypeAlias = Literal["unrecorded", "unlisted", "unknown"]
"""What came of asking a destination for which operations it has something.

unrecorded: it has something for an operation that no ledger knows.
unlisted: it has no list of what it has, so a person has to look.
unknown: it did not answer; it has to be asked again.
"""


@dataclass(frozen=True, kw_only=True, slots=True)
class Unrecorded:
    """What a destination has that no ledger knows of, or why nobody knows; `text` is for people."""

    finding: FoundUnrecorded
    text: str


async def ask_for_unrecorded(app: Services) -> AsyncIterator[Unrecorded]:
    """Ask each destination for which operations it has something, and record nothing.

    Raises:
        StoreUnavailable: the ledger can't be used.
    """
    for destination in _destinations(app):
        try:
            there = await destination.operations()
        except NotAskable as error:
            text = f"{error}: look for those that were placed after the backup was made."
            yield Unrecorded(finding="unlisted", text=text)
        except WritingError as error:
            yield Unrecorded(finding="unknown", text=f"{error}")
        else:
            for tenant, operation_id in sorted(await _unknown(app, there)):
                text = await _described(destination, tenant, operation_id)
                yield Unrecorded(finding="unrecorded", text=text)


def _destinations(app: Services) -> Iterable[Destination]:
    """Return each destination once, though several kinds may share it; not one that is not set."""
    destinations: dict[int, Destination] = {}
    for kind in known_kinds():
        try:
            destination = kind.destination(app)
        except SettingsError:
            continue
        destinations[id(destination)] = destination
    return destinations.values()


async def _unknown(app: Services, there: Iterable[tuple[str, str]]) -> set[tuple[str, str]]:
    """Return those of these operations that have no ledger."""
    unknown = {*there}
    for tenant in {tenant for tenant, _ in unknown}:
        async for operation_id in app.operations.ledger.operations(tenant):
            unknown.discard((tenant, operation_id))
    return unknown


async def _described(destination: Destination, tenant: str, operation_id: str) -> str:
    """Return where it is; that something is there is known, whether or not that can be told."""
    try:
        there = await destination.find(tenant=tenant, operation_id=operation_id)
    except WritingError as error:
        return f"{tenant}: {operation_id}: no ledger knows it: {error}."
    where = f"the {there['destination']} has {there['location']}" if there else "it is gone by now"
    return f"{tenant}: {operation_id}: no ledger knows it, and {where}."
