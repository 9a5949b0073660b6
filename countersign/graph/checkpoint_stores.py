"""Where checkpoints go, by one setting; every operation has a store of its own."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol, cast, get_args

from agent_framework import CheckpointStorage, InMemoryCheckpointStorage

from countersign.approvals.digest import sha256
from countersign.graph.checkpoint_files import CheckpointFiles
from countersign.graph.errors import NotConfigured, StoreUnfit
from countersign.graph.framework_codec import FrameworkCodec
from countersign.graph.journal import Journal
from countersign.graph.private_folder import make_private
from countersign.graph.sealed_checkpoints import SealedCheckpoints
from countersign.stores.artifacts import Artifacts

StoreKind = Literal["json", "file", "memory", "cosmos"]

KIND_KEY = "COUNTERSIGN_GRAPH_CHECKPOINTS"
COSMOS_KEYS = ("AZURE_COSMOS_ENDPOINT", "AZURE_COSMOS_DATABASE_NAME", "AZURE_COSMOS_CONTAINER_NAME")
"""What the framework's own Cosmos DB storage is configured by."""

_OPERATION = re.compile(r"[A-Za-z0-9_-]{1,64}")


def check_name(operation_id: str) -> None:
    """Make sure that an operation can have a store of its own.

    Raises:
        ValueError: it has a name that can't be a folder's.
    """
    if not _OPERATION.fullmatch(operation_id):
        raise ValueError(f"{operation_id[:80]!r} is not a valid operation id")


class _Connected(CheckpointStorage, Protocol):
    """A storage with connections, whose package need not be installed."""

    async def close(self) -> None: ...


@dataclass(frozen=True, kw_only=True, slots=True)
class StoreChoice:
    """Which store keeps checkpoints.

    Attributes:
        kind: `json`, our own; `file`, the framework's, which pickles what isn't JSON; `memory`,
            gone with the process; `cosmos`, Azure Cosmos DB.
        allowed_types: more types, as `module:Class`, that the framework's stores may unpickle. The
            graph needs none.
    """

    kind: StoreKind = "json"
    allowed_types: tuple[str, ...] = ()


def choose_store(environment: Mapping[str, str]) -> StoreChoice:
    """Read the choice from the environment.

    Raises:
        NotConfigured: an unknown kind, or one that lacks settings, all of them named.
    """
    kind = environment.get(KIND_KEY, "").strip().lower() or "json"
    if kind not in get_args(StoreKind):
        raise NotConfigured(f"{KIND_KEY} is {kind!r}, not one of {', '.join(get_args(StoreKind))}")
    missing = [key for key in COSMOS_KEYS if not environment.get(key)]
    if kind == "cosmos" and missing:
        raise NotConfigured(
            f"{KIND_KEY} is cosmos, but these settings are missing: {', '.join(missing)}"
        )
    return StoreChoice(kind=cast("StoreKind", kind))


class CheckpointStores:
    """Makes the store of each operation.

    Args:
        choice: which kind.
        folder: below which `json` and `file` keep a folder for each operation.
        artifacts: where the journals are.
    """

    def __init__(self, choice: StoreChoice, folder: Path, artifacts: Artifacts) -> None:
        self.choice = choice
        self._folder = folder
        self._artifacts = artifacts
        self._memory: dict[tuple[str, str], InMemoryCheckpointStorage] = {}
        self._cosmos: _Connected | None = None

    def of(self, tenant: str, operation_id: str) -> SealedCheckpoints:
        """Return the store of one operation; a folder is made if it needs one.

        Raises:
            NotConfigured: Cosmos DB is asked for, and its package isn't installed.
            StoreUnfit: its folder belongs to another user, or is none.
            ValueError: the operation has an illegal name.
        """
        journal = Journal(self._artifacts, tenant, operation_id)
        return SealedCheckpoints(self.unsealed(tenant, operation_id), journal, self.choice.kind)

    def unsealed(self, tenant: str, operation_id: str) -> CheckpointStorage:
        """Return the bare storage of an operation; `CheckpointFiles` if it keeps files."""
        if self.choice.kind == "memory":
            return self._memory.setdefault((tenant, operation_id), InMemoryCheckpointStorage())
        if self.choice.kind == "cosmos":
            # Shared by all: there an operation's checkpoints are told apart by their workflow.
            self._cosmos = shared = self._cosmos or self._in_cosmos()
            return shared
        folder = self.turns(tenant, operation_id)
        try:
            codec = FrameworkCodec(self.choice.allowed_types)
            return CheckpointFiles(folder, codec if self.choice.kind == "file" else None)
        except OSError as error:
            raise StoreUnfit(f"the folder of the checkpoints cannot be used: {error}") from error

    def turns(self, tenant: str, operation_id: str) -> Path:
        """Return the folder in which processes of this machine take turns with an operation.

        Raises:
            StoreUnfit: it belongs to another user, or is none.
            ValueError: the operation has an illegal name.
        """
        try:
            return self._folder_of(tenant, operation_id)
        except OSError as error:
            raise StoreUnfit(f"the folder of the checkpoints cannot be used: {error}") from error

    async def close(self) -> None:
        """Let go of the connections that are open."""
        if self._cosmos:
            await self._cosmos.close()

    def _in_cosmos(self) -> _Connected:
        try:
            from countersign.graph.cosmos import cosmos_storage
        except ImportError:
            raise NotConfigured(
                f"{KIND_KEY} is cosmos: install requirements-graph.txt first"
            ) from None
        return cosmos_storage(os.environ)

    def _folder_of(self, tenant: str, operation_id: str) -> Path:
        check_name(operation_id)
        ours = make_private(make_private(self._folder) / sha256(tenant.encode())[:16])
        return make_private(ours / operation_id)
