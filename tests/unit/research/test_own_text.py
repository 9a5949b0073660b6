"""What a check of a text says where the fact-checker gives no verdicts."""

from __future__ import annotations

import asyncio
import gc
from types import SimpleNamespace
from typing import Any

import pytest

from countersign.approvals.errors import NotFound
from countersign.operations.repository import NotWanted
from countersign.research import own_text
from countersign.team.errors import BudgetSpent, UnknownModel, Unreachable
from countersign.team.own_text import CheckedLine

LINES = [CheckedLine(kind="sentence", text="Tides rise.", state="unproven", reasons=["Why."])]


def material(keep: Any) -> Any:
    return SimpleNamespace(operation=None, workshop=SimpleNamespace(keep=keep))


EXPECTED = [
    (Unreachable(), own_text.BUSY),
    (BudgetSpent(120, 100), own_text.SHARE),
    (UnknownModel(), "there is no such model"),
    (NotWanted(NotFound()), own_text.ENDED),
]


@pytest.mark.parametrize(("error", "says"), EXPECTED)
async def test_what_code_has_seen_is_told_all_the_same(error: Exception, says: str) -> None:
    async def keep(*_: Any) -> str:
        raise error

    lines, note = await own_text._judged(material(keep), 1, LINES)
    assert lines == LINES
    assert says in note


async def test_nobody_waits_for_long_and_what_was_begun_goes_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    answered, finished = asyncio.Event(), asyncio.Event()

    async def keep(*_: Any) -> str:
        await answered.wait()
        finished.set()
        return ""

    monkeypatch.setattr(own_text, "PATIENCE_SECONDS", 0.01)
    lines, note = await own_text._judged(material(keep), 1, LINES)
    assert (lines, note) == (LINES, own_text.READING)
    answered.set()
    await asyncio.wait_for(finished.wait(), 10)


@pytest.mark.parametrize("error", [each for each, _ in EXPECTED])
async def test_what_fails_after_nobody_waits_is_no_error_in_the_log(
    error: Exception, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    ends = asyncio.Event()

    async def keep(*_: Any) -> str:
        await ends.wait()
        raise error

    monkeypatch.setattr(own_text, "PATIENCE_SECONDS", 0.01)
    await own_text._judged(material(keep), 1, LINES)
    [reading] = own_text._reading
    over = asyncio.Event()
    reading.add_done_callback(lambda _: over.set())
    del reading
    ends.set()
    await over.wait()
    gc.collect()
    assert not caplog.records
