"""Anchors in blobs that are written once: `{tenant}/{day}.jsonl` in the container `anchors`."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from urllib.parse import quote, unquote

from countersign.proof.anchor_place import anchor_in
from countersign.proof.anchors import Anchor, read_anchors
from countersign.proof.errors import ProofFault
from countersign.stores.account import StorageAccount
from countersign.stores.blobs import Container


class AnchorBlobs:
    """An `AnchorPlace` in a storage account, best in another one than the app's own."""

    def __init__(self, account: StorageAccount) -> None:
        self._container = Container(account, "anchors")

    async def tenants(self) -> Sequence[str]:
        """Return all tenants that have an anchor."""
        names = await self._container.names("")
        return sorted({unquote(name.partition("/")[0]) for name in names if "/" in name})

    async def days(self, tenant: str) -> Sequence[date]:
        """Return the days of a tenant's anchors, the oldest first."""
        folder = _folder(tenant)
        names = await self._container.names(folder)
        try:
            return sorted(
                date.fromisoformat(name.removeprefix(folder).removesuffix(".jsonl"))
                for name in names
            )
        except ValueError:
            raise ProofFault(f"{self._container.name} contains blobs that are no anchors") from None

    async def read(self, tenant: str, day: date) -> Anchor:
        """Return the anchor of a day."""
        blob = await self._container.read(_name(tenant, day))
        text = blob.data.decode("utf-8", "replace") if blob else ""
        return anchor_in(read_anchors(text), tenant, day)

    async def write(self, anchor: Anchor) -> None:
        """Write the blob of a day."""
        day = date.fromisoformat(anchor.day)
        name = _name(anchor.tenant, day)
        written = await self._container.create(name, anchor.line.encode(), "application/jsonl")
        if not written and await self.read(anchor.tenant, day) != anchor:
            raise ProofFault(f"{self._container.name} has another anchor of {anchor.day} already")


def _folder(tenant: str) -> str:
    return f"{quote(tenant, safe='')}/"


def _name(tenant: str, day: date) -> str:
    return f"{_folder(tenant)}{day.isoformat()}.jsonl"
