"""The real app, with all that its orchestrators and entities exchange with the host written down.

A turn's history holds every result, failure and event that came in, and its actions every input,
timer and output that goes out. What an entity is given holds its state and what it is asked, and
what it answers its next state and its results. With LOUD_FAULT set, the first report that is
written fails with a megabyte to say.
"""

from __future__ import annotations

import functools
import importlib.util
import json
import os
from collections.abc import Callable
from inspect import iscoroutinefunction
from pathlib import Path
from threading import Lock
from typing import Any

from countersign.destinations.report_folder import ReportFolder

ROOT = Path(__file__).parent.parent.parent.parent
TURNS = Path(os.environ["MEASURED_TURNS"])
LOUD = "AccountKey=c2VjcmV0 " * 50_000

_one_at_a_time = Lock()


def note(turn: dict[str, Any]) -> None:
    with _one_at_a_time, TURNS.open("a", encoding="utf-8") as out:
        out.write(f"{json.dumps(turn)}\n")


def measured(function: Callable[[Any], Any], of: str) -> Callable[..., Any]:
    """Write down what an orchestrator or an entity is given in each turn, and what it answers."""

    def noted(context: Any, answer: str) -> str:
        note({"of": of, "given": json.loads(context.body), "answered": json.loads(answer)})
        return answer

    @functools.wraps(function)
    def turn(context: Any) -> str:
        return noted(context, function(context))

    @functools.wraps(function)
    async def turn_on_the_loop(context: Any) -> str:
        return noted(context, await function(context))

    return turn_on_the_loop if iscoroutinefunction(function) else turn


def loud(write: Callable[..., Any]) -> Callable[..., Any]:
    """Fail once, with a long message and a cause that has another."""
    left = [True]

    async def call(*args: Any, **kwargs: Any) -> Any:
        if left:
            left.clear()
            raise RuntimeError(LOUD) from ValueError(LOUD)
        return await write(*args, **kwargs)

    return call


if os.environ.get("LOUD_FAULT"):
    ReportFolder.write = loud(ReportFolder.write)

spec = importlib.util.spec_from_file_location("real_function_app", ROOT / "function_app.py")
assert spec
assert spec.loader
real_app = importlib.util.module_from_spec(spec)
spec.loader.exec_module(real_app)
app = real_app.app

for builder in app._function_builders:
    function = builder._function
    trigger = function.get_trigger().type
    if trigger in {"orchestrationTrigger", "entityTrigger"}:
        function._func = measured(function._func, trigger.removesuffix("Trigger"))
