"""The guard bites: a change that would break a waiting approval is found, and told what to do."""

from __future__ import annotations

import importlib.util
import inspect
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import azure.durable_functions as df
import pytest

import orchestrators.gate
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
def changed(tmp_path: Path) -> Callable[[Change], dict[str, Any]]:
    """The orchestrators by name, after a change of their source."""

    def index(change: Change) -> dict[str, Any]:
        app = df.DFApp()
        for module in (orchestrators.gate, orchestrators.research):
            twin = rewritten(change, tmp_path) if module is change[0] else module
            app.register_functions(twin.blueprint)
        return {str(f.get_function_name()): f.get_user_function() for f in app.get_functions()}

    return index


def rewritten(change: Change, folder: Path) -> ModuleType:
    module, old, new = change
    source = inspect.getsource(module)
    assert source.count(old) == 1, f"{module.__name__} has no single {old!r} to change"
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
    """Where a person is waited for, as the operation's instance and as its gate."""
    found = {each.recording: each for each in all_waiting if is_at_the_gate(each)}
    return {"research": found["research-approved"], "gate": found["gate-waiting"]}


def is_at_the_gate(waiting: Any) -> bool:
    awaited = [each.get("Name", "a timer") for each in waiting.open()]
    return awaited == ["approval_gate"] or awaited == ["a timer"]


@pytest.mark.parametrize("change", BREAKS.values(), ids=list(BREAKS))
def test_what_would_break_a_pending_approval_is_found(
    change: Change, changed: Any, at_the_gate: dict[str, Any], survives: Any
) -> None:
    waiting = at_the_gate[change[0].__name__.rpartition(".")[2]]
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
