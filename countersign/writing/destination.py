"""The port of a destination: where approved bytes go, at most once per operation."""

from __future__ import annotations

from typing import Protocol, TypeAlias

Receipt: TypeAlias = dict[str, str | int]
"""Proof of a write, read from what is at the destination: `destination`, `location`, `sha256`
(64 hexadecimal digits), `size` (bytes) and `written_at` (RFC 3339, UTC)."""


class WritingError(Exception):
    """A destination could not do what was asked."""


class AlreadyThere(WritingError):
    """Something was written for this operation before; it was left as it is."""


class WriteMismatch(WritingError):
    """What is there for this operation is not what was to be written: a person must look."""


class DestinationUnavailable(WritingError):
    """The destination can't be used now; nothing is known to be written."""


class Destination(Protocol):
    """Keeps one piece of bytes per operation, whole or not at all, and never changes it.

    Every method raises `DestinationUnavailable` if the destination can't be used.
    """

    async def write(self, *, tenant: str, operation_id: str, data: bytes) -> Receipt:
        """Write durably; returns the receipt.

        Raises:
            AlreadyThere: something is there for this operation, whatever it is.
        """
        ...

    async def find(self, *, tenant: str, operation_id: str) -> Receipt | None:
        """The receipt of what is there for this operation, None if nothing is."""
        ...

    async def read(self, *, tenant: str, operation_id: str) -> bytes | None:
        """What is there for this operation, None if nothing is."""
        ...
