from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from devhost.background import Background
from devhost.console import Console
from devhost.engine.durable_timers import DurableTimers
from devhost.engine.mailboxes import Mailboxes
from devhost.state.store import Store
from devhost.time.clock import SystemClock


@pytest.fixture
def reasons() -> list[str]:
    return []


@pytest.fixture
def background(reasons: list[str]) -> Background:
    return Background(Console(SystemClock()), reasons.append)


async def until(condition: Callable[[], object]) -> None:
    deadline = asyncio.get_running_loop().time() + 60
    while not condition():
        assert asyncio.get_running_loop().time() < deadline
        await asyncio.sleep(0.001)


async def test_what_fails_is_told_with_its_traceback(
    background: Background, reasons: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    async def fails() -> None:
        raise LookupError("gone")

    background.start(fails())
    await until(lambda: reasons)
    assert reasons == ["a part of the host has failed: LookupError('gone')"]
    told = capsys.readouterr().out
    assert "Traceback" in told
    assert "in fails" in told


async def test_what_returns_or_is_cancelled_is_no_failure(
    background: Background, reasons: list[str]
) -> None:
    async def returns() -> None:
        pass

    done = background.start(returns())
    endless = background.start(asyncio.sleep(3600))
    await done
    await background.close()
    assert endless.cancelled()
    assert reasons == []


async def test_timers_that_cannot_be_read_any_more_stop_the_host(
    background: Background, reasons: list[str], tmp_path: Path
) -> None:
    store = Store(tmp_path / "state.db", pytest.fail)
    with sqlite3.connect(tmp_path / "state.db") as other:
        other.execute("DROP TABLE timers")
    other.close()
    background.start(DurableTimers(store, Mailboxes(), SystemClock()).run())
    await until(lambda: reasons)
    assert "OperationalError" in reasons[0]
    await store.close()
