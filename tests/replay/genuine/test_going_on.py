"""What waited under the genuine extension waits on after an upgrade, and gets to an end."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from devhost.durable.history import Event
from testbed.continuing import OUTPUTS, check, every_way
from testbed.genuine import Execution
from testbed.waiting import Waiting

Indexed = dict[str, Callable[[Any], str]]


def test_an_instance_waits_for_the_same_as_before(execution: Execution, indexed: Indexed) -> None:
    for waiting in points(execution):
        check(waiting, indexed)


def test_an_instance_goes_on_to_its_end(execution: Execution, indexed: Indexed) -> None:
    for waiting in points(execution):
        outputs = every_way(waiting, indexed)
        assert outputs == [OUTPUTS[execution.orchestrator]] * len(outputs)


def points(execution: Execution) -> Iterator[Waiting]:
    """The ends of its turns, but where it was suspended or had been sent poison."""
    for turns, turn in enumerate(execution.turns[:-1], 1):
        history = execution.history(turns)
        if not turn.suspended and not any(map(poisoned, history)):
            yield Waiting(
                version="unversioned", recording=execution.name, turns=turns, events=history
            )


def poisoned(event: Event) -> bool:
    """Whether the SDK can't read what an event carries, and fails."""
    return "__class__" in (event.get("Input") or "")
