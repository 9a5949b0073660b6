"""One hub serves a storage: the first that comes, until another one is named on purpose."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from countersign.stores.serving import ServingStore

Open = Callable[[], ServingStore]


async def test_the_first_hub_serves_and_stays(serving: Open) -> None:
    assert await serving().claim("blue") == "blue"
    assert await serving().claim("green") == "blue"
    assert await serving().claim("blue") == "blue"


async def test_of_many_that_come_at_once_one_serves(serving: Open) -> None:
    claims = await asyncio.gather(*(serving().claim(f"hub {number}") for number in range(8)))
    assert len(set(claims)) == 1


async def test_another_hub_takes_over_when_it_is_named(serving: Open) -> None:
    await serving().claim("blue")
    assert await serving().take_over("green") == "blue"
    assert await serving().claim("blue") == "green"


async def test_a_hub_can_be_named_before_any_comes(serving: Open) -> None:
    assert await serving().take_over("green") is None
    assert await serving().claim("blue") == "green"


async def test_who_serves_can_be_asked_without_a_claim(serving: Open) -> None:
    assert await serving().named() is None
    await serving().claim("blue")
    assert await serving().named() == "blue"
