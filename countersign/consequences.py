"""What follows if a proposal is approved, as whoever decides is told everywhere."""

from __future__ import annotations

from collections.abc import Mapping

CONSEQUENCES: Mapping[str, str] = {
    "research": "The report is published, once, exactly as shown.",
}
"""By the kind of the operation."""
