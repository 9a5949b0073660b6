"""The port of what each person has asked for lately: kept as one row, never counted anew."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Protocol

from pydantic import TypeAdapter


@dataclass(frozen=True, kw_only=True, slots=True)
class Allowance:
    """What a person has used of what everybody may use.

    Attributes:
        open: when (UTC) each request was begun that had not ended when somebody last looked, by the
            operation's id.
        day: the day (UTC) that `tokens` is about.
        tokens: what those requests of that day have cost that have ended.
    """

    open: Mapping[str, datetime] = field(default_factory=dict[str, datetime])
    day: date | None = None
    tokens: int = 0


class AllowanceStore(Protocol):
    """Keeps one allowance for each person; of two who change it at once, one is told."""

    async def get(self, tenant: str, person: str) -> tuple[Allowance, str]:
        """Return a person's allowance, or a new one, and the tag of its present state."""
        ...

    async def put(self, tenant: str, person: str, allowance: Allowance, before: str) -> bool:
        """Write it in place of the state that `before` stands for; False if that has changed."""
        ...


_ALLOWANCE = TypeAdapter(Allowance)


def to_text(allowance: Allowance) -> str:
    """Return the JSON of an allowance."""
    return _ALLOWANCE.dump_json(allowance).decode()


def from_text(text: str) -> Allowance:
    """Return the allowance that `to_text` was given; a fresh one for what is none."""
    try:
        return _ALLOWANCE.validate_json(text)
    except ValueError:
        return Allowance()
