"""A durable entity, and the messages that it takes and sends."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from devhost.durable.history import Event, Kind, compact, event
from devhost.durable.instance import Message
from devhost.durable.traces import called_in, offset_form
from devhost.time.clock import stamp, trimmed

_EXTENSION = "Microsoft.Azure.WebJobs.Extensions.DurableTask"
_REQUEST = f"{_EXTENSION}.RequestMessage, {_EXTENSION}"
_RESPONSE = f"{_EXTENSION}.ResponseMessage, {_EXTENSION}"
_TRACE = "DurableTask.Core.Tracing.DistributedTraceContext, DurableTask.Core"


@dataclass(frozen=True, kw_only=True, slots=True)
class Entity:
    """An entity as its row says.

    Attributes:
        name: Of its function, in lower case.
        key: What tells it from others of that name; in the case in which it was written.
        state: The JSON text that the SDK returned, as it was; None if it has none.
        created, updated: UTC, in the form of `clock.stamp`.
        exists: False for one that was never made, or that has deleted itself.
    """

    name: str
    key: str
    state: str | None
    created: str
    updated: str
    exists: bool = True

    @property
    def id(self) -> str:
        """Its id among all instances: `@name@key`."""
        return scheduler_id(self.name, self.key)


@dataclass(frozen=True, kw_only=True, slots=True)
class EntitySelection:
    """Which entities to list.

    Attributes:
        name: Only those of this function; all if empty.
        used_from, used_to: The time of the last operation, in the form of `clock.stamp`.
        after: The id that the page before ended with.
        top: The most entities in a page.
    """

    name: str = ""
    used_from: str | None = None
    used_to: str | None = None
    after: str = ""
    top: int = 100


@dataclass(frozen=True, kw_only=True, slots=True)
class EntityAnswer:
    """What an operation comes to, on its way to the execution that waits for it."""

    instance: str
    execution: str
    event: Event


def scheduler_id(name: str, key: str) -> str:
    """Return the id under which an entity is called."""
    return f"@{name.lower()}@{key}"


def is_entity(instance_id: str) -> bool:
    """Tell whether an id is that of an entity: `@name@key`."""
    return instance_id.startswith("@") and "@" in instance_id[1:]


def name_and_key(entity_id: str) -> tuple[str, str]:
    """Return what `scheduler_id` put together."""
    name, _, key = entity_id[1:].partition("@")
    return name.lower(), key


def unborn(entity_id: str, now: datetime) -> Entity:
    """Return an entity that doesn't exist yet."""
    name, key = name_and_key(entity_id)
    moment = stamp(now)
    return Entity(name=name, key=key, state=None, created=moment, updated=moment, exists=False)


def request(
    operation: str,
    input: str | None,
    *,
    id: str,
    now: datetime,
    sender: tuple[str, str] | None = None,
    signal: bool = False,
) -> dict[str, Any]:
    """Return a request for one operation, as the extension sends it.

    Args:
        operation: Its name.
        input: The JSON text of its input.
        id: Names the answer.
        now: When it is made.
        sender: The instance and the execution that send it, if any does.
        signal: Whether nobody waits.
    """
    content: dict[str, Any] = {"$type": _REQUEST, "op": operation}
    if signal:
        content["signal"] = True
    if input is not None:
        content["input"] = input
    content["id"] = id
    if sender is not None:
        content["parent"], content["parentExecution"] = sender
    return {
        **content,
        "Timestamp": trimmed(stamp(now)),
        "Predecessor": "0001-01-01T00:00:00",
        "parentTraceContext": sender and {"$type": _TRACE, **called_in(sender[1])},
        "requestTime": offset_form(now),
    }


def sent(content: dict[str, Any], now: datetime) -> Event:
    """Return the event that brings a request to its entity."""
    return event(Kind.EventRaised, now, Name="op", Input=compact(content))


def answer(request_id: str, result: str, now: datetime, *, failed: bool = False) -> Event:
    """Return the event that brings an operation's result to who asked for it.

    Args:
        request_id: The id of the request.
        result: A JSON text; of the error's message if the operation failed.
        now: When (UTC).
        failed: Whether the operation failed.
    """
    content = {"$type": _RESPONSE, "result": result}
    if failed:
        # The SDK takes the presence of this for the failure.
        content["exceptionType"] = "Error"
    return event(Kind.EventRaised, now, Name=request_id, Input=compact(content))


class Batch:
    """Operations that an entity carries out in one call of its function.

    Args:
        entity: The entity before the call.
        messages: What brought the operations.
    """

    def __init__(self, entity: Entity, messages: Sequence[Message]) -> None:
        self.entity = entity
        self.messages = messages
        self._requests = [json.loads(message.event["Input"]) for message in messages]

    def context(self) -> bytes:
        """Return the JSON text that the SDK's entity handle takes."""
        own = self.entity
        operations = [
            {
                "name": r["op"],
                "input": r.get("input"),
                "isSignal": r.get("signal", False),
                "id": r["id"],
            }
            for r in self._requests
        ]
        content = {
            "self": {"name": own.name, "key": own.key},
            "exists": own.exists,
            "state": own.state,
            "batch": operations,
        }
        return json.dumps(content).encode()

    def conclude(self, body: bytes, now: datetime) -> tuple[Entity, list[EntityAnswer]]:
        """Return the entity after the call, and what to answer.

        Raises:
            ValueError: `body` isn't what the SDK's entity handle returns.
        """
        try:
            returned = json.loads(body)
            results = [(one["result"], one["isError"]) for one in returned["results"]]
            after = replace(
                self.entity,
                exists=returned["entityExists"],
                state=returned["entityState"],
                updated=stamp(now),
            )
        except (ValueError, KeyError, TypeError):
            raise ValueError("what it returned is not an entity's state") from None
        if len(results) != len(self._requests):
            raise ValueError(f"it returned {len(results)} of {len(self._requests)} results")
        return after, self._answers(results, now)

    def refuse(self, reason: str, now: datetime) -> list[EntityAnswer]:
        """Return what to answer if the batch can't be carried out."""
        return self._answers([(json.dumps(reason), True)] * len(self._requests), now)

    def _answers(self, results: Iterable[tuple[str, bool]], now: datetime) -> list[EntityAnswer]:
        return [
            EntityAnswer(
                instance=request["parent"],
                execution=request["parentExecution"],
                event=answer(request["id"], result, now, failed=failed),
            )
            for request, (result, failed) in zip(self._requests, results, strict=True)
            if not request.get("signal")
        ]
