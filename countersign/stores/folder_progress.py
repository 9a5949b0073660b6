"""What is under way, in a folder: one small file for each step."""

from __future__ import annotations

import asyncio
import shutil
import uuid
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import ParamSpec, TypeVar

from countersign.approvals.digest import sha256
from countersign.stores.errors import StoreUnavailable
from countersign.stores.progress import UnderWay, from_text, to_text

P = ParamSpec("P")
T = TypeVar("T")


class FolderProgress:
    """A `ProgressStore` below a folder that several processes may share.

    Files are replaced whole and never synced: after a power cut nothing is under way anyway. Every
    method raises `StoreUnavailable` if the folder can't be used.

    Args:
        folder: where it is, or will be with its parents.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    async def put(self, tenant: str, operation_id: str, sign: UnderWay) -> None:
        """Write a step's last sign of life in place of the one before."""
        await _off_loop(self._put, tenant, operation_id, sign)

    async def of(self, tenant: str, operation_id: str) -> Sequence[UnderWay]:
        """What is known of an operation's steps, in no order."""
        return await _off_loop(self._of, tenant, operation_id)

    async def forget(self, tenant: str, operation_id: str) -> None:
        """Leave nothing of an operation."""
        await _off_loop(self._forget, tenant, operation_id)

    def _put(self, tenant: str, operation_id: str, sign: UnderWay) -> None:
        folder = self._path(tenant, operation_id)
        folder.mkdir(parents=True, exist_ok=True)
        copy = folder / f"{uuid.uuid4().hex}.new"
        try:
            copy.write_text(to_text(sign), "utf-8")
            copy.replace(folder / f"{sha256(sign.step.encode())}.json")
        finally:
            copy.unlink(missing_ok=True)

    def _of(self, tenant: str, operation_id: str) -> list[UnderWay]:
        signs: list[UnderWay] = []
        for file in self._path(tenant, operation_id).glob("*.json"):
            # Whoever forgets them may have come to this one first.
            with suppress(FileNotFoundError):
                signs += filter(None, [from_text(file.read_bytes())])
        return signs

    def _forget(self, tenant: str, operation_id: str) -> None:
        with suppress(FileNotFoundError):
            shutil.rmtree(self._path(tenant, operation_id))

    def _path(self, tenant: str, operation_id: str) -> Path:
        # As digests, names lead nowhere else.
        return self._folder / sha256(tenant.encode()) / sha256(operation_id.encode())


async def _off_loop(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    try:
        return await asyncio.to_thread(work, *args, **kwargs)
    except OSError as error:
        raise StoreUnavailable(str(error)) from error
