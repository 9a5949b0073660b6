"""Finding the functions of an app. Runs in the worker process."""

from __future__ import annotations

import importlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from inspect import iscoroutinefunction, signature
from typing import Any

from azure.functions import FunctionRegister

_TRIGGER = "Trigger"


@dataclass(frozen=True, kw_only=True, slots=True)
class Indexed:
    """One function with what it takes to call it.

    Attributes:
        run: What the app's author wrote, as the decorators left it.
        trigger: The trigger's settings, as in a function.json.
        inputs: The types of the other input bindings, by parameter.
        returns: The type of the binding of its return value, if it has one.
        wants_context: Whether it has a parameter for the invocation's context.
        asynchronous: Whether it is a coroutine function.
    """

    name: str
    run: Any
    trigger: Mapping[str, Any]
    inputs: Mapping[str, str]
    returns: str | None
    wants_context: bool
    asynchronous: bool


def index(module: str = "function_app") -> list[Indexed]:
    """Import the app and return its functions.

    Raises:
        ValueError: The module hasn't exactly one function app.
        Exception: Whatever the app raises while it is imported.
    """
    apps = {
        id(value): value
        for value in vars(importlib.import_module(module)).values()
        if isinstance(value, FunctionRegister)
    }
    if len(apps) != 1:
        raise ValueError(f"{module} must have exactly one function app, and has {len(apps)}")
    (app,) = apps.values()
    return [_indexed(function) for function in app.get_functions()]


def _indexed(function: Any) -> Indexed:
    bindings = [json.loads(text) for text in function.get_raw_bindings()]
    trigger = next(b for b in bindings if b["type"].endswith(_TRIGGER))
    others = [b for b in bindings if b is not trigger]
    run = function.get_user_function()
    names = {binding["name"] for binding in bindings}
    return Indexed(
        name=function.get_function_name(),
        run=run,
        trigger=trigger,
        inputs={b["name"]: b["type"] for b in others if b["name"] != "$return"},
        returns=next((b["type"] for b in others if b["name"] == "$return"), None),
        wants_context="context" in signature(run).parameters and "context" not in names,
        asynchronous=iscoroutinefunction(run),
    )
