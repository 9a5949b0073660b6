"""A task inside a replay, and the compound of several."""

from __future__ import annotations

from collections.abc import Callable, Sequence


class Promise:
    """A task that ends once; what waits for it runs the moment it is settled."""

    __slots__ = ("_then", "done", "failed")

    def __init__(self) -> None:
        self.done = self.failed = False
        self._then: list[Callable[[Promise], None]] = []

    def settle(self, *, failed: bool = False) -> None:
        """End the task; only the first call counts."""
        if self.done:
            return
        self.done, self.failed = True, failed
        for callback in self._then:
            callback(self)

    def then(self, callback: Callable[[Promise], None]) -> None:
        """Call back once the task has ended, which may be now."""
        if self.done:
            callback(self)
        else:
            self._then.append(callback)


def settled() -> Promise:
    """Return a promise that is already settled."""
    promise = Promise()
    promise.settle()
    return promise


def compound(children: Sequence[Promise], enough: int) -> Promise:
    """Return a promise that is settled once `enough` of `children` are, whatever their outcome."""
    outcome = Promise()
    missing = enough

    def count(_: Promise) -> None:
        nonlocal missing
        missing -= 1
        if missing <= 0:
            outcome.settle()

    for child in children:
        child.then(count)
    if not children:
        outcome.settle()
    return outcome
