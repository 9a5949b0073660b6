"""A question of a reviewer's, as far as it is known."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from countersign.approvals.person import Actor


@dataclass(frozen=True, kw_only=True, slots=True)
class Question:
    """What a reviewer asked the fact-checker about a version.

    Attributes:
        answer: the reference of the stored answer, once there is one.
        failure: why there will be none, once that is known.
    """

    id: str
    version: int
    by: Actor
    at: datetime
    text: str
    answer: str | None = None
    failure: str | None = None

    @property
    def is_open(self) -> bool:
        """Whether it still waits for its answer."""
        return self.answer is None and self.failure is None
