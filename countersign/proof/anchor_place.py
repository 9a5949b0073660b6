"""The port behind which anchors are written, and kept from being changed."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Protocol

from countersign.proof.anchors import Anchor, Anchors
from countersign.proof.errors import ProofFault


class AnchorPlace(Protocol):
    """Where the anchors of all tenants are."""

    async def tenants(self) -> Sequence[str]:
        """Return all tenants that have an anchor.

        Raises:
            ProofFault: there is something else.
            StoreError, OSError: the place can't be read.
        """
        ...

    async def days(self, tenant: str) -> Sequence[date]:
        """Return the days (UTC) of a tenant's anchors, the oldest first.

        Raises:
            ProofFault: there is something else.
            StoreError, OSError: the place can't be read.
        """
        ...

    async def read(self, tenant: str, day: date) -> Anchor:
        """Return the anchor of a day that `days` named.

        Raises:
            ProofFault: it is gone, or something else is there.
            StoreError, OSError: the place can't be read.
        """
        ...

    async def write(self, anchor: Anchor) -> None:
        """Add the anchor of a day durably.

        Raises:
            ProofFault: another one of that tenant and day was written at the same time.
            StoreError, OSError: the place can't be written.
        """
        ...


def anchor_in(anchors: Anchors, tenant: str, day: date) -> Anchor:
    """Return a tenant's anchor of a day.

    Raises:
        ProofFault: it is not there.
    """
    anchor = anchors.get((tenant, day.isoformat()))
    if anchor is None:
        raise ProofFault(f"the anchor of {day} for {tenant} is gone")
    return anchor
