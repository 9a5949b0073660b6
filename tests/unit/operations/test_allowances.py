"""What a person has used is what the requests of the day have cost, and those that are open."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from countersign.approvals.person import Person
from countersign.operations.allowances import Allowances, AllowanceUsed, settle, tokens_of
from countersign.stores.allowances import Allowance
from countersign.stores.errors import StoreUnavailable
from countersign.stores.sqlite_allowances import SqliteAllowances
from countersign.stores.sqlite_index import SqliteIndex
from countersign.stores.summary import Summary

NOON = datetime(2026, 11, 2, 12, tzinfo=timezone.utc)
DAY = timedelta(days=1)
RITA = Person(id="rita", name="Rita", tenant="home", roles=frozenset())


def row(name: str, *, closed: bool = False, tokens: int = 0) -> Summary:
    return Summary(
        operation_id=name,
        tenant="home",
        kind="research",
        title="Tides",
        requester_id="rita",
        requester_name="Rita",
        state="rejected" if closed else "running",
        stage="closed" if closed else "planning",
        done=0,
        total=0,
        tokens=tokens,
        version=None,
        required_role=None,
        approvers=(),
        expires_at=None,
        created_at=NOON,
        updated_at=NOON,
        sequence=1,
    )


def test_what_has_ended_is_not_open_and_its_cost_stays() -> None:
    used = Allowance(open={"a": NOON, "b": NOON}, day=NOON.date(), tokens=5)
    rows = {"a": row("a", closed=True, tokens=7), "b": row("b", tokens=3)}
    settled = settle(used, rows, NOON)
    assert settled == Allowance(open={"b": NOON}, day=NOON.date(), tokens=12)
    assert tokens_of(settled, rows, NOON) == 15


def test_a_day_counts_what_was_asked_for_on_it() -> None:
    used = Allowance(open={"a": NOON, "b": NOON}, day=NOON.date(), tokens=5)
    rows = {"a": row("a", closed=True, tokens=7), "b": row("b", tokens=3)}
    settled = settle(used, rows, NOON + DAY)
    assert settled == Allowance(open={"b": NOON}, day=(NOON + DAY).date(), tokens=0)
    assert tokens_of(settled, rows, NOON + DAY) == 0


@pytest.mark.parametrize("closed", [True, False])
def test_tokens_count_on_the_day_on_which_a_revision_used_them(*, closed: bool) -> None:
    today = NOON + DAY
    revised = replace(row("a", closed=closed, tokens=90), tokens_day=today.date(), day_tokens=40)
    settled = settle(Allowance(open={"a": NOON}, day=NOON.date(), tokens=50), {"a": revised}, today)
    assert tokens_of(settled, {"a": revised}, today) == 40
    assert tokens_of(settle(settled, {}, today + DAY), {"a": revised}, today + DAY) == 0


def test_what_was_asked_for_before_midnight_counts_after_it_as_far_as_it_is_used_then() -> None:
    late = row("a", tokens=7)
    used = Allowance(open={"a": NOON}, day=NOON.date())
    spent_before = replace(late, tokens_day=NOON.date(), day_tokens=7)
    assert tokens_of(used, {"a": spent_before}, NOON) == 7
    assert (
        tokens_of(settle(used, {"a": spent_before}, NOON + DAY), {"a": spent_before}, NOON + DAY)
        == 0
    )


def test_what_was_never_started_is_open_for_a_minute_only() -> None:
    used = Allowance(open={"a": NOON}, day=NOON.date())
    assert settle(used, {}, NOON + timedelta(seconds=59)).open == {"a": NOON}
    assert settle(used, {}, NOON + timedelta(seconds=60)).open == {}


@pytest.fixture
def allowances(tmp_path: Path) -> Allowances:
    file = tmp_path / "countersign.db"
    return Allowances(
        store=SqliteAllowances(file),
        index=SqliteIndex(file),
        clock=lambda: NOON,
        most_open=3,
        most_tokens=100,
    )


async def test_of_many_who_begin_at_once_no_more_than_the_limit_do(allowances: Allowances) -> None:
    async def begin(number: int) -> bool:
        try:
            await allowances.begin(RITA, f"op-{number}")
        except AllowanceUsed:
            return False
        return True

    begun = await asyncio.gather(*map(begin, range(12)))
    assert sum(begun) == 3
    with pytest.raises(AllowanceUsed) as used:
        await allowances.begin(RITA, "op-12")
    assert (used.value.code, used.value.most) == ("too_many_open", 3)


class Crowded(SqliteAllowances):
    """Allowances that somebody else always changes first."""

    async def put(self, tenant: str, person: str, allowance: Allowance, before: str) -> bool:
        return False


async def test_an_allowance_that_is_changed_all_the_time_ends_as_a_store_that_is_away(
    allowances: Allowances, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def at_once(_: int) -> None:
        await asyncio.sleep(0)

    monkeypatch.setattr("countersign.operations.allowances.give_way", at_once)
    crowded = replace(allowances, store=Crowded(tmp_path / "countersign.db"))
    with pytest.raises(StoreUnavailable, match="changed all the time"):
        await asyncio.wait_for(crowded.begin(RITA, "op-1"), 60)


async def test_the_same_request_again_is_one(allowances: Allowances) -> None:
    for _ in range(5):
        await allowances.begin(RITA, "op-1")
    used, _ = await allowances.store.get("home", "rita")
    assert list(used.open) == ["op-1"]


async def test_without_limits_nothing_is_kept(allowances: Allowances) -> None:
    free = replace(allowances, most_open=None, most_tokens=None)
    await free.begin(RITA, "op-1")
    assert await free.store.get("home", "rita") == (Allowance(), "")
