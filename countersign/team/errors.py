"""What can go wrong when a team works.

TeamError
├── ModelNotConfigured   settings are missing or contradict each other
├── ModelUnavailable     transient: worth another try later
├── ModelRefused         the same request will be refused again
├── UnusableAnswer       the model answered, but not in the agreed form
├── NothingSupported     there is no supported claim to write about
└── BudgetSpent          the run has used all its tokens

No message holds a key, a prompt or a provider's own words, which can repeat both.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar


class TeamError(Exception):
    """The team can't do its work."""

    cause: ClassVar[str] = "team_failed"
    tokens: int = 0


class ModelNotConfigured(TeamError):
    """Settings of the model are missing or contradict each other.

    Args:
        problems: One sentence for each setting at fault, so that all can be put right at once.
    """

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__("; ".join(problems))
        self.problems = tuple(problems)


class ModelUnavailable(TeamError):
    """The model can't be reached, is overloaded, or takes too long."""


class ModelRefused(TeamError):
    """The model's provider refuses the request: a bad key, an unknown model, a filter."""


class UnusableAnswer(TeamError):
    """The model's answer is not in the agreed form."""


class NothingSupported(TeamError):
    """No supported claim, so there is nothing to write."""


class BudgetSpent(TeamError):
    """All tokens of the run are used.

    Args:
        used: Tokens used so far, in all calls.
        limit: Tokens that may be used.
    """

    def __init__(self, used: int, limit: int) -> None:
        super().__init__(f"{used} of {limit} tokens are used")
        self.used = used
        self.limit = limit
