"""Published reports in a folder: `FOLDER/{tenant}/{operation_id}.md`."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import ParamSpec, TypeVar

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
from countersign.stores.whole_file import WholeFiles, sync_folder

P = ParamSpec("P")
T = TypeVar("T")


class ReportFolder:
    """A `ReportDestination` in a folder that several processes may share.

    Args:
        folder: where it is, or will be with its parents.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._files = WholeFiles(folder)

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
            DestinationUnavailable: the folder can't be used.
            ValueError: the tenant or the operation has an illegal name.
        """
        return await _off_loop(self._write, self._path(tenant, operation_id), data)

    async def find(self, *, tenant: str, operation_id: str) -> Receipt | None:
        """Return the receipt of what is there for this operation, None if nothing is.

        `written_at` is by the clock of the machine that wrote.

        Raises:
            DestinationUnavailable: the folder can't be used.
            ValueError: the tenant or the operation has an illegal name.
        """
        return await _off_loop(self._find, self._path(tenant, operation_id))

    async def operations(self) -> Sequence[tuple[str, str]]:
        """Return the tenant and the id of every operation for which a report is there.

        Raises:
            DestinationUnavailable: the folder can't be used.
        """
        return await _off_loop(self._operations)

    async def read(self, *, tenant: str, operation_id: str) -> bytes | None:
        """Return what is there for this operation, None if nothing is.

        Raises:
            DestinationUnavailable: the folder can't be used.
            ValueError: the tenant or the operation has an illegal name.
        """
        return await _off_loop(_read, self._path(tenant, operation_id))

    def _write(self, file: Path, data: bytes) -> Receipt:
        if not self._files.create(file, data):
            raise AlreadyThere(f"there is a report at {self._location(file)}")
        return self._receipt(file, data)

    def _find(self, file: Path) -> Receipt | None:
        data = _read(file)
        if data is None:
            return None
        # A receipt promises that the report stays, also if its writer died before this.
        sync_folder(file.parent)
        return self._receipt(file, data)

    def _operations(self) -> Sequence[tuple[str, str]]:
        # What can't be listed is an error here: `glob` would pass it by as if nothing were there.
        tenants = [each for each in _listed(self._folder) if each.is_dir()]
        files = (self._location(file) for tenant in tenants for file in _listed(tenant))
        return [report for file in files if (report := reported_at(file))]

    def _receipt(self, file: Path, data: bytes) -> Receipt:
        written_at = datetime.fromtimestamp(file.stat().st_mtime, timezone.utc)
        return {
            "destination": "report folder",
            "location": self._location(file),
            "sha256": sha256(data),
            "size": len(data),
            "written_at": written_at.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        }

    def _location(self, file: Path) -> str:
        return file.relative_to(self._folder).as_posix()

    def _path(self, tenant: str, operation_id: str) -> Path:
        return self._folder / report_path(tenant, operation_id)


def _listed(folder: Path) -> Sequence[Path]:
    try:
        return [*folder.iterdir()]
    except FileNotFoundError:
        return []


def _read(file: Path) -> bytes | None:
    try:
        return file.read_bytes()
    except FileNotFoundError:
        return None


async def _off_loop(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    try:
        return await asyncio.to_thread(work, *args, **kwargs)
    except OSError as error:
        raise DestinationUnavailable(f"the report folder: {error.strerror}") from error
