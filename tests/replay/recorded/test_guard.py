"""The guard bites: a change that would break a waiting approval is found, and told what to do."""

from __future__ import annotations

import importlib.util
import inspect
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import orchestrators.gate
import orchestrators.questions
import orchestrators.research

RENAMED = (
    orchestrators.research,
    "yield from insist(context, OPEN_PROPOSAL, proposal)",
    'yield from insist(context, "offer_proposal", proposal)',
)
INSERTED = (
    orchestrators.research,
    "        outcome = yield context.call_sub",
    '        yield from insist(context, "notify_reviewers", proposal)\n'
    "        outcome = yield context.call_sub",
)
LEFT_OUT = (
    orchestrators.research,
    '    yield from work(context, WRITE_DRAFT, {**order, "version": 1})\n',
    "",
)
OTHER_GATE = (
    orchestrators.research,
    'gate_instance(order["operation_id"], version)',
    'gate_instance(order["operation_id"], version) + "-gate"',
)
SWAPPED_IN = (
    orchestrators.research,
    "context.call_sub_orchestrator_with_retry(\n            APPROVAL_GATE",
    'context.call_sub_orchestrator_with_retry(\n            "quorum_gate"',
)
TIMER_BEFORE = (
    orchestrators.gate,
    "        ring = context",
    "        yield context.create_timer(context.current_utc_datetime + SHORTEST_TIMER)\n"
    "        ring = context",
)
NO_TIMER = (
    orchestrators.gate,
    "        yield context.task_any([ring, timer])",
    "        timer = yield ring",
)
NEW_FIELD = (
    orchestrators.research,
    'order["operation_id"], version)',
    'order["approval"]["operation_id"], version)',
)
OTHER_RING = (orchestrators.gate, "(APPROVAL_DECISION)", '("Decided")')
OTHER_CONVERSATION = (
    orchestrators.questions,
    'key=order["session"]',
    'key=order["operation_id"]',
)
PAUSE_BEFORE = (
    orchestrators.questions,
    "        # How this ends says nothing",
    "        yield context.create_timer(context.current_utc_datetime + PAUSE)\n"
    "        # How this ends says nothing",
)
BREAKS = {
    "an activity is renamed": RENAMED,
    "an activity is inserted before the gate": INSERTED,
    "an activity is left out": LEFT_OUT,
    "the gate has another instance id": OTHER_GATE,
    "another orchestrator is the gate": SWAPPED_IN,
    "a timer comes before the wait": TIMER_BEFORE,
    "no timer runs beside the wait": NO_TIMER,
    "a field is read that old inputs lack": NEW_FIELD,
    "the ring has another name": OTHER_RING,
    "another conversation is asked": OTHER_CONVERSATION,
    "a pause comes before the agent": PAUSE_BEFORE,
}

VERSIONED = (
    orchestrators.research,
    "        outcome = yield context.call_sub",
    '        if context.version == "next":\n'
    '            yield from insist(context, "notify_reviewers", proposal)\n'
    "        outcome = yield context.call_sub",
)
PATIENT = (orchestrators.research, "max_number_of_attempts=30", "max_number_of_attempts=60")
Change = tuple[ModuleType, str, str]


@pytest.fixture
def changed(index: Callable[..., Any], tmp_path: Path) -> Callable[[Change], dict[str, Any]]:
    """The orchestrators by name, after a change of their source."""
    return lambda change: index(**{noun(change): rewritten(change, tmp_path)})


def noun(change: Change) -> str:
    """The last part of the name of the module that is changed."""
    return change[0].__name__.rpartition(".")[2]


def rewritten(change: Change, folder: Path) -> ModuleType:
    module, old, new = change
    source = inspect.getsource(module)
    assert source.count(old) == 1, (
        f"This is an example of the guard's own, which changes {old!r} in {module.__name__}, and"
        " that is not there just once any more. Nothing that waits is at risk by this alone: let"
        " the example follow the code"
    )
    file = folder / f"{module.__name__}.py"
    file.write_text(source.replace(old, new), "utf-8")
    spec = importlib.util.spec_from_file_location(module.__name__, file)
    assert spec
    assert spec.loader
    twin = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(twin)
    return twin


@pytest.fixture
def survives(keeps_waiting: Any, goes_on: Any) -> Callable[..., None]:
    """Whether an instance waits on and comes to its end."""

    def both(waiting: Any, code: Any) -> None:
        keeps_waiting(waiting, code)
        goes_on(waiting, code)

    return both


@pytest.fixture
def at_the_gate(all_waiting: list[Any]) -> dict[str, Any]:
    """Where a person is waited for, as the operation's instance and as its gate; and an agent."""
    awaited = (["approval_gate"], ["a timer"], ["dafx-factchecker"])
    found = {each.recording: each for each in all_waiting if each.awaits() in awaited}
    return {
        "research": found["research-approved"],
        "gate": found["gate-waiting"],
        "questions": found["question-answered"],
    }


@pytest.mark.parametrize("change", BREAKS.values(), ids=list(BREAKS))
def test_what_would_break_a_pending_approval_is_found(
    change: Change, changed: Any, at_the_gate: dict[str, Any], survives: Any
) -> None:
    waiting = at_the_gate[noun(change)]
    with pytest.raises(AssertionError, match=r"can't go on in today's code") as found:
        survives(waiting, changed(change))
    told = str(found.value)
    assert all(word in told for word in ("context.version", "defaultVersion", "record.py", "0008"))


def test_the_message_says_what_was_expected_and_what_was_found(
    changed: Any, at_the_gate: dict[str, Any], keeps_waiting: Any
) -> None:
    with pytest.raises(AssertionError) as found:
        keeps_waiting(at_the_gate["research"], changed(RENAMED))
    told = str(found.value)
    assert "TaskScheduled open_proposal" in told
    assert "offer_proposal" in told


@pytest.mark.parametrize("change", [VERSIONED, PATIENT], ids=["by version", "in its patience"])
def test_what_breaks_nobody_is_let_through(
    change: Change, changed: Any, at_the_gate: dict[str, Any], survives: Any
) -> None:
    for waiting in at_the_gate.values():
        survives(waiting, changed(change))
