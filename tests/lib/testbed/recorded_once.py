"""What a history must hold however often the machine died on the way."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any


def assert_recorded_once(
    history: list[dict[str, Any]], receipts: list[dict[str, Any]], once: Collection[str]
) -> None:
    """Each of these events is there once, two versions, and each decision that was answered.

    A try to write may follow one of which nobody knows what came; it has a name of its own then.
    """
    types = [event["type"] for event in history]
    assert {name: types.count(name) for name in once} == dict.fromkeys(once, 1)
    assert types.count("ProposalOpened") == 2
    recorded = [event for event in history if event["type"] == "DecisionRecorded"]
    assert [each["sequence"] for each in recorded] == [each["sequence"] for each in receipts]
    tries = [each["data"]["attempt"] for each in history if each["type"] == "WriteClaimed"]
    assert tries
    assert len(set(tries)) == len(tries)
