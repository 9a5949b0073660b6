"""What the Python worker of Azure Functions refuses to load: its rules about function signatures.

One function that the worker refuses leaves the whole app without functions. The rules and their
words are those of `Registry.add_indexed_function` in worker 4.34, which runs Python 3.10 to 3.12,
and in its successor from 3.13 on, the package `azure-functions-runtime`.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from inspect import getfile, signature
from types import GenericAlias
from typing import Any, get_args

from devhost.worker.annotations import (
    THIS,
    Version,
    fits,
    fits_out,
    fits_return,
    is_class,
    is_generic,
    is_out,
    resolved,
)
from devhost.worker.indexing import Indexed

VERSIONS: tuple[Version, ...] = ((3, 10), (3, 11), (3, 12), (3, 13))
"""The versions of Python that the worker runs on."""

# Before it, a retry policy with growing delays had to have both of its spans.
_SPANS_OPTIONAL: Version = (3, 13)


@dataclass(frozen=True, slots=True)
class Fault:
    """Why the worker refuses a function, and with it the app."""

    function: str
    reason: str

    def __str__(self) -> str:
        return f"cannot load the {self.function} function: {self.reason}"


class _Refused(Exception):
    """The worker refuses the function."""


def check(functions: Iterable[Indexed], python: Version = THIS) -> list[Fault]:
    """Return what the worker refuses, at most one fault of a function; empty if it loads the app.

    Args:
        functions: The functions of the app.
        python: The version of Python that the worker runs on.
    """
    faults = []
    for function in functions:
        try:
            _judge(function, python)
        except _Refused as refused:
            faults.append(Fault(function.name, str(refused)))
        except Exception as error:  # noqa: BLE001 - an annotation can be anything
            # As there, what goes wrong while a function is judged refuses it.
            faults.append(Fault(function.name, f"{type(error).__name__}: {error}"))
    return faults


def refused_elsewhere(functions: Iterable[Indexed]) -> list[str]:
    """Return, as sentences, what the worker refuses on other versions of Python than this one."""
    functions = list(functions)
    versions: dict[Fault, list[str]] = {}
    for python in VERSIONS:
        if python != THIS:
            for fault in check(functions, python):
                versions.setdefault(fault, []).append("{}.{}".format(*python))
    return [f"on Python {', '.join(where)}: {fault}" for fault, where in versions.items()]


def _judge(function: Indexed, python: Version) -> None:
    hints = resolved(function.run, python)
    taken = set(signature(function.run).parameters)
    # The worker wants to know the file, which what only acts like a function doesn't tell.
    getfile(function.run)
    bound = {b["name"]: b for b in function.bindings if b["name"] != "$return"}
    returned = [b for b in function.bindings if b["name"] == "$return"]
    if any(binding["direction"] != "OUT" for binding in returned):
        raise _Refused('"$return" binding must have direction set to "out"')
    if function.wants_context:
        taken.remove("context")
        _judge_context(hints, python)
    _judge_names(taken, set(bound))
    for name in filter(hints.__contains__, signature(function.run).parameters):
        if name in bound:
            _judge_parameter(bound[name], hints[name], python)
    if returned and "return" in hints:
        _judge_return(returned[0]["type"], hints["return"], python)
    if function.retry:
        _judge_retry(function.retry, python)


def _judge_context(hints: Mapping[str, Any], python: Version) -> None:
    if "context" in hints:
        hint = hints["context"]
        if not is_class(hint, python) or hint.__name__ != "Context":
            raise _Refused(
                'the "context" parameter is expected to be of type azure.functions.Context,'
                f' got "{hint!r}"'
            )


def _judge_names(taken: set[str], bound: set[str]) -> None:
    if extra := taken - bound:
        raise _Refused(
            "the following parameters are declared in Python but not in the function definition"
            f" (function.json or function decorators): {_set_of(extra)}"
        )
    if missing := bound - taken:
        raise _Refused(
            "the following parameters are declared as bindings but are not present in Python:"
            f" {_set_of(missing)}"
        )


def _set_of(names: set[str]) -> str:
    return f"{{{', '.join(map(repr, sorted(names)))}}}"


def _judge_parameter(binding: Mapping[str, Any], hint: Any, python: Version) -> None:
    name, out = binding["name"], is_out(hint)
    carried = _carried(name, hint) if out else hint
    if not is_class(carried, python) and not is_generic(carried, python):
        raise _Refused(f"binding {name} has invalid non-type annotation {hint!r}")
    if out != (binding["direction"] == "OUT"):
        what, is_not = ("in", "is") if out else ("out", "is not")
        raise _Refused(
            f'binding {name} is declared to have the "{what}" direction, but its annotation in'
            f" Python {is_not} azure.functions.Out"
        )
    if not (fits_out if out else fits)(binding["type"], carried):
        raise _Refused(
            f'the type "{binding["type"]}" of binding {name} does not match the function'
            f" parameter's Python type annotation {carried.__name__}"
        )


def _carried(name: str, hint: Any) -> Any:
    # Of a class that takes arguments by itself, 3.10 has it that it is an Out, but not of what.
    arguments = () if isinstance(hint, GenericAlias) else get_args(hint)
    if len(arguments) != 1:
        raise _Refused(f"binding {name} has invalid Out annotation {hint!r}")
    return arguments[0]


def _judge_return(kind: str, hint: Any, python: Version) -> None:
    if not is_class(hint, python):
        raise _Refused(f"has invalid non-type return annotation {hint!r}")
    if not fits_return(kind, hint):
        raise _Refused(
            f'Python return annotation "{hint.__name__}" does not match binding type "{kind}"'
        )


def _judge_retry(policy: Mapping[str, Any], python: Version) -> None:
    int(policy["max_retry_count"])
    fixed = policy["strategy"] == "fixed_delay"
    for name in ("delay_interval",) if fixed else ("minimum_interval", "maximum_interval"):
        if fixed or policy.get(name) or python < _SPANS_OPTIONAL:
            time.strptime(policy[name], "%H:%M:%S")
