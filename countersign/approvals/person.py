"""People and the system: who can cause an event, and who can decide."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Literal


@dataclass(frozen=True, kw_only=True, slots=True)
class Actor:
    """Who caused an event: a person known by a token's subject, or the system itself."""

    id: str
    name: str
    kind: Literal["person", "system"] = "person"


OPERATOR: Final = "Operator"
"""The role of those who run the app: they have work that failed tried again, or stop it."""

SYSTEM = Actor(id="countersign", name="Countersign", kind="system")


@dataclass(frozen=True, kw_only=True, slots=True)
class Person:
    """Somebody who proved who they are, with what their organisation lets them do.

    Attributes:
        program: whether it is a program that speaks for itself: it may ask and read as its roles
            let it, and decides nothing.
        token: the SHA-256 of the token that proved it, which is recorded with what the person does;
            None if there was none.
    """

    id: str
    name: str
    tenant: str
    roles: frozenset[str]
    program: bool = False
    token: str | None = field(default=None, compare=False)

    @property
    def actor(self) -> Actor:
        """This person as the cause of an event."""
        return Actor(id=self.id, name=self.name)
