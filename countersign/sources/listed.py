"""Pages and slides in a sentence."""

from __future__ import annotations

from collections.abc import Sequence

_MOST_NAMED = 10


def listed(kind: str, numbers: Sequence[int]) -> str:
    """Return "page 3", "pages 3, 4", or the first ten and how many more there are."""
    different = list(dict.fromkeys(numbers))
    named = ", ".join(map(str, different[:_MOST_NAMED]))
    more = len(different) - _MOST_NAMED
    return f"{kind}{'s' if len(different) > 1 else ''} {named}" + (
        f" and {more} more" if more > 0 else ""
    )
