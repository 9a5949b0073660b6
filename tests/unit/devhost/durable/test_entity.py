from __future__ import annotations

import json
from datetime import datetime, timezone
from typing import Any

import pytest

from devhost.durable.entity import Batch, Entity, name_and_key, request, scheduler_id, sent, unborn
from devhost.durable.instance import Message
from testbed.genuine import calls

NOW = datetime(2026, 1, 1, tzinfo=timezone.utc)


def batch(entity: Entity, *operations: tuple[str, bool]) -> Batch:
    messages = []
    for number, (operation, signal) in enumerate(operations):
        content = request(
            operation, "1", id=f"r{number}", now=NOW, sender=("p", "e"), signal=signal
        )
        messages.append(Message(number=number, instance=entity.id, event=sent(content, NOW)))
    return Batch(entity, messages)


def returned(*results: tuple[str, bool], exists: bool = True, state: str = "5") -> bytes:
    content = [{"result": text, "isError": error} for text, error in results]
    return json.dumps(
        {"entityExists": exists, "entityState": state, "results": content, "signals": []}
    ).encode()


def test_only_the_name_loses_its_case() -> None:
    assert scheduler_id("Counter", "Key@1") == "@counter@Key@1"
    assert name_and_key("@counter@Key@1") == ("counter", "Key@1")


def test_a_batch_has_the_form_that_the_sdk_reads() -> None:
    given = json.loads(batch(unborn("@c@k", NOW), ("add", False), ("set", True)).context())
    assert given == {
        "self": {"name": "c", "key": "k"},
        "exists": False,
        "state": None,
        "batch": [
            {"name": "add", "input": "1", "isSignal": False, "id": "r0"},
            {"name": "set", "input": "1", "isSignal": True, "id": "r1"},
        ],
    }


def test_a_batch_has_the_fields_that_the_genuine_extension_sends() -> None:
    call = next(call for call in calls("entity") if not json.loads(call["input"])["exists"])
    genuine = json.loads(call["input"])
    given = json.loads(batch(unborn("@c@k", NOW), ("tell", True)).context())
    assert set(given) == set(genuine)
    assert set(given["self"]) == set(genuine["self"])
    assert set(given["batch"][0]) == set(genuine["batch"][0])
    assert given["state"] is genuine["state"] is None


def test_the_state_is_kept_as_it_is_and_only_calls_are_answered() -> None:
    three = batch(unborn("@c@k", NOW), ("a", False), ("b", True), ("c", False))
    results = [("1", False), ("2", False), ('"no"', True)]
    after, answers = three.conclude(returned(*results, state=' "x" '), NOW)
    assert (after.exists, after.state) == (True, ' "x" ')
    told = [(one.event["Name"], json.loads(one.event["Input"])) for one in answers]
    assert [(name, said["result"]) for name, said in told] == [("r0", "1"), ("r2", '"no"')]
    assert [said.get("exceptionType") for _, said in told] == [None, "Error"]
    assert {(one.instance, one.execution) for one in answers} == {("p", "e")}


@pytest.mark.parametrize(
    "body",
    [
        # No JSON
        b"",
        # Something else
        b"[]",
        b'{"results": []}',
        # Another number of results
        returned(),
    ],
)
def test_what_is_no_state_is_refused(body: bytes) -> None:
    with pytest.raises(ValueError, match="it returned"):
        batch(unborn("@c@k", NOW), ("a", False)).conclude(body, NOW)


def test_a_batch_that_fails_as_a_whole_fails_every_call() -> None:
    answers = batch(unborn("@c@k", NOW), ("a", False), ("b", True)).refuse("no", NOW)
    told: list[Any] = [json.loads(one.event["Input"]) for one in answers]
    assert [(one["result"], one["exceptionType"]) for one in told] == [('"no"', "Error")]
