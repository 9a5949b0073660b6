"""The port of a destination: where approved bytes go, at most once per operation.

WritingError
├── DestinationUnavailable    transient: it can't be used now
├── AlreadyThere              something is there for this operation, whatever it is
├── WriteMismatch             something else is there, or more than can be right
├── WriteInDoubt              it may be there, and nobody can tell
├── NotWritten                it is not there, and won't be
└── NotAskable                it can't tell what is there for an operation, or for which
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Sequence
from datetime import timedelta
from typing import Protocol, TypeAlias, TypedDict


class Receipt(TypedDict):
    """Proof of a write, read from what is at the destination, in the form that the ledger keeps.

    Attributes:
        destination: which one, for people.
        location: where in it.
        sha256: 64 hexadecimal digits.
        size: bytes.
        written_at: RFC 3339, UTC.
    """

    destination: str
    location: str
    sha256: str
    size: int
    written_at: str


class OrderReceipt(Receipt):
    """Proof that an order was placed: with the vendor's number, and the total as it was accepted.

    Attributes:
        total: an amount as text, in `currency`.
    """

    order_number: str
    total: str
    currency: str


MaySend: TypeAlias = Callable[[timedelta], Awaitable[None]]
"""Goes on if something may be sent now by a try that may send for so long after it was announced;
raises `DestinationUnavailable` if not."""


async def at_any_time(_within: timedelta) -> None:
    """Let something be sent, however long ago that was announced."""


_NAME = re.compile(r"[A-Za-z0-9._-]{1,64}")


class WritingError(Exception):
    """A destination could not do what was asked."""


class AlreadyThere(WritingError):
    """Something was written for this operation before; it was left as it is."""


class WriteMismatch(WritingError):
    """What is there for this operation is not what was to be written: a person must look."""


class WriteInDoubt(WritingError):
    """It may have been written, and writing again could write twice: a person must look."""


class NotWritten(WritingError):
    """Nothing was written, and nothing will be: trying again would not help, or not be safe."""


class NotAskable(WritingError):
    """The destination can't tell what is there, at any time: a person can."""


class DestinationUnavailable(WritingError):
    """The destination can't be used now; nothing was written, or it is safe to try again."""


class Destination(Protocol):
    """Keeps one piece of bytes per operation, whole or not at all, and never changes it.

    Every method raises `DestinationUnavailable` if the destination can't be used, and `ValueError`
    for an illegal name.
    """

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
        """Write durably; returns the receipt.

        Args:
            tenant: whose operation it is.
            operation_id: the operation.
            data: what was approved.
            tried_for: how long ago a write for this operation was first tried, None if never. A
                destination that refuses a second write by itself has no use for it.
            absent: whether `find` found nothing just now, before the first try of all: there is no
                need to look again.
            may_send: asked before anything is sent; such a destination has no use for it either.

        Raises:
            AlreadyThere: something is there for this operation, whatever it is.
            WriteInDoubt: it may be there; the message has all that a person needs to look it up.
            NotWritten: it is not there, and won't be.
            WriteMismatch: something else is there for this operation; the message has all that a
                person needs to look it up.
        """
        ...

    async def find(self, *, tenant: str, operation_id: str) -> Receipt | None:
        """Return the receipt of what is there for this operation.

        Returns:
            None if nothing is there.

        Raises:
            NotAskable: the destination is one that can't be asked.
            WriteMismatch: more is there than can be right.
        """
        ...

    async def operations(self) -> Sequence[tuple[str, str]]:
        """Return the tenant and the id of every operation for which something is there.

        Raises:
            NotAskable: the destination has no such list.
        """
        ...


class ReportDestination(Destination, Protocol):
    """A destination whose contents can be read back."""

    async def read(self, *, tenant: str, operation_id: str) -> bytes | None:
        """Return what is there for this operation, None if nothing is."""
        ...


def legal_name(name: str) -> str:
    """Give the name of a tenant or an operation back: 1 to 64 of A-Z, a-z, 0-9, `.`, `_` and `-`.

    Raises:
        ValueError: it is another.
    """
    if not _NAME.fullmatch(name):
        raise ValueError(f"{name!r} is not a valid tenant or operation id")
    return name


_REPORT = re.compile(r"(.+)/(.+)\.md")
_UNLIKE_ON_ALL_SYSTEMS = re.compile(r"[A-Z.]")
_ESCAPED = re.compile(r"%([0-9A-F]{2})")


def report_path(tenant: str, operation_id: str) -> str:
    """Return the path of an operation's report, with `/` between its parts; no two have the same.

    Raises:
        ValueError: the tenant or the operation has an illegal name.
    """
    return f"{_file_name(tenant)}/{_file_name(operation_id)}.md"


def reported_at(path: str) -> tuple[str, str] | None:
    """Return the tenant and the operation whose report has this path, None if none can have it."""
    if not (parts := _REPORT.fullmatch(path)):
        return None
    tenant, operation_id = (
        _ESCAPED.sub(lambda match: chr(int(match[1], 16)), each) for each in parts.groups()
    )
    try:
        is_report = report_path(tenant, operation_id) == path
    except ValueError:
        return None
    return (tenant, operation_id) if is_report else None


def _file_name(name: str) -> str:
    # Capitals fall together on Windows and macOS, and dots can lead elsewhere.
    return _UNLIKE_ON_ALL_SYSTEMS.sub(lambda match: f"%{ord(match[0]):02X}", legal_name(name))
