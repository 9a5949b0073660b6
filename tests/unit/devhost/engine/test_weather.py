"""The engine as unkind as Azure Storage: everything still comes to its end."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest

from devhost.durable.history import Kind, as_played, event
from devhost.durable.instance import Instance, Message, Parent
from devhost.durable.snapshot import Snapshot
from devhost.engine.weather import FAIR, AzureStorage, Hidden, Weather, weather
from devhost.time.clock import read_stamp, stamp

NOW = datetime(2026, 1, 1, tzinfo=timezone.utc)
SOON = Hidden(messages=0.1, activities=0.1)

ALONE = Instance(
    id="one",
    execution="e",
    name="o",
    version="",
    status="Running",
    input=None,
    created=stamp(NOW),
    updated=stamp(NOW),
    episodes=1,
)
BORN = replace(ALONE, id="two", parent=Parent(id="p", execution="e", task=0, name="o"))


def storm(seed: int = 1, hidden: Hidden = SOON) -> AzureStorage:
    return AzureStorage(seed, hidden)


def told(number: int, kind: Kind, **fields: Any) -> Message:
    return Message(number=number, instance="one", event=event(kind, NOW, **fields))


async def arrivals(skies: Weather, times: int) -> list[int]:
    """What arrives of so many things, in the order in which it does."""
    arrived: list[int] = []
    for number in range(times):
        skies.carry(lambda number=number: arrived.append(number))
    while skies.busy:  # noqa: ASYNC110 - it tells nobody
        await asyncio.sleep(0.01)
    return arrived


async def test_in_fair_weather_everything_arrives_once_and_in_order() -> None:
    assert await arrivals(FAIR, 20) == list(range(20))


async def test_on_azure_storage_everything_arrives_and_some_twice_and_out_of_order() -> None:
    arrived = await arrivals(storm(), 100)
    assert {*arrived} == {*range(100)}
    assert len(arrived) > 100
    assert arrived != sorted(arrived)


def test_the_same_seed_draws_the_same() -> None:
    def drawn(seed: int) -> list[bool]:
        skies = storm(seed)
        return [skies.loses_turn() for _ in range(200)]

    assert drawn(7) == drawn(7) != drawn(8)


@pytest.mark.parametrize(("seconds", "whole"), [(0.95, 0), (1.0, 1), (12.7, 12), (-3.0, -3)])
def test_a_timer_fires_up_to_its_fraction_of_a_second_early(seconds: float, whole: int) -> None:
    wanted = stamp(NOW + timedelta(seconds=seconds))
    assert FAIR.due(wanted, NOW) == wanted
    left = [(read_stamp(storm(seed).due(wanted, NOW)) - NOW).total_seconds() for seed in range(99)]
    # The turn took some time already.
    assert {*left} <= {whole, max(whole - 1, min(whole, 0))}


@pytest.mark.parametrize(
    ("early", "kind", "fields"),
    [
        (True, Kind.TaskCompleted, {"TaskScheduledId": 1}),
        (True, Kind.SubOrchestrationInstanceCompleted, {"TaskScheduledId": 10}),
        (True, Kind.TimerFired, {"TimerId": 1}),
        (True, Kind.EventRaised, {"Name": "9e952959-5e33-4daf-827f-2fa12937b875"}),
        (False, Kind.TaskCompleted, {"TaskScheduledId": 0}),
        (False, Kind.EventRaised, {"Name": "go"}),
        (False, Kind.EventRaised, {"Name": "9e952959-5e33-4daf-827f-2fa12937b876"}),
        (False, Kind.ExecutionTerminated, {"Input": ""}),
    ],
)
async def test_what_comes_before_the_task_that_it_answers_comes_again(
    early: bool, kind: Kind, fields: dict[str, Any]
) -> None:
    asked = json.dumps({"id": "9e952959-5e33-4daf-827f-2fa12937b876"})
    history = [
        event(Kind.TaskScheduled, NOW, 0, Name="a", Input='"EventId": 1,'),
        event(Kind.EventSent, NOW, 2, InstanceId="@c@k", Name="op", Input=asked),
    ]
    before, message = Snapshot(ALONE, (as_played(history),)), told(1, kind, **fields)
    assert not FAIR.premature(before, [message])
    assert bool(storm().premature(before, [message])) == early


async def test_what_answers_nothing_is_let_through_in_the_end() -> None:
    skies, before = storm(), Snapshot(ALONE, ("",))
    message = told(1, Kind.TaskCompleted, TaskScheduledId=9)
    tries = 0
    while skies.premature(before, [message]):
        skies.put_off(lambda: None, message)
        tries += 1
    assert tries == 5


async def test_what_overtakes_the_start_of_its_execution_comes_again() -> None:
    before = Snapshot(replace(ALONE, episodes=0))
    rung, began = told(1, Kind.EventRaised, Name="go"), told(2, Kind.ExecutionStarted)
    assert storm().premature(before, [rung]) == [rung]
    assert not storm().premature(before, [rung, began])


async def test_a_child_is_not_to_be_seen_before_its_row_is_there() -> None:
    concealed = 0
    for seed in range(40):
        skies = storm(seed)
        assert skies.conceals(replace(BORN, status="Pending"))
        skies.conceal(BORN)
        skies.conceal(ALONE)
        concealed += skies.conceals(BORN)
        assert not skies.conceals(ALONE)
        assert skies.busy == skies.conceals(BORN)
    assert 0 < concealed < 40


def test_only_the_weather_that_was_asked_for_is_another() -> None:
    assert weather("azure-storage", 1, SOON).hidden == SOON
    assert weather("fair", 1, SOON) is FAIR


async def test_what_lies_between_sending_and_keeping_counts_as_work() -> None:
    skies = storm()
    between = asyncio.create_task(skies.gap())
    await asyncio.sleep(0)
    assert skies.busy
    await between
    assert not skies.busy
