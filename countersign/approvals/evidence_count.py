"""What the evidence for a version comes to, in numbers that a list can show."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
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

    @classmethod
    def of(
        cls,
        claims: Iterable[CountedClaim],
        doubts: Iterable[CountedDoubt],
        contradictions: int,
        *,
        own_text: bool,
    ) -> EvidenceCount:
        """Return what evidence comes to.

        Args:
            claims: all that were checked.
            doubts: about lines of the text.
            contradictions: how many pairs of claims don't agree.
            own_text: nobody compared the text with the sources.
        """
        used = [claim for claim in claims if claim.used]
        if own_text:
            return cls(claims=len(used), to_check=None)
        wrong = sum(not (each.found and each.supported) or bool(each.marks) for each in used)
        grave = sum(doubt.grave for doubt in doubts)
        return cls(claims=len(used), to_check=wrong + grave + contradictions)
