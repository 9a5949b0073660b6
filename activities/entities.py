"""Entities that wait for a mail server or a model without taking a thread of the worker's."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from time import monotonic
from typing import Any, TypeAlias, TypeVar

import azure.durable_functions as df
import azure.functions as func

from countersign.platform.threads import Threads

T = TypeVar("T")
EntityFunction: TypeAlias = Callable[[df.DurableEntityContext], None]

MOST_AT_ONCE = 20
"""As many as the host gives a worker: `maxConcurrentEntityFunctions` of host.json.

What would wait for a thread here would do so in the time that a function may take.
"""

LONGEST_SECONDS = 240.0
"""Azure Storage hands what an entity was sent out again after five minutes."""

_THREADS = Threads("entities", MOST_AT_ONCE)
_ENDS: ContextVar[float] = ContextVar("_ENDS")


def entity_trigger(
    app: func.TriggerApi, context_name: str, entity_name: str | None = None
) -> Callable[[EntityFunction], Any]:
    """Register the function below as an entity, as `app.entity_trigger` of the SDK's does.

    The SDK makes a plain function of it, which the worker runs on the threads that orchestrators
    need: five of them on one core. A coroutine takes none, and this one waits for a thread of ours.

    Args:
        app: where it is registered.
        context_name: the name of its parameter.
        entity_name: what it is called by; the name of the function if there is none.
    """

    def register(entity: EntityFunction) -> Any:
        handle = df.Entity.create(entity)

        async def off_the_pool(context: func.EntityContext) -> str:
            _ENDS.set(monotonic() + LONGEST_SECONDS)
            return await _THREADS.run(handle, context)

        off_the_pool.__name__ = entity.__name__
        named = {"entityName": entity_name} if entity_name else {}
        trigger = app.generic_trigger(arg_name=context_name, type="entityTrigger", **named)
        return trigger(off_the_pool)

    return register


async def in_time(work: Awaitable[T]) -> T:
    """Wait for what an operation of an entity does, as long as one may take.

    All that an entity is sent at once shares that time: it is handed out again as one message.

    Raises:
        TimeoutError: it took too long; `asyncio.TimeoutError` before Python 3.11.
    """
    ends = _ENDS.get(monotonic() + LONGEST_SECONDS)
    return await asyncio.wait_for(work, ends - monotonic())
