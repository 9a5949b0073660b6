"""Published reports in Azure blobs: `{tenant}/{operation_id}.md` in the container `reports`."""

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from datetime import timedelta
from typing import TypeVar

from countersign.approvals.digest import sha256
from countersign.destinations.destination import (
    AlreadyThere,
    DestinationUnavailable,
    MaySend,
    Receipt,
    at_any_time,
    report_path,
    reported_at,
)
from countersign.stores.account import StorageAccount
from countersign.stores.blobs import Blob, Container
from countersign.stores.errors import StoreError

T = TypeVar("T")

_MARKDOWN = "text/markdown; charset=utf-8"


class ReportBlobs:
    """A `ReportDestination` in the container `reports` of a storage account."""

    def __init__(self, account: StorageAccount) -> None:
        self._container = Container(account, "reports")

    async def write(
        self,
        *,
        tenant: str,
        operation_id: str,
        data: bytes,
        tried_for: timedelta | None = None,
        absent: bool = False,
        may_send: MaySend = at_any_time,
    ) -> Receipt:
        """Write a report durably; returns the receipt, however long ago that was first tried.

        Raises:
            AlreadyThere: something is there for this operation, whatever it is.
            DestinationUnavailable: the account can't be used; it may have been written though.
            ValueError: the tenant or the operation has an illegal name.
        """
        path = report_path(tenant, operation_id)
        written = await _told(self._container.create(path, data, _MARKDOWN))
        if written is None:
            raise AlreadyThere(f"there is a report at {self._location(path)}")
        return self._receipt(path, written)

    async def find(self, *, tenant: str, operation_id: str) -> Receipt | None:
        """Return the receipt of what is there for this operation, None if nothing is.

        `written_at` is by the clock of the account, in whole seconds.

        Raises:
            DestinationUnavailable: the account can't be used.
            ValueError: the tenant or the operation has an illegal name.
        """
        path = report_path(tenant, operation_id)
        blob = await _told(self._container.read(path))
        return self._receipt(path, blob) if blob else None

    async def operations(self) -> Sequence[tuple[str, str]]:
        """Return the tenant and the id of every operation for which a report is there.

        Raises:
            DestinationUnavailable: the account can't be used.
        """
        names = await _told(self._container.names(""))
        return [report for name in names if (report := reported_at(name))]

    async def read(self, *, tenant: str, operation_id: str) -> bytes | None:
        """Return what is there for this operation, None if nothing is.

        Raises:
            DestinationUnavailable: the account can't be used.
            ValueError: the tenant or the operation has an illegal name.
        """
        blob = await _told(self._container.read(report_path(tenant, operation_id)))
        return blob.data if blob else None

    def _receipt(self, path: str, blob: Blob) -> Receipt:
        written_at = blob.written_at.isoformat(timespec="milliseconds").replace("+00:00", "Z")
        return {
            "destination": "blob storage",
            "location": self._location(path),
            "sha256": sha256(blob.data),
            "size": len(blob.data),
            "written_at": written_at,
        }

    def _location(self, path: str) -> str:
        return f"{self._container.name}/{path}"


async def _told(work: Awaitable[T]) -> T:
    try:
        return await work
    except StoreError as error:
        raise DestinationUnavailable(f"the published reports: {error}") from error
