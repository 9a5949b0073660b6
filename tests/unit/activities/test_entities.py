"""An operation of an entity ends before the host would hand it out again."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from time import monotonic
from typing import Any

import azure.durable_functions as df
import azure.functions as func
import pytest
from agent_framework import Message

import activities.entities
import activities.questions
from activities.entities import LONGEST_SECONDS, entity_trigger, in_time

HANDED_OUT_AGAIN = 300.0
"""Seconds after which Azure Storage does so."""

Run = Callable[[Callable[[], None], int], list[str]]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs some operations that an entity is sent at once; returns what each came to."""
    monkeypatch.setattr(activities.entities, "LONGEST_SECONDS", 0.2)

    def at_once(work: Callable[[], None], operations: int) -> list[str]:
        app, came = df.DFApp(), []

        @entity_trigger(app, context_name="context")
        def worker(context: df.DurableEntityContext) -> None:
            try:
                work()
                came.append("done")
            except asyncio.TimeoutError:
                came.append("too late")

        [function] = app.get_functions()
        asyncio.run(function.get_user_function()(sent(operations)))
        return came

    return at_once


def sent(operations: int) -> Any:
    """What the host hands an entity."""
    body = {
        "self": {"name": "worker", "key": "k"},
        "exists": False,
        "state": None,
        "batch": [
            {"id": f"r{number}", "name": "work", "input": "null", "signal": False}
            for number in range(operations)
        ],
    }
    return func.EntityContext(json.dumps(body))


async def hang() -> None:
    await asyncio.Event().wait()


async def reply() -> None:
    await asyncio.sleep(0)


def test_the_bound_leaves_time_before_the_message_is_handed_out_again() -> None:
    assert LONGEST_SECONDS + 30 <= HANDED_OUT_AGAIN


def test_what_hangs_ends(run: Run) -> None:
    assert run(lambda: asyncio.run(in_time(hang())), 1) == ["too late"]


def test_what_is_sent_at_once_shares_the_time(run: Run) -> None:
    began = monotonic()
    assert run(lambda: asyncio.run(in_time(hang())), 50) == ["too late"] * 50
    assert monotonic() - began < 50 * 0.2


async def test_an_answer_that_takes_too_long_leaves_its_question_open(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def told(_: Any) -> str:
        await hang()
        return activities.questions.SETTLED

    monkeypatch.setattr(activities.entities, "LONGEST_SECONDS", 0.2)
    monkeypatch.setattr(activities.questions, "_told", told)
    replied = await activities.questions.HostedFactChecker().run([Message("user", ["{}"])])
    assert replied.text == activities.questions.STILL_OPEN


def test_what_takes_no_time_is_done(run: Run) -> None:
    assert run(lambda: asyncio.run(in_time(reply())), 2) == ["done", "done"]
