"""The port that keeps each person's passkeys, as a text that `countersign.passkeys` reads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol


class PasskeyStore(Protocol):
    """Keeps one text for each person; of two who change it at once, one is told.

    Every method raises `StoreError` or `StoreUnavailable` if the store can't be used.
    """

    async def get(self, tenant: str, person: str) -> tuple[str, str]:
        """Return a person's text, empty if there is none, and the tag of its present state."""
        ...

    async def put(self, tenant: str, person: str, text: str, before: str) -> bool:
        """Write it in place of the state that `before` stands for; False if that has changed."""
        ...

    async def people(self, tenant: str) -> Sequence[tuple[str, str]]:
        """Return all people of a tenant who have a text, each with it."""
        ...

    async def delete(self, tenant: str, person: str) -> None:
        """Delete a person's text for good, if there is one."""
        ...
