"""What the Functions host finds wrong with single functions: they don't run, and the others do.

The rules and their words are those of host 4.1037 (`Utility.ValidateName` and `ValidateBinding`,
`WorkerFunctionMetadataProvider.ValidateBindings`, `ScriptHost.ValidateFunction`) and of the timer
trigger (`TimerSchedule.Create`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from devhost.config.settings import Settings
from devhost.errors import UsageError
from devhost.functions.catalogue import Function
from devhost.functions.retry_policy import retry_policy
from devhost.functions.templates import template
from devhost.time.schedule import Schedule

_FUNCTION_NAME = re.compile(r"(?!host$)[a-z][a-z0-9_-]{0,127}", re.ASCII | re.IGNORECASE)
# Underscores are allowed since host 4.1038, but not two beside one another.
_BINDING_NAME = re.compile(r"(?!.*__)[a-z_][a-z0-9_]{0,127}|\$return", re.ASCII | re.IGNORECASE)
_RESERVED = ("admin", "runtime")


def function_errors(functions: Iterable[Function], settings: Settings) -> dict[str, str]:
    """Return what is wrong with functions, by their names."""
    errors: dict[str, str] = {}
    mapped: list[Function] = []
    # In this order: of two with one route, the first one has it.
    for function in sorted(functions, key=lambda function: function.name.upper()):
        if error := next(_errors(function, mapped, settings), None):
            errors[function.name] = error
        elif function.kind == "httpTrigger":
            mapped.append(function)
    return errors


def _errors(function: Function, mapped: list[Function], settings: Settings) -> Iterator[str]:
    if not _FUNCTION_NAME.fullmatch(function.name):
        yield f"'{function.name}' is not a valid function name."
    yield from _retry_errors(function)
    yield from _binding_errors(function.bindings)
    if function.kind == "httpTrigger":
        yield from _route_errors(function, mapped, settings)
    if function.kind == "timerTrigger":
        yield from _schedule_errors(function, settings)


def _retry_errors(function: Function) -> Iterator[str]:
    try:
        retry_policy(function.retry)
    except ValueError as error:
        yield f"{error}."


def _binding_errors(bindings: Iterable[Mapping[str, object]]) -> Iterator[str]:
    names: set[str] = set()
    for name in (str(binding["name"]) for binding in bindings):
        if not _BINDING_NAME.fullmatch(name):
            yield f"The binding name {name} is invalid. Please assign a valid name to the binding."
        if name.lower() in names:
            yield (
                f"Multiple bindings with name '{name}' discovered. Binding names must be unique."
            )
        names.add(name.lower())


def _route_errors(
    function: Function, mapped: Iterable[Function], settings: Settings
) -> Iterator[str]:
    if _route(function).startswith(_RESERVED):
        yield "The specified route conflicts with one or more built in routes."
    for other in mapped:
        if _route(function) == _route(other) and _methods_meet(function, other):
            yield (
                f"The route specified conflicts with the route defined by function '{other.name}'."
            )
    try:
        template(f"{settings.prefix}/{function.trigger.get('route') or function.name}")
    except ValueError as error:
        yield f"{error}."


def _route(function: Function) -> str:
    route = str(function.trigger.get("route") or "")
    return (route if route.strip() else function.name).strip("/").lower()


def _methods_meet(one: Function, other: Function) -> bool:
    methods = [set(function.trigger.get("methods") or ()) for function in (one, other)]
    # Without any it takes all.
    return not all(methods) or not methods[0].isdisjoint(methods[1])


def _schedule_errors(function: Function, settings: Settings) -> Iterator[str]:
    try:
        expression = settings.expand(function.schedule)
    except UsageError as error:
        yield str(error)
        return
    try:
        # This refuses what would never fire, too: there such a function waits until the year 9999.
        Schedule(expression)
    except ValueError as error:
        yield (
            f"The schedule expression '{expression}' was not recognized as a valid cron expression"
            f" or timespan string. ({error})"
        )
