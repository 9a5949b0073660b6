"""Rules with their commands filled in: what is recorded is what they answer to a state."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from functools import reduce
from typing import TypeAlias

from countersign.approvals.events import Event
from countersign.approvals.folding import evolve
from countersign.approvals.operation import Operation
from countersign.approvals.rules import Ruling

Rule: TypeAlias = Callable[[Operation, datetime], Ruling]
"""One of the rules with its command filled in: state and moment to events or a refusal."""

Ready: TypeAlias = Callable[[], Awaitable[None]]
"""Sees to what has to be there before a change is recorded; may run several times."""


@dataclass(frozen=True, slots=True)
class First:
    """What comes before a change is recorded: `ready` in good time, `stands` just before it."""

    ready: Ready | None = None
    stands: Callable[[], None] = lambda: None


NOTHING = First()


def in_turn(*rules: Rule) -> Rule:
    """Rules that are recorded together, each followed on the state that those before lead to.

    Where one refuses, only what those before lead to is recorded.
    """

    def followed(state: Operation, now: datetime) -> Ruling:
        events: tuple[Event, ...] = ()
        for rule in rules:
            answer = rule(state, now)
            if not isinstance(answer, tuple):
                return events or answer
            events, state = (*events, *answer), reduce(evolve, answer, state)
        return events

    return followed


def unless_before(first: Rule, *more: Rule) -> Rule:
    """Rules in turn, of which nothing is recorded if the first was followed before."""

    def followed(state: Operation, now: datetime) -> Ruling:
        return first(state, now) and in_turn(first, *more)(state, now)

    return followed
