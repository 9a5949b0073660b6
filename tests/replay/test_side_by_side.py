"""Work side by side, whose parts fail and end in any order, as a host plays it to the SDK."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import azure.durable_functions as df
import pytest

import orchestrators.story

TIMER = 5
CLOSE = "close_operation"
SUBTOPICS, TRIES, DAY = 3, 3, 4
"""Few tries and a short day, since a replay takes the longer, the more there is to replay."""


@pytest.fixture(autouse=True)
def short_outage(monkeypatch: pytest.MonkeyPatch) -> None:
    patience = df.RetryOptions(10_000, TRIES)
    monkeypatch.setattr(orchestrators.story, "PATIENCE", patience)
    monkeypatch.setattr(orchestrators.story, "OUTAGE_TRIES", DAY)


@dataclass
class Open:
    """Something that the host has begun: a try of an activity, or a timer.

    Attributes:
        task: its number.
        action: what the orchestrator asked for; None of a pause between two tries.
        tries: how many tries of the activity there were by now.
        retried: the activity whose pause this is.
    """

    task: int
    action: dict[str, Any] | None
    tries: int = 1
    retried: dict[str, Any] | None = None


class Host:
    """Ends what is under way one by one, in an order of chance, and numbers as hosts do.

    Args:
        history: that of the orchestrator.
        chance: what comes next.
        fails: whether a try of an activity fails, given its name and order.
    """

    def __init__(
        self, history: Any, chance: random.Random, fails: Callable[[str, dict[str, Any]], bool]
    ) -> None:
        self.history, self.chance, self.fails = history, chance, fails
        self.under_way: list[Open] = []
        self.numbered = self.asked = 0
        self.closing: dict[str, Any] = {}

    def run(self) -> dict[str, Any]:
        """Play to the end; returns what the operation was closed with."""
        while not (answer := self.history.replay())["isDone"]:
            wanted = _flat(answer["actions"][0])
            assert not (self.under_way and wanted[self.asked :]), (
                f"{wanted[self.asked :]} would be begun while {self.under_way} still run"
            )
            for action in wanted[self.asked :]:
                self._begin(action)
            self.asked = len(wanted)
            self.history.wake(seconds=1)
            self._end_one()
        return self.closing

    def _begin(self, action: dict[str, Any], tries: int = 1) -> None:
        if action["actionType"] == TIMER:
            self.history.timer(self.numbered)
        else:
            self.history.scheduled(self.numbered, action["functionName"])
        self.under_way.append(Open(self.numbered, action, tries))
        self.numbered += 1

    def _end_one(self) -> None:
        ending = self.under_way.pop(self.chance.randrange(len(self.under_way)))
        if ending.retried is not None:
            self.history.fired(ending.task)
            if ending.tries < TRIES:
                self._begin(ending.retried, ending.tries + 1)
            return
        assert ending.action
        if ending.action["actionType"] == TIMER:
            self.history.fired(ending.task)
            return
        self._answer(ending, ending.action)

    def _answer(self, ending: Open, action: dict[str, Any]) -> None:
        name, order = action["functionName"], json.loads(action["input"])
        if self.fails(name, order):
            self.history.failed(ending.task, "StoreUnavailable")
            if "retryOptions" in action:
                self.history.timer(self.numbered)
                self.under_way.append(Open(self.numbered, None, ending.tries, retried=action))
                self.numbered += 1
            return
        if name == CLOSE:
            self.closing = order
        self.history.done(ending.task, _answers(name))


def _flat(actions: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [
        single
        for each in actions
        for single in (_flat(each["compoundActions"]) if "compoundActions" in each else [each])
    ]


def _answers(name: str) -> dict[str, Any]:
    return {
        "plan_research": {"subtopics": SUBTOPICS},
        "check_facts": {"approved": True, "again": []},
        "open_proposal": {"version": 1, "next": "publish"},
        CLOSE: {"outcome": "published"},
    }.get(name, {})


class Outage:
    """Fails each subtopic as often as chance has it, up to for good."""

    def __init__(self, chance: random.Random) -> None:
        most = TRIES + DAY + 2
        self.left = [chance.randrange(most) for _ in range(SUBTOPICS)]

    def __call__(self, name: str, order: dict[str, Any]) -> bool:
        if name != "research_subtopic" or not self.left[order["subtopic"]]:
            return False
        self.left[order["subtopic"]] -= 1
        return True


@pytest.mark.parametrize("seed", range(60))
def test_nothing_new_is_begun_while_a_subtopic_still_runs_and_every_outage_comes_to_an_end(
    seed: int, history: Callable[..., Any]
) -> None:
    chance = random.Random(seed)  # noqa: S311 - a test's
    told = history("research", {"tenant": "home", "operation_id": "o-1"})
    closing = Host(told, chance, Outage(chance)).run()
    assert closing["operation_id"] == "o-1"
    assert "ends_as" not in closing
