"""Who waits for the end of an instance, so that nobody has to look again and again."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager

from devhost.durable.instance import Instance


class Endings:
    """Tells those that wait as soon as the end of an instance is committed."""

    def __init__(self) -> None:
        self._awaited: defaultdict[str, list[asyncio.Future[Instance]]] = defaultdict(list)

    def tell(self, instance: Instance) -> None:
        """Take notice of what has become of an instance."""
        if instance.over:
            for awaited in self._awaited.pop(instance.id, ()):
                awaited.set_result(instance)

    @contextmanager
    def awaited(self, instance_id: str) -> Iterator[asyncio.Future[Instance]]:
        """Give a future that is done, from now on, as soon as the instance ends."""
        end: asyncio.Future[Instance] = asyncio.get_running_loop().create_future()
        self._awaited[instance_id].append(end)
        try:
            yield end
        finally:
            if not end.done():
                self._awaited[instance_id].remove(end)
                if not self._awaited[instance_id]:
                    del self._awaited[instance_id]
