"""The port of what is under way right now: for people who wait, and lost without harm."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from pydantic import TypeAdapter


@dataclass(frozen=True, kw_only=True, slots=True)
class UnderWay:
    """A step that somebody is at.

    Attributes:
        step: its name in the ledger.
        subtopic: what is being researched, where it is about one subtopic.
        tokens: about how many tokens of the model's present answer have come.
        seen_at: when it last gave a sign of life (UTC).
    """

    step: str
    subtopic: str | None
    tokens: int
    seen_at: datetime


class ProgressStore(Protocol):
    """Keeps the last sign of life of each step of each operation.

    Nothing depends on it: what is lost here is seen a little later.
    """

    async def put(self, tenant: str, operation_id: str, sign: UnderWay) -> None:
        """Write a step's last sign of life in place of the one before."""
        ...

    async def of(self, tenant: str, operation_id: str) -> Sequence[UnderWay]:
        """Return the signs of life of an operation's steps, in any order."""
        ...

    async def forget(self, tenant: str, operation_id: str) -> None:
        """Leave nothing of an operation."""
        ...


_SIGN = TypeAdapter(UnderWay)


def to_text(sign: UnderWay) -> str:
    """Return the JSON of a sign of life."""
    return _SIGN.dump_json(sign).decode()


def from_text(text: str | bytes) -> UnderWay | None:
    """Return the sign of life that `to_text` was given; None for what is none."""
    try:
        return _SIGN.validate_json(text)
    except ValueError:
        return None
