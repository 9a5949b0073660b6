"""Decisions taken at the terminal that runs the graph: who decides is in a token, never typed."""

from __future__ import annotations

import getpass
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, get_args

from pydantic import ValidationError

from countersign.approvals.events import Decision
from countersign.graph.rest import Rest
from countersign.identity.errors import KeysUnavailable, Unauthenticated
from countersign.operations.refusals import explain, malformed
from countersign.operations.repository import Changed
from countersign.reports.report_bodies import ReportDecisionBody

if TYPE_CHECKING:
    from countersign.graph.desk import Desk

LEAVE = "leave"

PATIENCE = 5.0
"""Seconds to wait for another process that works on the operation."""


async def ask_until_settled(desk: Desk, rest: Rest) -> Rest:
    """Put each question to whoever sits here until the operation has ended or they leave it.

    What they type is a decision, a comment and a token; the rules say whether it counts, and a
    refusal is told and the question put again. The event loop stands still while they think.
    """
    while rest.question is not None:
        await desk.show(rest, whole=True)
        choice = _typed(input, f"Decide ({', '.join(get_args(Decision))}, {LEAVE}): ")
        if choice in {LEAVE, ""}:
            return rest
        await _decide(desk, rest, choice)
        # Also after a refusal: somebody else, or the deadline, may have settled it meanwhile.
        rest = await desk.resume(rest.operation.tenant, rest.operation.id, patience=PATIENCE)
    return rest


async def _decide(desk: Desk, rest: Rest, choice: str) -> None:
    question = rest.question or {}
    comment = _typed(input, "Comment: ")
    try:
        body = ReportDecisionBody.model_validate(
            {"decision": choice, "digest": question["digest"], "comment": comment}
        )
        person = await desk.person(_typed(getpass.getpass, "Token of the person who decides: "))
    except ValidationError as error:
        desk.say(explain(malformed(error)).detail)
        return
    except (Unauthenticated, KeysUnavailable) as error:
        desk.say(f"{error}.")
        return
    decided = await desk.decide(person, rest.operation.id, question["version"], body)
    if not isinstance(decided, Changed):
        desk.say(explain(decided).detail)


def _typed(read: Callable[[str], str], prompt: str) -> str:
    """Return the answer typed at a prompt; empty if there is no terminal."""
    try:
        with _interruptible():
            return read(prompt).strip()
    except EOFError:
        return ""


@contextmanager
def _interruptible() -> Iterator[None]:
    """Let Ctrl-C end the typing: the event loop's own handler would wait for Enter first."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
