"""How far a call of the model is, for people who wait for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

SECONDS_BETWEEN = 2.0
"""Between two reports on one call: often enough for a person, seldom enough for a store."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Progress:
    """One call under way.

    Attributes:
        tenant: whose operation it is for.
        operation_id: that operation.
        step: the step's name in the ledger, such as `research:0:2`, of those in
            `countersign.steps.names`.
        subtopic: what is being researched, where the step is on one subtopic.
        tokens: about how many tokens of the answer have come so far.
    """

    tenant: str
    operation_id: str
    step: str
    subtopic: str | None
    tokens: int


class Watch(Protocol):
    """Who is told of progress: when a call begins, and now and then while its answer comes."""

    async def __call__(self, progress: Progress) -> None:
        """Take note; must be quick, and must not raise."""
        ...


async def nobody_watches(progress: Progress) -> None:
    """Take no note."""
