"""Route templates of ASP.NET, as HTTP triggers use them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from urllib.parse import unquote

_PARAMETER = re.compile(r"\{(\*{0,2})(\w+)((?::[^{}?=]+)*)(\?)?(?:=([^{}]*))?\}")
_CONSTRAINTS = {
    "int": r"-?\d+",
    "long": r"-?\d+",
    "bool": r"(?i:true|false)",
    "alpha": r"[A-Za-z]+",
    "guid": r"[0-9A-Fa-f]{8}-?(?:[0-9A-Fa-f]{4}-?){3}[0-9A-Fa-f]{12}",
    "decimal": r"-?\d+(?:\.\d+)?",
    "double": r"-?\d+(?:\.\d+)?",
    "float": r"-?\d+(?:\.\d+)?",
}
_LITERAL, _CONSTRAINED, _PLAIN, _REST = range(4)


@dataclass(frozen=True, slots=True)
class Template:
    """A route such as `orders/{id:int}/{part?}` or `files/{*path}`.

    Attributes:
        text: The route, without a slash at either end.
        pattern: What matches a path, likewise without.
        defaults: Values of parameters that a path leaves out.
        weight: Sorts the more specific route first, as ASP.NET prefers it.
    """

    text: str
    pattern: re.Pattern[str]
    defaults: dict[str, str] = field(default_factory=dict)
    weight: tuple[int, ...] = ()

    def match(self, path: str) -> dict[str, str] | None:
        """Return the parameters in `path`, still percent-encoded, decoded; None if it differs."""
        found = self.pattern.fullmatch(path.strip("/"))
        if found is None:
            return None
        given = {name: unquote(value) for name, value in found.groupdict().items() if value}
        return {**self.defaults, **given}


def template(text: str) -> Template:
    """Read a route template.

    Raises:
        ValueError: A constraint is unknown.
    """
    text = text.strip("/")
    pattern, weight, defaults = "", [], {}
    for number, segment in enumerate(filter(None, text.split("/"))):
        part, kind = _segment(segment, defaults)
        slash = "/" if number else ""
        whole = _PARAMETER.fullmatch(segment)
        optional = whole and (whole[4] or whole[1] or whole[5] is not None)
        pattern += f"(?:{slash}{part})?" if optional else slash + part
        weight.append(kind)
    return Template(text, re.compile(pattern, re.IGNORECASE), defaults, tuple(weight))


def _segment(segment: str, defaults: dict[str, str]) -> tuple[str, int]:
    pattern, kind, end = "", _LITERAL, 0
    for parameter in _PARAMETER.finditer(segment):
        rest, name, constraints, _, default = parameter.groups()
        value = _value(rest, constraints)
        pattern += re.escape(segment[end : parameter.start()]) + f"(?P<{name}>{value})"
        kind = max(kind, _REST if rest else _CONSTRAINED if constraints else _PLAIN)
        if default is not None:
            defaults[name] = default
        end = parameter.end()
    return pattern + re.escape(segment[end:]), kind


def _value(rest: str, constraints: str) -> str:
    if rest:
        return ".*"
    value = "[^/]+"
    for constraint in filter(None, constraints.split(":")):
        value = f"(?={_constraint(constraint)}(?:/|$)){value}"
    return value


def _constraint(text: str) -> str:
    name, _, argument = text.partition("(")
    argument = argument.removesuffix(")")
    if name in _CONSTRAINTS:
        return _CONSTRAINTS[name]
    if name == "length":
        return f"[^/]{{{argument.replace(' ', '')}}}"
    if name == "minlength":
        return f"[^/]{{{argument},}}"
    if name == "maxlength":
        return f"[^/]{{1,{argument}}}"
    if name == "regex":
        return _anywhere(argument)
    raise ValueError(f"the route constraint {text!r} is not supported")


def _anywhere(expression: str) -> str:
    # ASP.NET looks for the expression within the value; only anchors tie it to an end.
    before = "" if expression.startswith("^") else "[^/]*"
    after = "" if expression.endswith("$") else "[^/]*"
    return f"{before}(?:{expression.removeprefix('^').removesuffix('$')}){after}"
