"""What is kept in folders: artifacts, one file per content, and what is under way, by operation."""

from __future__ import annotations

import asyncio
import shutil
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import ParamSpec, TypeVar

from countersign.approvals.digest import sha256
from countersign.stores.artifacts import REFERENCE, DamagedArtifact, MissingArtifact
from countersign.stores.errors import StoreUnavailable
from countersign.stores.progress import UnderWay, from_text, to_text
from countersign.stores.whole_file import WholeFiles, sync_folder

P = ParamSpec("P")
T = TypeVar("T")

_SMALL = 64_000


class FolderArtifacts:
    """`Artifacts` below a folder that several processes may share.

    Tenants and keys become digests before they become paths, and references are checked to be
    one, so no name leads out of the folder or into another tenant's. Every method raises
    `StoreUnavailable` if the folder can't be used.

    Args:
        folder: where it is, or will be with its parents.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._files = WholeFiles(folder)

    async def put(self, tenant: str, data: bytes) -> str:
        """Store bytes durably; returns their reference."""
        return await _off_loop(self._put, tenant, data)

    async def get(self, tenant: str, reference: str) -> bytes:
        """Return the bytes of a reference.

        Raises:
            MissingArtifact: there are none in this tenant.
            DamagedArtifact: their SHA-256 is not the reference.
        """
        with _told():
            if self._is_small(tenant, reference):
                return self._get(tenant, reference)
        return await _off_loop(self._get, tenant, reference)

    async def get_stored(self, tenant: str, reference: str) -> bytes:
        """Return the bytes of a reference; nothing is kept in memory here."""
        return await self.get(tenant, reference)

    async def remember(self, tenant: str, key: str, reference: str) -> str:
        """Keep which artifact a piece of work produced; the first stands and is returned.

        Raises:
            ValueError: the reference is not one.
        """
        if not REFERENCE.fullmatch(reference):
            raise ValueError(f"{reference!r} is not the reference of an artifact")
        return await _off_loop(self._remember, tenant, key, reference)

    async def recall(self, tenant: str, key: str) -> str | None:
        """Return the reference kept for that key, None if there is none."""
        with _told():
            return self._recall(tenant, key)

    async def erase(self, shelf: str) -> None:
        """Erase all that is stored as this shelf's; again does no harm."""
        await _off_loop(self._erase, shelf)

    def _erase(self, shelf: str) -> None:
        with suppress(FileNotFoundError):
            shutil.rmtree(self._folder / folder_of(shelf))

    def _put(self, tenant: str, data: bytes) -> str:
        reference = sha256(data)
        file = self._path(tenant, "artifacts", reference)
        if file.is_file() and file.read_bytes() == data:
            # Whoever wrote it may not have come to this yet.
            sync_folder(file.parent)
        else:
            self._files.replace(file, data)
        return reference

    def _is_small(self, tenant: str, reference: str) -> bool:
        """Return whether an artifact is read sooner than another thread could be asked to."""
        if not REFERENCE.fullmatch(reference):
            return False
        try:
            return self._path(tenant, "artifacts", reference).stat().st_size <= _SMALL
        except FileNotFoundError:
            return False

    def _get(self, tenant: str, reference: str) -> bytes:
        if not REFERENCE.fullmatch(reference):
            raise MissingArtifact(f"{reference!r} is not the reference of an artifact")
        try:
            data = self._path(tenant, "artifacts", reference).read_bytes()
        except FileNotFoundError:
            raise MissingArtifact(f"there is no artifact {reference}") from None
        if sha256(data) != reference:
            raise DamagedArtifact(f"what is stored as {reference} is not what was put there")
        return data

    def _remember(self, tenant: str, key: str, reference: str) -> str:
        file = self._path(tenant, "results", sha256(key.encode()))
        while not self._files.create(file, reference.encode()):
            if kept := self._recall(tenant, key):
                return kept
            # Only a damaged disk leaves a file that holds no reference: the work is done again.
            file.unlink(missing_ok=True)
        return reference

    def _recall(self, tenant: str, key: str) -> str | None:
        try:
            data = self._path(tenant, "results", sha256(key.encode())).read_bytes()
        except FileNotFoundError:
            return None
        reference = data.decode("utf-8", errors="replace")
        return reference if REFERENCE.fullmatch(reference) else None

    def _path(self, tenant: str, kind: str, digest: str) -> Path:
        # The first two digits spread the files: folders of millions of names are slow.
        return self._folder / folder_of(tenant) / kind / digest[:2] / digest


def folder_of(shelf: str) -> str:
    """Return the name of the folder that has all the artifacts of a shelf, or of a tenant."""
    return sha256(shelf.encode())


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
        """Return the signs of life of an operation's steps, in any order."""
        return await _off_loop(self._of, tenant, operation_id)

    async def forget(self, tenant: str, operation_id: str) -> None:
        """Leave nothing of an operation."""
        with _told():
            is_there = self._path(tenant, operation_id).exists()
        if is_there:
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
    with _told():
        return await asyncio.to_thread(work, *args, **kwargs)


@contextmanager
def _told() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise StoreUnavailable(str(error)) from error
