"""What can go wrong where research looks; a library's own errors are `sources.library`'s.

SourceError
├── PlaceAway         transient: a service can't be asked now
├── NothingReadable   what was found in one place can't be read
└── NothingLookedUp   nor could anything else
"""

from __future__ import annotations

from countersign.sources.library import SourceError


class PlaceAway(SourceError):
    """A place can't be searched now; the message may be shown to everybody."""


class NothingReadable(SourceError):
    """Nothing of what was found in a place can be read."""


class NothingLookedUp(SourceError):
    """Nothing that was found in any place can be read; `reasons` say why, for each."""

    def __init__(self, *reasons: str) -> None:
        super().__init__(f"no source could be searched: {'; '.join(reasons)}")
