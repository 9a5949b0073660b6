"""One Azure blob container: blobs that are written whole and just once."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import TYPE_CHECKING, TypeVar

from countersign.stores.account import StorageAccount
from countersign.stores.retries import code_of, with_retries

if TYPE_CHECKING:
    from azure.storage.blob import ContainerClient

T = TypeVar("T")

ROLE = "Storage Blob Data Contributor"

_THERE = {"BlobAlreadyExists", "ConditionNotMet"}


@dataclass(frozen=True, kw_only=True, slots=True)
class Blob:
    """What is stored under a name; `writer` is the mark of the call that stored it."""

    data: bytes
    written_at: datetime
    writer: str


_GONE = Blob(data=b"", written_at=datetime.min.replace(tzinfo=timezone.utc), writer="")
"""What somebody has deleted since it was in the way."""


class Container:
    """A container of a storage account, made at its first use.

    Every method raises `StoreUnavailable` if the account can't be used now, and `StoreError` if
    it refuses.

    Attributes:
        name: what it is called in the account.
    """

    def __init__(self, account: StorageAccount, name: str) -> None:
        self.name = account.container_name(name)
        self._account = account
        self._name = name

    async def create(self, name: str, data: bytes, content_type: str) -> Blob | None:
        """Write a blob durably unless there is one; never change one.

        Returns:
            The blob, if this call wrote it.
        """
        writer = uuid.uuid4().hex
        there = await self._first(name, data, content_type, writer)
        # It may be this call's own, if the first answer was lost on its way back.
        return there if there.writer == writer else None

    async def create_or_read(self, name: str, data: bytes, content_type: str) -> Blob:
        """Write a blob durably unless there is one; returns the blob that is there then."""
        return await self._first(name, data, content_type, uuid.uuid4().hex)

    async def _first(self, name: str, data: bytes, content_type: str, writer: str) -> Blob:
        written_at = await self._do(
            lambda container: _upload(container, name, data, content_type, writer)
        )
        if written_at:
            return Blob(data=data, written_at=written_at, writer=writer)
        return await self.read(name) or _GONE

    async def replace(self, name: str, data: bytes, content_type: str) -> None:
        """Write a blob durably in place of what is there."""
        await self._do(lambda container: _upload(container, name, data, content_type, None))

    async def read(self, name: str) -> Blob | None:
        """Return a blob, None if there is none."""
        return await self._do(lambda container: _download(container, name))

    async def names(self, prefix: str) -> Sequence[str]:
        """Return the names of all blobs that begin so."""
        return await self._do(
            lambda container: [*container.list_blob_names(name_starts_with=prefix)]
        )

    async def delete_all(self, prefix: str) -> None:
        """Delete all blobs whose names begin so."""
        await self._do(lambda container: _delete_all(container, prefix))

    async def _do(self, work: Callable[[ContainerClient], T]) -> T:
        account = self._account
        return await with_retries(
            lambda: work(account.container(self._name)), role=ROLE, seconds=account.retry_seconds
        )


def _upload(
    container: ContainerClient, name: str, data: bytes, content_type: str, writer: str | None
) -> datetime | None:
    """Write a blob, in place of another one unless there is a writer's mark.

    Returns:
        When it was written, by the clock of the account; None if another one is there.
    """
    from azure.core.exceptions import HttpResponseError
    from azure.storage.blob import ContentSettings

    try:
        written = container.get_blob_client(name).upload_blob(
            data,
            overwrite=writer is None,
            metadata={"writer": writer} if writer else None,
            content_settings=ContentSettings(content_type=content_type),
        )
    except HttpResponseError as error:
        if code_of(error) in _THERE:
            return None
        raise
    return written["last_modified"]


def _download(container: ContainerClient, name: str) -> Blob | None:
    from azure.core.exceptions import ResourceNotFoundError

    try:
        stream = container.download_blob(name)
    except ResourceNotFoundError as error:
        if code_of(error) == "ContainerNotFound":
            raise
        return None
    properties = stream.properties
    return Blob(
        data=stream.readall(),
        written_at=properties.creation_time or properties.last_modified,
        writer=(properties.metadata or {}).get("writer", ""),
    )


def _delete_all(container: ContainerClient, prefix: str) -> None:
    from azure.core.exceptions import ResourceNotFoundError

    for name in container.list_blob_names(name_starts_with=prefix):
        # Somebody else may erase it too.
        with suppress(ResourceNotFoundError):
            container.delete_blob(name, delete_snapshots="include")
