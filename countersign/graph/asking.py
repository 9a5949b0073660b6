"""Decisions taken at the terminal that runs the graph: who decides is in a token, never typed."""

from __future__ import annotations

import asyncio
import getpass
from typing import TYPE_CHECKING, get_args

from pydantic import ValidationError

from countersign.approvals.events import Decision
from countersign.bodies import DecisionBody
from countersign.graph.engine import Rest
from countersign.identity.errors import Unauthenticated
from countersign.operations import Changed
from countersign.refusals import explain, malformed

if TYPE_CHECKING:
    from countersign.graph.desk import Desk

LEAVE = "leave"


async def ask_until_settled(desk: Desk, rest: Rest) -> Rest:
    """Put each question to whoever sits here until the operation has ended or they leave it.

    What they type is a decision, a comment and a token; the rules say whether it counts, and a
    refusal is told and the question put again.
    """
    while rest.question is not None:
        await desk.show(rest, as_json=False, whole=True)
        choice = await _typed(f"Decide ({', '.join(get_args(Decision))}, {LEAVE}): ")
        if choice in {LEAVE, ""}:
            return rest
        if await _decide(desk, rest, choice):
            rest = await desk.engine.resume(rest.operation.tenant, rest.operation.id)
    return rest


async def _decide(desk: Desk, rest: Rest, choice: str) -> bool:
    question = rest.question or {}
    comment = await _typed("Comment: ")
    try:
        body = DecisionBody.model_validate(
            {"decision": choice, "digest": question["digest"], "comment": comment}
        )
        person = await desk.person(await asyncio.to_thread(_token))
    except ValidationError as error:
        desk.say(explain(malformed(error)).detail)
        return False
    except Unauthenticated as error:
        desk.say(f"{error}.")
        return False
    decided = await desk.engine.decide(person, rest.operation.id, question["version"], body)
    if not isinstance(decided, Changed):
        desk.say(explain(decided).detail)
        return False
    return True


async def _typed(prompt: str) -> str:
    try:
        return (await asyncio.to_thread(input, prompt)).strip()
    except EOFError:
        return ""


def _token() -> str:
    return getpass.getpass("Token of the person who decides: ")
