"""What the Python worker of Azure Functions refuses to load: its rules about function signatures.

One function that the worker refuses leaves the whole app without functions. The rules and their
words are those of `Registry.add_indexed_function` in worker 4.34, which runs Python 3.10 to 3.12,
and in its successor from 3.13 on, the package `azure-functions-runtime`.
"""

from __future__ import annotations

import sys
import time
import typing
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from inspect import signature
from types import GenericAlias
from typing import Any

from azure.functions import get_binding_registry

from devhost.indexing import Indexed

Version = tuple[int, int]
VERSIONS: tuple[Version, ...] = ((3, 10), (3, 11), (3, 12), (3, 13))
"""The versions of Python that the worker runs on."""

_THIS: Version = sys.version_info[:2]
# Before it, `isinstance` took `dict[str, int]` for a class and `typing.Any` for none.
_CLASSES_ARE_CLASSES: Version = (3, 11)
# Before it, a retry policy with growing delays had to have both of its spans.
_SPANS_OPTIONAL: Version = (3, 13)
# Before it, the worker always asked its extensions about an annotation, which want its origin to be
# a class: that of `typing.Literal["a"]` is none.
_ANY_ORIGIN: Version = (3, 13)
# The types of `typing.List[int]` and `typing.List`; `list[int]` is no alias of `typing`.
_ALIASES = (type(typing.List[int]), type(typing.List))  # noqa: UP006 - they are what is meant
_SPECIAL = (typing.Union, tuple, typing.ClassVar, Callable)


@dataclass(frozen=True, slots=True)
class Fault:
    """Why the worker refuses a function, and with it the app."""

    function: str
    reason: str

    def __str__(self) -> str:
        return f"cannot load the {self.function} function: {self.reason}"


class _Refused(Exception):
    """The worker refuses the function."""


def check(functions: Iterable[Indexed], python: Version = _THIS) -> list[Fault]:
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
        if python != _THIS:
            for fault in check(functions, python):
                versions.setdefault(fault, []).append("{}.{}".format(*python))
    return [f"on Python {', '.join(where)}: {fault}" for fault, where in versions.items()]


def _judge(function: Indexed, python: Version) -> None:
    hints = _hints(function.run, python)
    taken = set(signature(function.run).parameters)
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


def _hints(run: Any, python: Version) -> dict[str, Any]:
    hints = typing.get_type_hints(run)
    if python < _CLASSES_ARE_CLASSES <= _THIS:
        # Then `typing` read `x: str = None` as an Optional[str]; it didn't look behind a wrapper.
        for name, parameter in signature(run, follow_wrapped=False).parameters.items():
            if parameter.default is None and name in hints:
                hints[name] = hints[name] | None
    return hints


def _judge_context(hints: Mapping[str, Any], python: Version) -> None:
    if "context" in hints:
        hint = hints["context"]
        if not _is_class(hint, python) or hint.__name__ != "Context":
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
    name, out = binding["name"], _is_out(hint)
    carried = _carried(name, hint) if out else hint
    if not _is_class(carried, python) and not _is_generic(carried, python):
        raise _Refused(f"binding {name} has invalid non-type annotation {hint!r}")
    if out != (binding["direction"] == "OUT"):
        what, is_not = ("in", "is") if out else ("out", "is not")
        raise _Refused(
            f'binding {name} is declared to have the "{what}" direction, but its annotation in'
            f" Python {is_not} azure.functions.Out"
        )
    if not _is_deferred(hint) and not _fits(binding["type"], carried, out=out):
        raise _Refused(
            f'the type "{binding["type"]}" of binding {name} does not match the function'
            f" parameter's Python type annotation {carried.__name__}"
        )


def _carried(name: str, hint: Any) -> Any:
    arguments = typing.get_args(hint)
    if len(arguments) != 1:
        raise _Refused(f"binding {name} has invalid Out annotation {hint!r}")
    return arguments[0]


def _judge_return(kind: str, hint: Any, python: Version) -> None:
    if not _is_class(hint, python):
        raise _Refused(f"has invalid non-type return annotation {hint!r}")
    if not _converter(kind).check_output_type_annotation(hint):
        raise _Refused(
            f'Python return annotation "{hint.__name__}" does not match binding type "{kind}"'
        )


def _judge_retry(policy: Mapping[str, Any], python: Version) -> None:
    int(policy["max_retry_count"])
    fixed = policy["strategy"] == "fixed_delay"
    for name in ("delay_interval",) if fixed else ("minimum_interval", "maximum_interval"):
        if fixed or name in policy or python < _SPANS_OPTIONAL:
            time.strptime(policy[name], "%H:%M:%S")


def _fits(kind: str, carried: Any, *, out: bool) -> bool:
    plain = carried in (str, bytes) and not _has_implicit_output(kind)
    converter = _Generic if plain else _converter(kind)
    if out:
        return converter.check_output_type_annotation(carried)
    return converter.check_input_type_annotation(carried)


def _is_class(hint: Any, python: Version) -> bool:
    if isinstance(hint, GenericAlias):
        return python < _CLASSES_ARE_CLASSES
    if hint is Any:
        return python >= _CLASSES_ARE_CLASSES
    return isinstance(hint, type)


def _is_generic(hint: Any, python: Version) -> bool:
    if not isinstance(hint, _ALIASES) or typing.get_origin(hint) in _SPECIAL:
        return False
    return isinstance(typing.get_origin(hint), type) or python >= _ANY_ORIGIN


def _is_out(hint: Any) -> bool:
    shape = typing.get_origin(hint) or hint
    return isinstance(shape, type) and shape.__name__ == "Out"


def _is_deferred(hint: Any) -> bool:
    """Tell whether an extension of the worker, which the app has imported, makes such objects."""
    extensions = sys.modules.get("azurefunctions.extensions.base")
    return bool(extensions and extensions.get_binding_registry().check_supported_type(hint))


class _Generic:
    """What the worker takes for the converter of a binding that the SDK has none for."""

    @staticmethod
    def check_input_type_annotation(hint: Any) -> bool:
        return issubclass(hint, (str, bytes))

    @staticmethod
    def check_output_type_annotation(hint: Any) -> bool:
        return issubclass(hint, (str, bytes, bytearray))

    @staticmethod
    def has_implicit_output() -> bool:
        return True


def _converter(kind: str) -> Any:
    return get_binding_registry().get(kind) or _Generic


def _has_implicit_output(kind: str) -> bool:
    implicit = getattr(_converter(kind), "has_implicit_output", None)
    return implicit is not None and implicit()
