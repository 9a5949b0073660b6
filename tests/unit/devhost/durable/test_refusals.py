from __future__ import annotations

from datetime import datetime, timezone
from typing import Any

import pytest

from devhost.durable.instance import Parent
from devhost.durable.refusals import Refusals
from devhost.engine.admission import new_instance
from devhost.functions.catalogue import Catalogue, Function

PARENT = Parent(id="Mother", execution="e", task=0, name="o")
CATALOGUE = Catalogue(
    [
        Function(name="work", trigger={"type": "activityTrigger"}),
        Function(name="asleep", trigger={"type": "activityTrigger"}, disabled=True),
        Function(name="o", trigger={"type": "orchestrationTrigger"}),
        Function(name="Counter", trigger={"type": "entityTrigger"}),
    ]
)


def reason(action: dict[str, Any]) -> str | None:
    now = datetime(2026, 1, 1, tzinfo=timezone.utc)
    own, _ = new_instance(id="one", name="o", version=None, input=None, now=now, parent=PARENT)
    return Refusals(own, CATALOGUE).reason(action)


@pytest.mark.parametrize(
    "action",
    [
        {"actionType": 0, "functionName": "WORK"},
        {"actionType": 1, "functionName": "asleep"},
        {"actionType": 2, "functionName": "O", "instanceId": "other"},
        {"actionType": 2, "functionName": "o", "instanceId": None},
        {"actionType": 7, "instanceId": "@counter@k"},
        {"actionType": 9, "instanceId": "@Counter@k"},
        {"actionType": 6, "externalEventName": "nobody"},
    ],
)
def test_what_is_there_is_scheduled_even_if_it_is_disabled(action: dict[str, Any]) -> None:
    assert reason(action) is None


@pytest.mark.parametrize(
    ("action", "sentence"),
    [
        (
            {"actionType": 0, "functionName": "o"},
            "The function 'o' doesn't exist, is disabled, or is not an activity function."
            " Additional info: The following are the known activity functions: 'work', 'asleep'.",
        ),
        (
            {"actionType": 3, "functionName": "work"},
            "The function 'work' doesn't exist, is disabled, or is not an orchestrator function."
            " Additional info: The following are the known orchestrator functions: 'o'.",
        ),
        ({"actionType": 2, "functionName": "o", "instanceId": "ONE"}, "of a parent orchestration."),
        ({"actionType": 2, "functionName": "o", "instanceId": "mother"}, "of a parent"),
        ({"actionType": 2, "functionName": "o", "instanceId": "@x"}, "must not start with @"),
        ({"actionType": 9, "instanceId": "@work@k"}, "known entity functions: 'Counter'."),
    ],
)
def test_what_is_not_there_is_not_scheduled(action: dict[str, Any], sentence: str) -> None:
    assert sentence in (reason(action) or "")


def test_an_app_without_functions_of_a_kind_says_so() -> None:
    missing = Catalogue().missing("activityTrigger", "f")
    assert missing.endswith("Additional info: No activity functions are currently registered!")
