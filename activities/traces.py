"""One span for each run of an activity, in the trace of the request that led to it."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any, TypeAlias

from typing_extensions import ParamSpec

from countersign.operations.endings import Answer
from countersign.platform.telemetry import span

P = ParamSpec("P")
Activity: TypeAlias = Callable[P, Coroutine[Any, Any, Answer]]


def traced(activity: Activity[P]) -> Activity[P]:
    """Open a span around an activity, with what its order says and how it came out.

    The order's `trace` stands for the request where the platform has no trace of its own. It comes
    through the orchestration's input, so all activities belong to one trace, on whatever day and in
    whatever process they run.
    """

    @wraps(activity)
    async def seen(*args: P.args, **kwargs: P.kwargs) -> Answer:
        order: Any = next(iter((*args, *kwargs.values())))
        with span(
            activity.__name__,
            operation_id=order["operation_id"],
            caller=order.get("trace"),
            version=order.get("version"),
            round=order.get("round"),
            subtopic=order.get("subtopic"),
        ) as current:
            answer = await activity(*args, **kwargs)
            if outcome := _outcome(answer):
                current.set_attribute("countersign.outcome", outcome)
            return answer

    return seen


def _outcome(answer: Answer) -> str | None:
    if answer.get("held"):
        return "needs_operator"
    return answer.get("ends_as") or answer.get("next") or answer.get("outcome")
