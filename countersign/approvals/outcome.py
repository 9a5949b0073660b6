"""As what an operation ends."""

from __future__ import annotations

from typing import Literal, TypeAlias

Ending: TypeAlias = Literal[
    "rejected",
    "expired",
    "withdrawn",
    "stopped",
    "needs_revision",
    "needs_owner",
    "over_budget",
    "write_unknown",
    "failed",
]
"""As what an operation of any kind can end without a confirmed write."""

Outcome: TypeAlias = str
"""As what an operation ends: an `Ending`, or after a confirmed write what its kind calls that."""
