"""Artifacts in Azure blobs: one blob per content, named by its SHA-256."""

from __future__ import annotations

from countersign.approvals.digest import sha256
from countersign.stores.account import StorageAccount
from countersign.stores.artifacts import REFERENCE, DamagedArtifact, MissingArtifact
from countersign.stores.blobs import Container

_BYTES = "application/octet-stream"
_TEXT = "text/plain; charset=utf-8"


class BlobArtifacts:
    """`Artifacts` in the container `artifacts` of a storage account.

    Tenants and keys become digests before they become names, and references are checked to be
    one, so no name leads into another tenant's. Every method raises `StoreError` or
    `StoreUnavailable` if the account can't be used.
    """

    def __init__(self, account: StorageAccount) -> None:
        self._container = Container(account, "artifacts")

    async def put(self, tenant: str, data: bytes) -> str:
        """Store bytes durably, also in place of damaged ones; returns their reference."""
        reference = sha256(data)
        name = _name(tenant, "artifacts", reference)
        there = await self._container.create_or_read(name, data, _BYTES)
        if there.data != data:
            await self._container.replace(name, data, _BYTES)
        return reference

    async def get(self, tenant: str, reference: str) -> bytes:
        """Return the bytes of a reference.

        Raises:
            MissingArtifact: there are none in this tenant.
            DamagedArtifact: their SHA-256 is not the reference.
        """
        if not REFERENCE.fullmatch(reference):
            raise MissingArtifact(f"{reference!r} is not the reference of an artifact")
        blob = await self._container.read(_name(tenant, "artifacts", reference))
        if blob is None:
            raise MissingArtifact(f"there is no artifact {reference}")
        if sha256(blob.data) != reference:
            raise DamagedArtifact(f"what is stored as {reference} is not what was put there")
        return blob.data

    async def get_stored(self, tenant: str, reference: str) -> bytes:
        """Return the bytes of a reference; nothing is kept in memory here."""
        return await self.get(tenant, reference)

    async def remember(self, tenant: str, key: str, reference: str) -> str:
        """Keep which artifact a piece of work produced; the first stands and is returned.

        Raises:
            ValueError: the reference is not one.
            DamagedArtifact: what is kept there is no reference, which no crash can leave behind.
        """
        if not REFERENCE.fullmatch(reference):
            raise ValueError(f"{reference!r} is not the reference of an artifact")
        name = _name(tenant, "results", sha256(key.encode()))
        if await self._container.create(name, reference.encode(), _TEXT):
            return reference
        return await self.recall(tenant, key) or reference

    async def recall(self, tenant: str, key: str) -> str | None:
        """Return the reference kept for that key, None if there is none.

        Raises:
            DamagedArtifact: what is kept there is no reference, which no crash can leave behind.
        """
        name = _name(tenant, "results", sha256(key.encode()))
        blob = await self._container.read(name)
        if blob is None:
            return None
        reference = blob.data.decode("utf-8", errors="replace")
        if not REFERENCE.fullmatch(reference):
            raise DamagedArtifact(f"what is stored as {name} is no reference")
        return reference

    async def erase(self, shelf: str) -> None:
        """Erase all that is stored as this shelf's; again does no harm."""
        await self._container.delete_all(f"{sha256(shelf.encode())}/")


def _name(tenant: str, kind: str, digest: str) -> str:
    return f"{sha256(tenant.encode())}/{kind}/{digest}"
