"""What is under way is seen by whoever waits, in whatever process."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from countersign.stores.progress import ProgressStore, UnderWay

SECOND = timedelta(seconds=1)


@pytest.fixture
def sign(now: datetime) -> UnderWay:
    return UnderWay(step="research:0:1", subtopic="Otters, „Ötter“", tokens=0, seen_at=now)


async def test_the_last_sign_of_each_step_is_what_is_seen(
    progress: ProgressStore, sign: UnderWay
) -> None:
    later = replace(sign, tokens=120, seen_at=sign.seen_at + SECOND)
    other = replace(sign, step="research:0:2", subtopic=None)
    for each in (sign, other, later):
        await progress.put("home", "op-1", each)
    seen = await progress.of("home", "op-1")
    assert sorted(seen, key=lambda each: each.step) == [later, other]


async def test_operations_and_tenants_are_apart(progress: ProgressStore, sign: UnderWay) -> None:
    await progress.put("home", "op-1", sign)
    assert list(await progress.of("home", "op-2")) == []
    assert list(await progress.of("away", "op-1")) == []
    await progress.forget("away", "op-1")
    assert list(await progress.of("home", "op-1")) == [sign]


async def test_what_is_forgotten_is_gone(progress: ProgressStore, sign: UnderWay) -> None:
    await progress.put("home", "op-1", sign)
    await progress.forget("home", "op-1")
    assert list(await progress.of("home", "op-1")) == []
    await progress.forget("home", "op-1")


@pytest.mark.parametrize("name", ["../..", "a/b", "a:b", "?#\\", "\N{OTTER}" * 80])
async def test_any_name_will_do(progress: ProgressStore, sign: UnderWay, name: str) -> None:
    named = replace(sign, step=name, subtopic=name)
    await progress.put(name, name, named)
    assert list(await progress.of(name, name)) == [named]
