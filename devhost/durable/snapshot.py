"""An instance with its history, as it is between two episodes."""

from __future__ import annotations

from dataclasses import dataclass

from devhost.durable.instance import Instance


@dataclass(frozen=True, slots=True)
class Snapshot:
    """An instance and its history: each past episode as `history.as_played` returns it."""

    instance: Instance
    episodes: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        """The length of its history in characters."""
        return sum(map(len, self.episodes))
