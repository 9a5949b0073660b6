"""The port of the artifacts: texts kept by what they hold, and results kept by what made them."""

from __future__ import annotations

import re
from typing import Final, Protocol

from countersign.stores.errors import StoreError

REFERENCE: Final = re.compile(r"[0-9a-f]{64}")
"""The SHA-256 of what is stored, as the reference of an artifact."""


class ArtifactError(StoreError):
    """An artifact could not be had."""


class MissingArtifact(ArtifactError):
    """Nothing is stored under that reference."""


class DamagedArtifact(ArtifactError):
    """What is stored under that reference is not what was put there."""


class Artifacts(Protocol):
    """Immutable bytes; the reference is their SHA-256, so putting twice is putting once.

    What belongs to one operation is stored as its `shelf`'s, and the rest as its tenant's.
    """

    async def put(self, tenant: str, data: bytes) -> str:
        """Store bytes durably; returns their reference."""
        ...

    async def get(self, tenant: str, reference: str) -> bytes:
        """Return the bytes of a reference.

        Raises:
            MissingArtifact: there are none in this tenant.
            DamagedArtifact: their SHA-256 is not the reference.
        """
        ...

    async def get_stored(self, tenant: str, reference: str) -> bytes:
        """Return the bytes of a reference as they are stored now, whoever has them in memory.

        Raises:
            MissingArtifact: there are none in this tenant.
            DamagedArtifact: their SHA-256 is not the reference.
        """
        ...

    async def remember(self, tenant: str, key: str, reference: str) -> str:
        """Keep which artifact a piece of work produced; the first stands and is returned.

        Args:
            tenant: whose work.
            key: a digest over all that went into the work.
            reference: the result.
        """
        ...

    async def recall(self, tenant: str, key: str) -> str | None:
        """Return the reference kept for that key, None if there is none."""
        ...

    async def erase(self, shelf: str) -> None:
        """Erase all that is stored as this shelf's, for good; again does no harm.

        Args:
            shelf: an operation's own, which the other methods take in the tenant's place.
        """
        ...
