"""The board shows what is under way, and never gets into the way of it."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import pytest

from countersign.approvals import rules
from countersign.approvals.events import OperationStarted
from countersign.approvals.hold import Fault
from countersign.approvals.holding import hold_work
from countersign.approvals.operation import Operation
from countersign.operations.board import Board
from countersign.operations.repository import Changed, Operations, Rule
from countersign.stores.errors import StoreUnavailable
from countersign.stores.folder import FolderProgress
from countersign.stores.progress import UnderWay
from countersign.team.progress import Progress

NOW = datetime(2026, 11, 30, 9, tzinfo=timezone.utc)
Change = Callable[[Rule], Coroutine[Any, Any, Operation]]


def progress(step: str = "research:0:0", tokens: int = 7) -> Progress:
    return Progress(
        tenant="home", operation_id="o-1", step=step, subtopic="Restarts", tokens=tokens
    )


@pytest.fixture
def board(tmp_path: Path) -> Board:
    return Board(store=FolderProgress(tmp_path / "progress"), clock=lambda: NOW)


@pytest.fixture
async def change(operations: Operations, started: OperationStarted) -> Change:
    """Changes an operation that was just begun; returns it."""
    await operations.start("home", "o-1", started)

    async def follow(rule: Rule) -> Operation:
        changed = await operations.change("home", "o-1", rule)
        assert isinstance(changed, Changed)
        return changed.operation

    return follow


async def test_what_is_under_way_is_shown_until_it_is_done(board: Board, change: Change) -> None:
    planned = await change(lambda state, now: rules.plan_work(state, ("Restarts",), now))
    await board(progress())
    shown = UnderWay(step="research:0:0", subtopic="Restarts", tokens=7, seen_at=NOW)
    assert list(await board.of(planned)) == [shown]
    done = await change(lambda state, now: rules.record_work(state, "research:0:0", "r", now))
    assert list(await board.of(done)) == []


async def test_nothing_is_under_way_where_an_operator_is_waited_for(
    board: Board, change: Change
) -> None:
    await board(progress())
    fault = Fault(cause="c", reason="r", passes="later")
    held = await change(lambda state, now: hold_work(state, "research:0:0", fault, now, now))
    assert list(await board.of(held)) == []


async def test_what_is_taken_down_is_gone(board: Board, change: Change) -> None:
    planned = await change(lambda state, now: rules.plan_work(state, ("Restarts",), now))
    await board(progress())
    await board.clear("home", "o-1")
    assert list(await board.of(planned)) == []


class Away:
    """A store that can't be used."""

    async def put(self, tenant: str, operation_id: str, sign: UnderWay) -> None:
        raise StoreUnavailable("away")

    async def of(self, tenant: str, operation_id: str) -> Sequence[UnderWay]:
        raise StoreUnavailable("away")

    async def forget(self, tenant: str, operation_id: str) -> None:
        raise StoreUnavailable("away")


async def test_a_store_that_is_away_keeps_nobody_from_working_or_looking(change: Change) -> None:
    board = Board(store=Away(), clock=lambda: NOW)
    planned = await change(lambda state, now: rules.plan_work(state, ("Restarts",), now))
    await board(progress())
    assert list(await board.of(planned)) == []
    await board.clear("home", "o-1")
