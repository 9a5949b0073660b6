"""What the evidence for a version comes to, in numbers that a list can show."""

from __future__ import annotations

from dataclasses import dataclass


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
