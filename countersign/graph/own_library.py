"""The library that an operation was asked for with: it is researched there, or not at all."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from countersign.approvals.digest import canonical, sha256
from countersign.approvals.operation import Operation
from countersign.graph.errors import AnotherLibrary

if TYPE_CHECKING:
    from countersign.services import Services


async def keep_library(app: Services, tenant: str, operation_id: str) -> None:
    """Note this process's library as the operation's; the first stands.

    Raises:
        AnotherLibrary: there is no such folder.
    """
    reference = await app.artifacts.put(tenant, str(_folder(app)).encode())
    await app.artifacts.remember(tenant, _key(tenant, operation_id), reference)


async def check_library(app: Services, operation: Operation) -> None:
    """Make sure that what is left of an operation's research is done where it was begun.

    Raises:
        AnotherLibrary: this process has another one, or it is gone; nothing was done.
    """
    # Once there is a version, all that the sources say is in its evidence.
    if operation.current or operation.withdrawn:
        return
    key = _key(operation.tenant, operation.id)
    reference = await app.artifacts.recall(operation.tenant, key)
    if reference is None:
        return
    own = Path((await app.artifacts.get(operation.tenant, reference)).decode())
    if own != _folder(app):
        raise AnotherLibrary(
            f"{operation.id} was started with the library {own}, but this process has another one"
            f" ({app.settings.library}): resume --library {own} {operation.id}"
        )


def _folder(app: Services) -> Path:
    folder = app.settings.library.resolve()
    if not folder.is_dir():
        raise AnotherLibrary(f"the library {folder} is not a folder")
    return folder


def _key(tenant: str, operation_id: str) -> str:
    return sha256(canonical(["library", tenant, operation_id]))
