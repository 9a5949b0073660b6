"""What leaves an activity that failed: of what kind and where, never a text of the work."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Awaitable, Callable, Coroutine
from functools import wraps
from typing import Any, TypeVar

from typing_extensions import ParamSpec

from countersign.destinations.destination import WritingError
from countersign.stores.errors import StoreError
from countersign.team.errors import TeamError

P = ParamSpec("P")
Answered = TypeVar("Answered")

LONGEST_NAME = 100
"""Characters of a name that code gives itself, of which a library may make any number."""

FORESEEN = (StoreError, WritingError, TeamError)

_log = logging.getLogger(__name__)


class ActivityFailed(Exception):
    """An activity met something unforeseen: the message says what to look for in the log."""


def contained(
    activity: Callable[P, Awaitable[Answered]],
) -> Callable[P, Coroutine[Any, Any, Answered]]:
    """Let an activity fail with one short sentence, and write the cause to the host's log.

    What an activity raises is kept in the history of its orchestration, once for each attempt:
    the worker sends the message and the traceback, and newer workers those of every cause. Any of
    it may quote a document, a model's answer or a connection string, and a text over 64 KB can
    hang the instance (Azure/azure-functions-durable-extension, issue 502).

    Args:
        activity: what returns its answer, the expected stops too.

    Raises:
        ActivityFailed: by what is returned, in place of anything that `activity` raises.
    """

    @wraps(activity)
    async def safely(*args: P.args, **kwargs: P.kwargs) -> Answered:
        try:
            return await activity(*args, **kwargs)
        except FORESEEN as error:
            # What comes of a service that is away says enough, and is said again at each try.
            _log.warning("%s failed: %s", activity.__name__, error)
            failed = _failed(error)
        except Exception as error:  # noqa: BLE001 - the edge of the process: see above
            _log.exception("%s failed", activity.__name__)
            failed = _failed(error)
        # Raised outside of the handler, it has no cause and no context to be sent along.
        raise failed

    return safely


def _failed(error: Exception) -> ActivityFailed:
    return ActivityFailed(f"{_kind(error)} in {_place(error)}; see the host's log.")


def _kind(error: Exception) -> str:
    return type(error).__name__[:LONGEST_NAME]


def _place(error: Exception) -> str:
    *_, (frame, line) = traceback.walk_tb(error.__traceback__)
    return f"{str(frame.f_globals.get('__name__'))[:LONGEST_NAME]}:{line}"
