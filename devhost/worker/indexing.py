"""Finding the functions of an app. Runs in the worker process."""

from __future__ import annotations

import contextlib
import importlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from inspect import iscoroutinefunction, signature
from typing import Any

from azure.functions import FunctionRegister

from devhost.worker.annotations import is_plain, resolved


@dataclass(frozen=True, kw_only=True, slots=True)
class Indexed:
    """One function with what it takes to call it.

    Attributes:
        run: What the app's author wrote, as the decorators left it.
        trigger: The trigger's settings, as in a function.json.
        bindings: All bindings likewise, the trigger among them.
        inputs: The types of the other input bindings, by parameter.
        returns: The type of the binding of its return value, if it has one.
        plain: Whether the trigger's parameter takes what the trigger brings as it comes.
        wants_context: Whether it has a parameter for the invocation's context.
        asynchronous: Whether it is a coroutine function.
        retry: Its retry policy, if it has one.
    """

    name: str
    run: Any
    trigger: Mapping[str, Any]
    bindings: Sequence[Mapping[str, Any]]
    inputs: Mapping[str, str]
    returns: str | None
    plain: bool
    wants_context: bool
    asynchronous: bool
    retry: Mapping[str, Any] | None


def index(module: str = "function_app") -> list[Indexed]:
    """Import the app and return its functions.

    Raises:
        ValueError: The module doesn't have one name for one function app, or two functions have
            one name.
        Exception: Whatever the app raises while it is imported.
    """
    content = importlib.import_module(module)
    # What the module says that it has counts, as for the worker, and an app with two names as two.
    named = [getattr(content, name, None) for name in content.__dir__()]
    apps = [value for value in named if isinstance(value, FunctionRegister)]
    if not apps:
        raise ValueError(f"Could not find top level function app instances in {module}.py.")
    if len(apps) > 1:
        raise ValueError(
            f"More than one {type(apps[0]).__name__} or other top level function app instances"
            " are defined."
        )
    return [_indexed(function) for function in apps[0].get_functions()]


def _indexed(function: Any) -> Indexed:
    bindings = [json.loads(text) for text in function.get_raw_bindings()]
    trigger = next(b for b in bindings if b["name"] == function.get_trigger().name)
    others = [b for b in bindings if b is not trigger]
    run = function.get_user_function()
    names = {binding["name"] for binding in bindings}
    return Indexed(
        name=function.get_function_name(),
        run=run,
        trigger=trigger,
        bindings=bindings,
        inputs={b["name"]: b["type"] for b in others if b["name"] != "$return"},
        returns=next((b["type"] for b in others if b["name"] == "$return"), None),
        plain=is_plain(trigger["type"], _annotation(run, trigger["name"])),
        wants_context="context" in signature(run).parameters and "context" not in names,
        asynchronous=iscoroutinefunction(run),
        retry=function.get_settings_dict("retry_policy"),
    )


def _annotation(run: Any, parameter: str) -> Any:
    # A function whose annotations can't be resolved is refused later on, with the reason.
    with contextlib.suppress(Exception):
        return resolved(run).get(parameter)
