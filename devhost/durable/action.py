"""An action: one thing that the orchestrator has asked for, as the SDK lists it.

ReplayFailed
├── UnsupportedAction    the SDK asks for something that this host doesn't know
├── UnreadableAction     a name or an id in it is none
└── SignalRefused        a signal can't be sent
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from typing import Any

Action = dict[str, Any]

WAIT, SIGNAL, ANY, ALL = 6, 9, 11, 12
"""The `actionType` of those that are told apart; `Replay` knows the others."""

_TEXTS = ("functionName", "instanceId", "externalEventName", "operation", "version")
_LAST_MOMENT = datetime.max.replace(tzinfo=timezone.utc)


class ReplayFailed(Exception):
    """The list of actions can't be carried out."""


class UnsupportedAction(ReplayFailed):
    """The SDK asks for something that this host doesn't know."""

    def __init__(self, action: Action) -> None:
        super().__init__(f"This host doesn't know the action {action['actionType']!r}.")


class UnreadableAction(ReplayFailed):
    """A name or an id in it is none."""

    def __init__(self, name: str, value: object) -> None:
        super().__init__(f"The {name} of an action has to be a text, not {value!r}.")


class SignalRefused(ReplayFailed):
    """A signal can't be sent."""


def read(action: Action) -> Action:
    """Read names and ids as the extension's JSON reader does, which takes numbers for texts too.

    Raises:
        UnreadableAction: A name or an id is neither.
    """
    texts = {name: action[name] for name in _TEXTS if action.get(name) is not None}
    for name, value in texts.items():
        if not isinstance(value, str | int | float):
            raise UnreadableAction(name, value)
    return {**action, **{name: str(value) for name, value in texts.items()}}


def awaited(action: Action) -> Iterator[str]:
    """Return the names of the events that an action waits for, in lower case."""
    if action["actionType"] == WAIT:
        yield action["externalEventName"].lower()
    for child in action.get("compoundActions", ()):
        yield from awaited(child)


def retry_pause(options: dict[str, Any], attempt: int, now: datetime) -> timedelta:
    """Return how long to wait after a failed attempt.

    Args:
        options: The `retryOptions` of the action.
        attempt: Which attempt it was, from 1 on.
        now: The time of the failure; no pause ends after the last moment that a time can tell.
    """
    factor = options.get("backoffCoefficient", 1) ** (attempt - 1)
    pause = options["firstRetryIntervalInMilliseconds"] * factor
    longest = (_LAST_MOMENT - now) // timedelta(milliseconds=1)
    limit = options.get("maxRetryIntervalInMilliseconds", pause)
    return timedelta(milliseconds=min(pause, limit, longest))
