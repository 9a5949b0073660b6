"""What the ledger calls the steps of an operation."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

PLAN: Final = "plan"

_RESEARCH = "research:"
_FIRST_ROUND = f"{_RESEARCH}0:"
_CHECK = "check:"
_DRAFT = "draft:"
_OPEN = "open:"
_QUESTION = "question:"
_OWN_TEXT = "own-text:"


def findings_step(number: int, subtopic: int) -> str:
    """Return the step that finds claims for a subtopic (from 0) in a round (from 0)."""
    return f"{_RESEARCH}{number}:{subtopic}"


def may_look_up(step: str) -> bool:
    """Return whether a step searches sources, to find claims or because a reviewer wants more."""
    return step.startswith((_RESEARCH, _DRAFT))


def check_step(number: int) -> str:
    """Return the step that judges the findings up to a round (from 0)."""
    return f"{_CHECK}{number}"


def draft_step(version: int) -> str:
    """Return the step that writes a version (from 1)."""
    return f"{_DRAFT}{version}"


def opening_step(version: int) -> str:
    """Return the step that offers a version (from 1) for approval."""
    return f"{_OPEN}{version}"


def question_step(question_id: str) -> str:
    """Return the step that answers a question."""
    return f"{_QUESTION}{question_id}"


def own_text_step(version: int) -> str:
    """Return the step that checks what a reviewer would have instead of a version (from 1)."""
    return f"{_OWN_TEXT}{version}"


def is_advice(step: str) -> bool:
    """Return whether a step advises a reviewer: it answers a question, or checks their text."""
    return step.startswith((_QUESTION, _OWN_TEXT))


def researched(steps: Iterable[str]) -> int:
    """Return how many subtopics have findings: every one is researched in the first round."""
    return sum(step.startswith(_FIRST_ROUND) for step in steps)


def subtopic_of(step: str, subtopics: Sequence[str]) -> str | None:
    """Return the subtopic that a step researches, None if it is no step of research."""
    kind, _, rest = step.partition(":")
    _, _, number = rest.partition(":")
    if kind != "research" or not number.isdigit() or int(number) >= len(subtopics):
        return None
    return subtopics[int(number)]


def last_check(steps: Iterable[str]) -> str | None:
    """Return the newest check among these steps, None if there is none."""
    checks = [int(step[len(_CHECK) :]) for step in steps if step.startswith(_CHECK)]
    return check_step(max(checks)) if checks else None
