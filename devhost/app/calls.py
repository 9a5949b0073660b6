"""How the host calls the functions of the app, wherever they run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from devhost.functions.catalogue import Catalogue

DURABLE_ATTEMPTS = 3
"""The `attempts` of what an instance waits for: it runs again, but no call kills for ever."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Call:
    """One call of a function.

    Attributes:
        function: The function's name.
        body: The trigger's payload.
        extra: What the trigger has besides, such as the parts of an HTTP request.
        attempts: How many worker processes may die of it before it counts as lost.
        seconds: How long it may take; None for ever.
        waits_freely: Whether its wait for a free thread doesn't count.
    """

    function: str
    body: bytes = b""
    extra: Mapping[str, Any] = field(default_factory=dict)
    attempts: int = 1
    seconds: float | None = None
    waits_freely: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Answer:
    """What came of a call.

    Attributes:
        body: What the function returned, encoded by its binding.
        extra: What its binding says besides, such as an HTTP status.
        error: `Type: message` if it raised.
        stack: The traceback then.
    """

    body: bytes = b""
    extra: Mapping[str, Any] = field(default_factory=dict)
    error: str | None = None
    stack: str = ""


class App(Protocol):
    """The running app."""

    @property
    def catalogue(self) -> Catalogue:
        """Its functions."""
        ...

    async def call(self, call: Call) -> Answer:
        """Call a function.

        Raises:
            CallLost: There will be no answer.
        """
        ...
