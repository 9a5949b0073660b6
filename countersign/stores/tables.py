"""One Azure table: reads in the order of its keys, and transactions on one partition."""

from __future__ import annotations

import heapq
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping, Sequence
from functools import partial
from itertools import count, islice
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeVar

from countersign.stores.account import StorageAccount
from countersign.stores.retries import code_of, with_retries

if TYPE_CHECKING:
    from azure.data.tables import TableClient

T = TypeVar("T")

ROLE = "Storage Table Data Contributor"

_CLASHES = {
    "EntityAlreadyExists",
    "UpdateConditionNotSatisfied",
    "ConditionNotMet",
    "ResourceNotFound",
    "EntityNotFound",
}

_MOST_AT_ONCE = 1000
"""Entities of one answer of the service, which has no more in one."""

_PIECE = 16_000
"""Characters of one property: in UTF-16 at most 64,000 bytes, of which it may have 65,536."""


class Entity(NamedTuple):
    """An entity without its partition: its key and all its other properties."""

    key: str
    values: Mapping[str, Any]


class Change(NamedTuple):
    """One part of a transaction; a `replace` with a tag is of exactly the entity with that tag."""

    kind: Literal["create", "replace", "put", "delete"]
    key: str
    values: Mapping[str, Any] = {}
    tag: str | None = None


class Table:
    """A table of a storage account, made at its first use.

    Every method raises `StoreUnavailable` if the account can't be used now, and `StoreError` if
    it refuses.
    """

    def __init__(self, account: StorageAccount, name: str) -> None:
        self._account = account
        self._name = name

    async def get(
        self, partition: str, key: str, hooks: Mapping[str, Any] = {}
    ) -> tuple[Entity, str] | None:
        """Return an entity and the tag of its present state; None if it doesn't exist.

        Args:
            partition: its partition.
            key: its key.
            hooks: what azure-core calls with each request and answer, by its option's name.
        """
        return await self._do(lambda table: _get(table, partition, key, hooks))

    async def walk(
        self,
        partition: str,
        after: str = "",
        before: str = "~",
        *,
        batch: int,
    ) -> AsyncGenerator[Entity, None]:
        """All entities of a partition between two keys, in the order of their keys.

        Args:
            partition: the partition.
            after: a key; the walk begins behind it.
            before: a key; the walk ends ahead of it.
            batch: how many are read at first.
        """
        while True:
            values = {"p": partition, "a": after, "b": before}
            found = await self._do(partial(_query, values=values, limit=batch))
            for entity in found:
                yield entity
            if len(found) < batch:
                return
            after = found[-1].key
            # Whoever goes on past the first ones may have far to go.
            batch = _MOST_AT_ONCE

    async def partitions(
        self, start: str, before: str, key: str, *, batch: int
    ) -> AsyncGenerator[tuple[str, Entity], None]:
        """All partitions between two keys that hold an entity with a key, and that entity.

        The service reads all entities in between for it, some thousands with each request.

        Args:
            start: the first key of a partition that is looked for.
            before: a key; the walk ends ahead of it.
            key: the entity's key.
            batch: how many are read at a time.
        """
        while True:
            values = {"s": start, "b": before, "k": key}
            found = await self._do(partial(_query_partitions, values=values, limit=batch))
            for each in found:
                yield each
            if len(found) < batch:
                return
            # No key of ours has a character that sorts before this one.
            start = found[-1][0] + "!"

    async def put(self, partition: str, entity: Entity) -> None:
        """Write an entity, whether it is there or not."""
        await self._do(lambda table: _put(table, partition, entity))

    async def delete(self, partition: str, key: str) -> None:
        """Delete an entity if it is there."""
        await self._do(lambda table: table.delete_entity(partition, key))

    async def submit(
        self,
        partition: str,
        changes: Sequence[Change],
        *,
        first: Callable[[], None] = lambda: None,
    ) -> Sequence[str] | None:
        """Make all changes or none, durably.

        It may have made them also if it says that it did not: an answer can be lost on the way,
        and then the changes clash with themselves when they are tried again.

        Args:
            partition: where all of them are.
            changes: what to make.
            first: is called just before each try, in a thread; nothing is sent if it raises.

        Returns:
            The tags of the entities after it, empty of those that are gone; None if an entity is
            there that should not be, or the other way round, or changed.
        """

        def work(table: TableClient) -> Sequence[str] | None:
            first()
            return _submit(table, partition, changes)

        return await self._do(work)

    async def _do(self, work: Callable[[TableClient], T]) -> T:
        account = self._account
        return await with_retries(
            lambda: work(account.table(self._name)), role=ROLE, seconds=account.retry_seconds
        )


