"""What can go wrong with any store.

StoreError
├── StoreUnavailable
└── ArtifactError
    ├── MissingArtifact
    └── DamagedArtifact
"""

from __future__ import annotations


class StoreError(Exception):
    """A store could not do what was asked."""


class StoreUnavailable(StoreError):
    """The store can't be used now: locked for too long, full, unreachable or not a store."""
