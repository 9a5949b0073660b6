"""Where a source came from, as everybody who reads a report or its evidence is told."""

from __future__ import annotations

import hashlib
from typing import Literal

from pydantic import BaseModel, ConfigDict


class Origin(BaseModel):
    """How a source came to us, which its own text can't say.

    Attributes:
        kind: `library`, a file of the operator's folder; `request`, brought by the requester;
            `fetched`, read by us at the source's address; `service`, handed over by a search
            service.
        service: which service found it or handed it over; nothing for the other kinds.
        by: the name of who brought it with the request; nothing for the other kinds, and where
            that was not recorded yet.
        at: when it was fetched or handed over, in UTC (ISO 8601); nothing for the other kinds.
        digest: SHA-256 of the bytes as they came; of its text where it came as text.
    """

    model_config = ConfigDict(strict=True, frozen=True, defer_build=True)

    kind: Literal["library", "request", "fetched", "service"]
    service: str = ""
    by: str = ""
    at: str = ""
    digest: str

    @property
    def is_stated(self) -> bool:
        """Whether the source's title and address are the word of whoever brought it."""
        return self.kind in {"request", "service"}


def digest_of(text: str) -> str:
    """Return the SHA-256 of a source that came as text."""
    return hashlib.sha256(text.encode()).hexdigest()
