"""What the constraints of a route allow, as in `{id:int:min(3)}`.

They are ASP.NET's: https://learn.microsoft.com/aspnet/core/fundamentals/routing#route-constraints
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime
from typing import TypeAlias

Constraint: TypeAlias = Callable[[str], bool]

_INTEGER = re.compile(r"\s*[+-]?\d+\s*", re.ASCII)
_MOST_DIGITS = 40
_NUMBER = re.compile(r"\s*[+-]?(?:[\d,]+(?:\.\d*)?|\.\d+)\s*", re.ASCII)
_REAL = re.compile(r"\s*[+-]?(?:[\d,]+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?\s*", re.ASCII | re.IGNORECASE)
_GUID = re.compile(
    r"\s*(?:\{[0-9a-f-]{36}\}|\([0-9a-f-]{36}\)|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
    r"|[0-9a-f]{32})\s*",
    re.IGNORECASE,
)
_DATES = ("%m/%d/%Y", "%m/%d/%Y %H:%M", "%m/%d/%Y %H:%M:%S", "%Y/%m/%d")


def constraint(text: str) -> Constraint:
    """Return the test that a constraint such as `range(1,5)` stands for.

    Raises:
        ValueError: There is none of that name, or with such arguments.
    """
    name, bracket, rest = text.partition("(")
    argument = rest.removesuffix(")")
    try:
        return _constraint(name.lower(), bracket != "", argument)
    except (KeyError, TypeError, ValueError, re.error) as error:
        raise ValueError(f"the route constraint {text!r} can't be read") from error


def _constraint(name: str, has_argument: bool, argument: str) -> Constraint:
    if not has_argument:
        return _PLAIN[name]
    if name == "regex":
        # Looked for anywhere in the value: only anchors tie it to an end.
        expression = re.compile(argument, re.IGNORECASE)
        return lambda value: expression.search(value) is not None
    return _COUNTED[name](*(int(each) for each in argument.split(",")))


def _integer(bits: int) -> Constraint:
    return lambda value: _is_between(value, -(2 ** (bits - 1)), 2 ** (bits - 1) - 1)


def _is_between(value: str, lowest: int, highest: int) -> bool:
    if len(value) > _MOST_DIGITS or not _INTEGER.fullmatch(value):
        return False
    return lowest <= int(value) <= highest


def _matches(pattern: re.Pattern[str]) -> Constraint:
    return lambda value: pattern.fullmatch(value) is not None


def _is_datetime(value: str) -> bool:
    # .NET takes many more ways of writing one, by the rules of English in America.
    try:
        datetime.fromisoformat(value.strip().removesuffix("Z"))
    except ValueError:
        return any(_has_form(value.strip(), form) for form in _DATES)
    return True


def _has_form(value: str, form: str) -> bool:
    try:
        datetime.strptime(value, form)  # noqa: DTZ007 - only whether it is one matters
    except ValueError:
        return False
    return True


_LONGEST = 2**63 - 1
_PLAIN: dict[str, Constraint] = {
    "int": _integer(32),
    "long": _integer(64),
    "bool": lambda value: value.strip().lower() in ("true", "false"),
    "alpha": _matches(re.compile(r"[a-z]*", re.IGNORECASE)),
    "guid": _matches(_GUID),
    "decimal": _matches(_NUMBER),
    "double": _matches(_REAL),
    "float": _matches(_REAL),
    "datetime": _is_datetime,
    "required": bool,
}


def _length(least: int, most: int | None = None) -> Constraint:
    return lambda value: least <= len(value) <= (least if most is None else most)


def _range(lowest: int, highest: int) -> Constraint:
    return lambda value: _is_between(value, lowest, highest)


_COUNTED: dict[str, Callable[..., Constraint]] = {
    "length": _length,
    "minlength": lambda least: _length(least, _LONGEST),
    "maxlength": lambda most: _length(0, most),
    "min": lambda least: _range(least, _LONGEST),
    "max": lambda most: _range(-_LONGEST - 1, most),
    "range": _range,
}
