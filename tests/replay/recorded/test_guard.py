"""The guard bites: a change that would break a waiting approval is found, and told what to do."""

from __future__ import annotations

import inspect
import shutil
import sys
from collections.abc import Callable
from itertools import chain
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import orchestrators.gate
import orchestrators.purchase
import orchestrators.questions
import orchestrators.research
import orchestrators.story

RENAMED = (
    orchestrators.story,
    "yield from insist(context, OPEN_PROPOSAL, proposal, Opened)",
    'yield from insist(context, "offer_proposal", proposal, Opened)',
)
INSERTED = (
    orchestrators.story,
    "    said = yield context.call_sub",
    '    yield from insist(context, "notify_reviewers", proposal)\n'
    "    said = yield context.call_sub",
)
LEFT_OUT = (
    orchestrators.research,
    "    made = yield from draft(VersionWork.of(work, version=1))\n",
    "    made = Made()\n",
)
NOTHING_PREPARED = (
    orchestrators.purchase,
    "    made = yield from perform(context, PREPARE_ORDER, work, Made)\n",
    "    made = Made()\n",
)
OTHER_GATE = (
    orchestrators.story,
    "gate_instance(proposal.operation_id, proposal.version)",
    'gate_instance(proposal.operation_id, proposal.version) + "-gate"',
)
SWAPPED_IN = (
    orchestrators.story,
    "context.call_sub_orchestrator_with_retry(\n        APPROVAL_GATE",
    'context.call_sub_orchestrator_with_retry(\n        "quorum_gate"',
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
    orchestrators.story,
    "gate_instance(proposal.operation_id",
    "gate_instance(proposal.approval.operation_id",
)
OTHER_RING = (orchestrators.gate, "(APPROVAL_DECISION)", '("Decided")')
OTHER_CONVERSATION = (
    orchestrators.questions,
    "key=asked.session",
    "key=asked.operation_id",
)
PAUSE_BEFORE = (
    orchestrators.questions,
    "        yield from ended(context",
    "        yield context.create_timer(context.current_utc_datetime + PAUSE)\n"
    "        yield from ended(context",
)
BREAKS = {
    "an activity is renamed": RENAMED,
    "an activity is inserted before the gate": INSERTED,
    "an activity is left out": LEFT_OUT,
    "an order is not prepared": NOTHING_PREPARED,
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
    orchestrators.story,
    "    said = yield context.call_sub",
    '    if context.version == "next":\n'
    '        yield from insist(context, "notify_reviewers", proposal)\n'
    "    said = yield context.call_sub",
)
PATIENT = (orchestrators.story, "max_number_of_attempts=30", "max_number_of_attempts=60")
Change = tuple[ModuleType, str, str]


@pytest.fixture
def changed(
    index: Callable[[], Any], indexed: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[[Change], dict[str, Any]]:
    """The orchestrators by name, after a change of their source, wherever that is used.

    The patch puts all of today's back, since `indexed` has imported them before.
    """

    def with_change(change: Change) -> dict[str, Any]:
        with monkeypatch.context() as patch:
            for name in [each for each in sys.modules if each.partition(".")[0] == "orchestrators"]:
                patch.delitem(sys.modules, name)
            patch.syspath_prepend(rewritten(change, tmp_path / noun(change)))
            return index()

    return with_change


def noun(change: Change) -> str:
    """The last part of the name of the module that is changed."""
    return change[0].__name__.rpartition(".")[2]


def rewritten(change: Change, folder: Path) -> Path:
    """Write the orchestrators to a folder, one of them changed; returns the folder."""
    module, old, new = change
    source = inspect.getsource(module)
    assert source.count(old) == 1, (
        f"This is an example of the guard's own, which changes {old!r} in {module.__name__}, and"
        " that is not there just once any more. Nothing that waits is at risk by this alone: let"
        " the example follow the code"
    )
    package = folder / "orchestrators"
    compiled = shutil.ignore_patterns("__pycache__")
    shutil.copytree(Path(inspect.getfile(module)).parent, package, ignore=compiled)
    (package / f"{noun(change)}.py").write_text(source.replace(old, new), "utf-8")
    return folder


@pytest.fixture
def survives(keeps_waiting: Any, goes_on: Any) -> Callable[..., None]:
    """Whether an instance waits on and comes to its end."""

    def both(waiting: Any, code: Any) -> None:
        keeps_waiting(waiting, code)
        goes_on(waiting, code)

    return both


@pytest.fixture
def at_the_gate(all_waiting: list[Any]) -> dict[str, list[Any]]:
    """By the module that is changed, who waits for a person or an agent and is concerned.

    A person is waited for by the operations' instances and by their gates.
    """
    awaited = (["approval_gate"], ["a timer"], ["dafx-factchecker"])
    found = {each.recording: each for each in all_waiting if each.awaits() in awaited}
    research, purchase = found["research-approved"], found["purchase-approved"]
    return {
        "story": [research, purchase],
        "research": [research],
        "purchase": [purchase],
        "gate": [found["gate-waiting"]],
        "questions": [found["question-answered"]],
    }


@pytest.mark.parametrize("change", BREAKS.values(), ids=list(BREAKS))
def test_what_would_break_a_pending_approval_is_found(
    change: Change, changed: Any, at_the_gate: dict[str, Any], survives: Any
) -> None:
    code = changed(change)
    for waiting in at_the_gate[noun(change)]:
        with pytest.raises(AssertionError, match=r"can't go on in today's code") as found:
            survives(waiting, code)
        words = ("context.version", "defaultVersion", "record.py", "0008")
        assert all(word in str(found.value) for word in words)


def test_the_message_says_what_was_expected_and_what_was_found(
    changed: Any, at_the_gate: dict[str, Any], keeps_waiting: Any
) -> None:
    [waiting] = at_the_gate["research"]
    with pytest.raises(AssertionError) as found:
        keeps_waiting(waiting, changed(RENAMED))
    told = str(found.value)
    assert "TaskScheduled open_proposal" in told
    assert "offer_proposal" in told


@pytest.mark.parametrize("change", [VERSIONED, PATIENT], ids=["by version", "in its patience"])
def test_what_breaks_nobody_is_let_through(
    change: Change, changed: Any, at_the_gate: dict[str, Any], survives: Any
) -> None:
    code = changed(change)
    for waiting in chain.from_iterable(at_the_gate.values()):
        survives(waiting, code)
