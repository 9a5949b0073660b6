"""Route templates of ASP.NET, as HTTP triggers use them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from devhost.functions.constraints import Constraint, constraint

# Between the braces: `*rest`, `id:int:min(3)`, `part?`, `part=of`. Round brackets end only before
# what may follow them, so that an expression can have brackets of its own.
_NAMED = r"[^:=?(]+(?:\(.*?\)(?=[:=]|\??\Z))?"
_PARAMETER = re.compile(
    rf"(?P<rest>\*{{0,2}})(?P<name>[^:=?*/]+)(?P<constraints>(?::{_NAMED})*)"
    r"(?P<optional>\?)?(?:=(?P<default>.*))?",
    re.DOTALL,
)
_CONSTRAINT = re.compile(f":({_NAMED})", re.DOTALL)
# Doubled braces stand for themselves.
_BRACED = re.compile(r"\{((?:[^{}]|\{\{|\}\})+)\}(?!\})")
_SEGMENT = re.compile(rf"(?:{_BRACED.pattern}|[^/])+")


@dataclass(frozen=True, kw_only=True, slots=True)
class _Parameter:
    name: str
    rest: bool
    optional: bool
    default: str | None
    constraints: tuple[Constraint, ...]

    def allows(self, value: str | None) -> bool:
        return value is None or all(fits(value) for fits in self.constraints)


@dataclass(frozen=True, slots=True)
class Template:
    """A route such as `orders/{id:int}/{part?}` or `files/{*path}`.

    Attributes:
        pattern: What matches a path; each group is one of the `parameters`.
    """

    pattern: re.Pattern[str]
    parameters: tuple[_Parameter, ...]

    def match(self, path: str) -> dict[str, str] | None:
        """Return the parameters in `path`, which is decoded; None if it doesn't fit."""
        found = self.pattern.fullmatch(path)
        if found is None:
            return None
        values: dict[str, str] = {}
        for parameter, given in zip(self.parameters, found.groups(), strict=True):
            value = given or parameter.default
            if not parameter.allows(value):
                return None
            if value is not None:
                values[parameter.name] = value
        return values


def template(text: str) -> Template:
    """Read a route template.

    Raises:
        ValueError: It can't be read, or a constraint is unknown.
    """
    text = text.removeprefix("/").removesuffix("/")
    if "//" in text:
        raise ValueError(f"the route {text!r} has two slashes in a row")
    parameters: list[_Parameter] = []
    segments = [_segment(found[0], parameters) for found in _SEGMENT.finditer(text)]
    names = {each.name.lower() for each in parameters}
    if len(names) != len(parameters):
        raise ValueError(f"the route {text!r} has two parameters of one name")
    pattern, may_end = "", True
    for segment, optional in reversed(segments):
        may_end = may_end and optional
        pattern = f"(?:{segment}{pattern})?" if may_end else segment + pattern
    # One slash at the end of a path says nothing.
    return Template(re.compile(f"{pattern}/?", re.IGNORECASE | re.DOTALL), tuple(parameters))


def _segment(segment: str, parameters: list[_Parameter]) -> tuple[str, bool]:
    """Return what matches a segment with the slash before it, and whether a path may end there."""
    pattern, end = "", 0
    for braced in _BRACED.finditer(segment):
        parameter = _parameter(braced[1])
        parameters.append(parameter)
        if braced[0] == segment:
            value = "(?!/)(.*)" if parameter.rest else "([^/]+)"
            may_lack = parameter.rest or parameter.optional or parameter.default is not None
            return f"/{value}", may_lack
        pattern += _literal(segment[end : braced.start()]) + "([^/]+)"
        end = braced.end()
    return f"/{pattern}{_literal(segment[end:])}", False


def _literal(text: str) -> str:
    if re.search(r"[{}]", text.replace("{{", "").replace("}}", "")):
        raise ValueError(f"the route has a brace without its other one in {text!r}")
    return re.escape(_unbraced(text))


def _parameter(braced: str) -> _Parameter:
    found = _PARAMETER.fullmatch(_unbraced(braced))
    if found is None:
        raise ValueError(f"the route parameter {braced!r} can't be read")
    return _Parameter(
        name=found["name"],
        rest=bool(found["rest"]),
        optional=bool(found["optional"]),
        default=found["default"],
        constraints=tuple(constraint(each) for each in _CONSTRAINT.findall(found["constraints"])),
    )


def _unbraced(text: str) -> str:
    return text.replace("{{", "{").replace("}}", "}")
