"""Instances and histories that were needed a moment ago, to spare reading them again."""

from __future__ import annotations

from collections import OrderedDict

from devhost.durable.snapshot import Snapshot
from devhost.state.store import Store

_BYTES_PER_ENTRY = 1_000


class Snapshots:
    """Reads through to the store; keeps at most about `limit` bytes of what was used last."""

    def __init__(self, store: Store, limit: int = 2_000_000) -> None:
        self._store = store
        self._limit = limit
        self._used = 0
        self._kept: OrderedDict[str, Snapshot] = OrderedDict()

    async def get(self, instance_id: str) -> Snapshot | None:
        """Return the instance's present snapshot, or None if there is no such instance."""
        kept = self._kept.get(instance_id)
        if kept is not None:
            return kept
        return await self._store.snapshot(instance_id)

    def put(self, snapshot: Snapshot) -> None:
        """Take `snapshot` as the present one; the store must have it."""
        self.forget(snapshot.instance.id)
        self._kept[snapshot.instance.id] = snapshot
        self._used += _size(snapshot)
        while self._used > self._limit:
            _, oldest = self._kept.popitem(last=False)
            self._used -= _size(oldest)

    def forget(self, instance_id: str) -> None:
        """Drop what is kept of an instance."""
        kept = self._kept.pop(instance_id, None)
        if kept is not None:
            self._used -= _size(kept)


def _size(snapshot: Snapshot) -> int:
    own = snapshot.instance
    texts = (own.input, own.output, own.custom_status)
    return snapshot.size + sum(len(text or "") for text in texts) + _BYTES_PER_ENTRY
