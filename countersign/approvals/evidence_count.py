"""What the evidence for a version comes to, in numbers that a list can show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


class CountedClaim(Protocol):
    """What of a claim is counted."""

    @property
    def used(self) -> bool:
        """Whether the text makes it."""
        ...

    @property
    def found(self) -> bool:
        """Whether its quote stands in its source."""
        ...

    @property
    def supported(self) -> bool:
        """Whether the quote supports it."""
        ...

    @property
    def marks(self) -> Sequence[str]:
        """What a reviewer should know about it."""
        ...


class CountedDoubt(Protocol):
    """What of a doubt about a line is counted."""

    @property
    def grave(self) -> bool:
        """Whether a reviewer has to check the line."""
        ...


@dataclass(frozen=True, kw_only=True, slots=True)
class EvidenceCount:
    """How much of a text was checked against sources.

    Attributes:
        claims: the checked claims that the text makes.
        to_check: how many claims and lines of it a reviewer has to check, because something speaks
            against them; None if nobody compared the text with the sources.
    """

    claims: int
    to_check: int | None
