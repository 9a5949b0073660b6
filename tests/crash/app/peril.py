"""A machine that dies after every single effect, once each.

Whoever comes first to a place stands still there for ever, as if the machine had died at that very
moment. Whatever else is under way goes on, past the places that are taken, until it stands at one
of its own; then the machine does die. So starting it again, which is what takes time, is paid for
once for all of them.
"""

from __future__ import annotations

import asyncio
import functools
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any, Protocol

from countersign.approvals.ledger import NewRow

KILL = getattr(signal, "SIGKILL", signal.SIGTERM)
"""On Windows this other signal ends a process just as abruptly."""

QUIET_SECONDS = 0.2
"""So long after the last one has come to its place, others that are about to begin may still."""

LONGEST_SECONDS = 10.0
"""So long the others are waited for: one that takes longer dies in between."""

doing: ContextVar[str] = ContextVar("doing", default="nothing")
"""What is being done, as a part of the names of places."""

recorded: ContextVar[str] = ContextVar("recorded", default="")
"""What was recorded last in doing so, as another part."""


class AnyMachine(Protocol):
    """What something may happen to after every single effect."""

    def at_work(self) -> AbstractContextManager[None]:
        """What is done in here, effects may come of."""
        ...

    async def may_die(self, place: str) -> None:
        """Called after an effect, or before it, by the name of the place."""
        ...


class Machine:
    """Processes that die together.

    Args:
        places: The file with the names of the places where it has died.
        processes: Their ids, the own one last.
        may_die_at: Whether to die at a place of this name.
    """

    def __init__(
        self,
        places: Path,
        processes: Sequence[int],
        *,
        may_die_at: Callable[[str], bool] = lambda place: True,
    ) -> None:
        self._places = places
        self._processes = processes
        self._may_die_at = may_die_at
        self._taken = set(places.read_text("utf-8").splitlines() if places.exists() else ())
        self._at_work, self._standing, self._last = 0, 0, 0.0
        self._lock = threading.Lock()

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """What is done in here is waited for until it comes to a place or is done."""
        with self._lock:
            self._at_work += 1
        try:
            yield
        finally:
            with self._lock:
                self._at_work -= 1

    async def may_die(self, place: str) -> None:
        """Stand still here if nobody did before."""
        if self._take(place):
            await asyncio.get_running_loop().create_future()

    def _take(self, place: str) -> bool:
        place = f"{doing.get()}: {place}"
        with self._lock:
            if place in self._taken or not self._may_die_at(place):
                return False
            self._taken.add(place)
            note(self._places, place)
            self._standing, self._last = self._standing + 1, time.monotonic()
            if self._standing == 1:
                threading.Thread(target=self._die_in_the_end, daemon=True).start()
        return True

    def _die_in_the_end(self) -> None:
        while (past := time.monotonic() - self._last) < QUIET_SECONDS or (
            self._at_work > self._standing and past < LONGEST_SECONDS
        ):
            time.sleep(0.01)
        # Whoever comes to a place between the first kill and the last finds no more time.
        with self._lock:
            for process in self._processes:
                os.kill(process, KILL)


def note(file: Path, line: str) -> None:
    """Write a line that outlives these processes."""
    with file.open("a", encoding="utf-8") as out:
        out.write(f"{line}\n")


def endanger(machine: AnyMachine, owner: Any, *methods: str) -> None:
    """Let a machine die right after each call of these methods."""
    for method in methods:
        setattr(owner, method, _perilous(machine, owner, method))


def endanger_before(machine: AnyMachine, owner: Any, method: str) -> None:
    """Let a machine die right before each call of a method, too."""
    real = getattr(owner, method)

    @functools.wraps(real)
    async def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        await machine.may_die(f"before {owner.__name__}.{method}{_since()}")
        return await real(self, *args, **kwargs)

    setattr(owner, method, call)


def endanger_orders(machine: AnyMachine) -> None:
    """Let a machine die before, during and after each call to a purchasing system."""
    from countersign.destinations import order_service
    from countersign.destinations.order_call import CallFailed

    real = order_service.call

    async def call(purchasing: Any, method: str, **request: Any) -> Any:
        await machine.may_die(f"before {method}{_since()}")
        calling = asyncio.ensure_future(real(purchasing, method, **request))
        # It is sent all the same, and comes to whatever it comes to.
        await machine.may_die(f"during {method}{_since()}")
        try:
            answer = await calling
        except CallFailed:
            await machine.may_die(f"after {method} without an answer{_since()}")
            raise
        await machine.may_die(f"after {method} answered {answer.status}{_since()}")
        return answer

    order_service.call = call


def _perilous(machine: AnyMachine, owner: Any, method: str) -> Callable[..., Any]:
    real = getattr(owner, method)

    @functools.wraps(real)
    async def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        result = await real(self, *args, **kwargs)
        if method == "append":
            recorded.set(" ".join(_named(event) for event in args[3]))
        await machine.may_die(f"after {owner.__name__}.{method}{_since()}")
        return result

    return call


def _named(event: Any) -> str:
    """The type of an event; of one about a notice, which one too."""
    if isinstance(event, NewRow):
        return f"{event.type} {event.data.get('notice', '')}".strip()
    return f"{type(event).__name__} {getattr(event, 'notice', '')}".strip()


def _since() -> str:
    return f" since {recorded.get()}" if recorded.get() else ""
