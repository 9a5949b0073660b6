"""The port of whatever carries notices to people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from countersign.notices.addresses import Address
from countersign.notices.message import Message


@dataclass(frozen=True, kw_only=True, slots=True)
class Delivery:
    """What became of a message: the labels of who took it, and why the others did not."""

    taken: tuple[str, ...]
    failed: Mapping[str, str]


class Channels(Protocol):
    """Carries one message to several addresses."""

    async def send(self, addresses: Sequence[Address], message: Message) -> Delivery:
        """Try each address once, all side by side, in bounded time.

        What an address does or fails to do never raises: it is in the answer, in words that give
        nothing of its URL away.
        """
        ...
