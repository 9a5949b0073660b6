"""Ask the model as one of the team, and take nothing but an answer in the agreed form."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from pydantic import BaseModel

from countersign.platform.threads import RESEARCH
from countersign.team.asking import ask
from countersign.team.calls import Calls, Request
from countersign.team.errors import AnswerCut, AnswerRefused, Filtered, UnusableAnswer
from countersign.team.reading import read, read_begun
from countersign.team.roles import Role

Form = TypeVar("Form", bound=BaseModel)

SECOND_CHANCES = 2
"""How often a model whose answer can't be used is told why, and asked once more."""

_AGAIN = (
    "\n\nAn answer to this could not be used: {why}. This is try {number}: answer with one JSON"
    " object in the agreed form."
)


def _accepted(_: BaseModel) -> None:
    pass


async def answer(
    calls: Calls,
    role: Role,
    question: str,
    form: type[Form],
    *,
    check: Callable[[Form], None] = _accepted,
    enough: Callable[[Form], bool] = bool,
) -> Form:
    """Put a question and return the answer.

    Args:
        calls: Makes the call.
        role: Who is asked.
        question: What is asked; each call is a conversation of its own.
        form: What the answer has to be.
        check: Raises UnusableAnswer for an answer in the form that can't be used all the same; runs
            on a thread of its own.
        enough: Whether an answer that was cut off is taken with what came of it, before the model
            is asked to say less. It is taken anyway if that doesn't help.

    Raises:
        TeamError: See `errors`.
    """
    asked = question
    for number in range(2, SECOND_CHANCES + 3):
        request = Request(
            role=role.name, prompt=role.prompt, question=asked, form=form.model_json_schema()
        )
        try:
            reply = await ask(calls, request, form)
            told = read(reply.text, form)
            await RESEARCH.run(check, told)
        except UnusableAnswer as error:
            last = number > 1 + SECOND_CHANCES
            begun = read_begun(error.begun, form) if isinstance(error, AnswerCut) else None
            if begun and (last or enough(begun)):
                return begun
            if last or isinstance(error, (AnswerRefused, Filtered)):
                raise
            asked = question + _AGAIN.format(why=error.advice, number=number)
        else:
            return told
    raise AssertionError