async def merged(walks: Sequence[AsyncIterator[Entity]]) -> AsyncIterator[Entity]:
    """Yield the entities of several walks by key, reading each walk no further than needed."""
    heads: list[tuple[str, int, Entity]] = []
    for number, walk in enumerate(walks):
        await _push(heads, number, walk)
    while heads:
        _, number, entity = heapq.heappop(heads)
        yield entity
        await _push(heads, number, walks[number])


async def _push(
    heads: list[tuple[str, int, Entity]], number: int, walk: AsyncIterator[Entity]
) -> None:
    entity = await anext(walk, None)
    if entity is not None:
        heapq.heappush(heads, (entity.key, number, entity))


def pieces(name: str, text: str) -> dict[str, str]:
    """Return a text as properties `name`, `name1`, `name2`, … none of which is too long for one."""
    starts = range(0, max(len(text), 1), _PIECE)
    return {
        f"{name}{number or ''}": text[start : start + _PIECE] for number, start in enumerate(starts)
    }


def whole(name: str, values: Mapping[str, Any]) -> str:
    """Return the text that `pieces` was given; empty if there is none."""
    names = (f"{name}{number or ''}" for number in count())
    found = iter(lambda: values.get(next(names)), None)
    return "".join(str(piece) for piece in found)


def _get(
    table: TableClient, partition: str, key: str, hooks: Mapping[str, Any]
) -> tuple[Entity, str] | None:
    from azure.core.exceptions import ResourceNotFoundError

    try:
        entity = table.get_entity(partition, key, **hooks)
    except ResourceNotFoundError as error:
        if code_of(error) == "TableNotFound":
            raise
        return None
    return Entity(key, entity), str(entity.metadata["etag"])


def _query(table: TableClient, values: dict[str, str], limit: int) -> list[Entity]:
    text = "PartitionKey eq @p and RowKey gt @a and RowKey lt @b"
    found = table.query_entities(
        text, parameters=values, results_per_page=min(limit, _MOST_AT_ONCE)
    )
    return [Entity(entity["RowKey"], entity) for entity in islice(found, limit)]


def _query_partitions(
    table: TableClient, values: dict[str, str], limit: int
) -> list[tuple[str, Entity]]:
    text = "PartitionKey ge @s and PartitionKey lt @b and RowKey eq @k"
    found = table.query_entities(text, parameters=values, results_per_page=min(limit, 1000))
    return [(each["PartitionKey"], Entity(each["RowKey"], each)) for each in islice(found, limit)]


def _put(table: TableClient, partition: str, entity: Entity) -> None:
    from azure.data.tables import UpdateMode

    table.upsert_entity(_properties(partition, *entity), mode=UpdateMode.REPLACE)


def _submit(table: TableClient, partition: str, changes: Sequence[Change]) -> Sequence[str] | None:
    from azure.core.exceptions import HttpResponseError

    try:
        made = table.submit_transaction([_operation(partition, change) for change in changes])
    except HttpResponseError as error:
        if code_of(error) in _CLASHES:
            return None
        raise
    return [str(each.get("etag") or "") for each in made]


def _operation(partition: str, change: Change) -> tuple[str, dict[str, Any], dict[str, Any]]:
    from azure.core import MatchConditions

    entity = _properties(partition, change.key, change.values)
    if change.kind == "put":
        return "upsert", entity, {"mode": "replace"}
    if change.kind == "replace":
        same = MatchConditions.IfNotModified
        return "update", entity, {"mode": "replace", "etag": change.tag, "match_condition": same}
    return change.kind, entity, {}


def _properties(partition: str, key: str, values: Mapping[str, Any]) -> dict[str, Any]:
    return {"PartitionKey": partition, "RowKey": key, **values}
