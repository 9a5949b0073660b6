"""What was seen last, for what never changes: kept in memory up to a limit."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from threading import Lock
from typing import Generic, TypeVar

KeptKey = TypeVar("KeptKey", bound=Hashable)
KeptValue = TypeVar("KeptValue")


class Recent(Generic[KeptKey, KeptValue]):
    """The values that were used last, up to a total size; safe to share between threads.

    Args:
        most: the total size that is kept.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._size = 0
        self._kept: OrderedDict[KeptKey, tuple[KeptValue, int]] = OrderedDict()
        self._lock = Lock()

    def get(self, key: KeptKey) -> KeptValue | None:
        """Return the value of a key, None if it isn't kept any more."""
        with self._lock:
            if key not in self._kept:
                return None
            self._kept.move_to_end(key)
            return self._kept[key][0]

    def put(self, key: KeptKey, value: KeptValue, size: int = 1) -> None:
        """Keep a value in place of the one before; what is larger than all is not kept."""
        self.forget(key)
        if size > self._most:
            return
        with self._lock:
            self._kept[key] = value, size
            self._size += size
            while self._size > self._most:
                _, (_, gone) = self._kept.popitem(last=False)
                self._size -= gone

    def forget(self, key: KeptKey) -> None:
        """Keep a value no longer, if it is kept."""
        with self._lock:
            _, gone = self._kept.pop(key, (None, 0))
            self._size -= gone
