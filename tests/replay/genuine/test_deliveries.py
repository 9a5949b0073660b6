"""Results, timers and rings come at least once and at no certain time: that changes no decision."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from typing import Any

from devhost.durable.history import Event, Kind
from devhost.time.clock import read_stamp, stamp
from orchestrators import names
from testbed.genuine import ARRIVALS, Execution, Turn

Code = Callable[[Any], str]


def test_what_comes_again_in_any_later_turn_changes_nothing(
    execution: Execution, code: Code
) -> None:
    for turn, message in arrivals(execution):
        for later in range(turn, len(execution.turns)):
            again(execution, later, message).replay(code, later)


def test_what_comes_again_in_every_later_turn_changes_nothing(
    execution: Execution, code: Code
) -> None:
    for turn, message in arrivals(execution):
        repeated = execution
        for later in range(turn, len(execution.turns)):
            repeated = again(repeated, later, message)
        repeated.replay(code, turn)


def test_what_comes_an_hour_and_an_idle_turn_later_changes_nothing(
    execution: Execution, code: Code
) -> None:
    for turn in range(1, len(execution.turns)):
        delayed(execution, turn).replay(code, turn)


def test_one_more_ring_changes_nothing_where_no_gate_waits_for_one(
    execution: Execution, code: Code
) -> None:
    for turn in deaf(execution):
        again(execution, turn, ring(execution.turns[turn])).replay(code, turn)


def arrivals(execution: Execution) -> Iterator[tuple[int, Event]]:
    """What came to an instance from outside, with the turn in which it came."""
    for number, turn in enumerate(execution.turns):
        yield from ((number, each) for each in turn.messages if each["EventType"] in ARRIVALS)


def again(execution: Execution, turn: int, message: Event) -> Execution:
    """The execution with one more message in a turn."""
    turns = list(execution.turns)
    turns[turn] = replace(turns[turn], messages=(*turns[turn].messages, message))
    return replace(execution, turns=tuple(turns))


def delayed(execution: Execution, turn: int) -> Execution:
    """The execution with an idle turn before one, which itself comes an hour later."""
    before, after = execution.turns[:turn], execution.turns[turn:]
    idle = Turn(after[0].began, (), (before[-1].kept[-1],), before[-1].suspended)
    return replace(execution, turns=(*before, idle, *map(an_hour_later, after)))


def an_hour_later(turn: Turn) -> Turn:
    moment = read_stamp(turn.began["Timestamp"]) + timedelta(hours=1)
    return replace(turn, began={**turn.began, "Timestamp": stamp(moment)})


def ring(turn: Turn) -> Event:
    """A ring that comes in a turn."""
    ringing = {"Name": names.APPROVAL_DECISION, "Input": '{"sequence": 9}'}
    return {**turn.began, "EventType": Kind.EventRaised, **ringing}


def deaf(execution: Execution) -> Iterator[int]:
    """The turns in which, and after which, nobody waits for a ring."""
    written = [
        (number, each["EventType"])
        for number, turn in enumerate(execution.turns)
        for each in turn.written or ()
    ]
    looks = [number for number, kind in written if kind == Kind.TaskScheduled]
    waits = any(kind == Kind.TimerCreated for _, kind in written) or "error" in execution.state
    if execution.orchestrator != names.APPROVAL_GATE or not waits:
        yield from range(len(execution.turns))
    elif len(looks) > 1:
        yield from range(looks[1], len(execution.turns))
