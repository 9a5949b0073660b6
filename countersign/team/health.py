"""Ask the model one question, to know before anybody waits for it whether it can do the work."""

from __future__ import annotations

from dataclasses import replace

from countersign.team.budget import TokenBudget
from countersign.team.calls import Calls
from countersign.team.chat import ModelChoice, TokenProvider
from countersign.team.errors import TeamError
from countersign.team.models import Plan
from countersign.team.questions import question
from countersign.team.roles import PLANNER

PATIENCE_SECONDS = 60.0
"""How long to wait for the answer, however long a call of the work may take."""

_ASKED = question(
    {"topic": "Tea: growing and drinking it", "titles": ["Growing tea", "Drinking tea"]}
)
_LIMIT = 1_000_000


async def ask(
    choice: ModelChoice, token: TokenProvider | None = None, seconds: float = PATIENCE_SECONDS
) -> TeamError | None:
    """Ask for a small plan, as the work would, and return what is wrong, None if nothing is.

    It costs some hundred tokens of a model that is paid for, which no operation is charged with,
    and nothing of the embedded one. The error's message is a sentence without its full stop, fit
    for a person and free of keys; its `cause` is for programs. `NeedsOperator` is somebody's to put
    right, `ModelUnavailable` may pass, and `UnusableAnswer` says that this model can't do the work.

    Args:
        choice: The model, as `chat.choose` reads it.
        token: What a model on Azure is asked with if it has no key.
        seconds: How long to wait.
    """
    patient = replace(choice, request_seconds=min(seconds, choice.request_seconds), retries=0)
    calls = Calls(patient, TokenBudget(_LIMIT), token=token)
    try:
        await calls.answer(PLANNER, _ASKED, Plan)
    except TeamError as error:
        return error
    return None
