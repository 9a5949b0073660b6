"""What the functions of the app have in common; `dev.py doctor` says that the worker loads them."""

from __future__ import annotations

from typing import get_type_hints

import pytest

from devhost.worker.indexing import Indexed, index

FUNCTIONS = index()
ACTIVITIES = [each for each in FUNCTIONS if each.trigger["type"] == "activityTrigger"]


@pytest.mark.parametrize("activity", ACTIVITIES, ids=lambda each: each.name)
def test_each_activity_takes_plain_json_as_one_parameter(activity: Indexed) -> None:
    hints = get_type_hints(activity.run)
    assert {name: hints[name] for name in hints if name != "return"} == {
        activity.trigger["name"]: dict
    }


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda each: each.name)
def test_only_orchestrators_take_a_thread_of_the_worker(function: Indexed) -> None:
    # Those only compute; what waits would keep one of a few threads from all others.
    assert function.asynchronous == (function.trigger["type"] != "orchestrationTrigger")
