"""What host.json says, and the app settings that go before it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import timedelta
from typing import Any

from devhost.errors import UsageError
from devhost.time.time_span import FORM, time_span

_OVERRIDE = "azurefunctionsjobhost"


class HostJson:
    """The values of host.json by their paths, such as `extensions:http:routePrefix`.

    Names are found in any case. A setting `AzureFunctionsJobHost__extensions__http__routePrefix`
    goes before its namesake:
    https://learn.microsoft.com/azure/azure-functions/functions-host-json#override-hostjson-values

    Args:
        document: The file's content.
        settings: The app's settings.
    """

    def __init__(self, document: Mapping[str, Any], settings: Mapping[str, str]) -> None:
        self._values: dict[str, Any] = {}
        self._paths: dict[str, str] = {}
        self._asked: set[str] = set()
        for path, value in _leaves(document):
            self._put(path, value)
        for name, value in settings.items():
            prefix, _, path = name.partition("__")
            if prefix.lower() == _OVERRIDE and path:
                self._put(path.replace("__", ":"), value)

    def get(self, path: str) -> Any:
        """Return a value; None if there is none. One that comes from a setting is text."""
        self._asked.add(path.lower())
        return self._values.get(path.lower())

    def number(self, path: str, *, least: int = 0) -> int | None:
        """Return a whole number; None if there is none.

        Raises:
            UsageError: It is none, or smaller than `least`.
        """
        value = self.get(path)
        if value is None:
            return None
        try:
            number = int(str(value))
        except ValueError:
            number = least - 1
        if number < least:
            raise UsageError(f"{_name(path)} must be a whole number from {least} on, not {value!r}")
        return number

    def span(self, path: str) -> timedelta | None:
        """Return a time span; None if there is none.

        Raises:
            UsageError: It is none.
        """
        value = self.get(path)
        if value is None:
            return None
        try:
            span = time_span(str(value))
        except ValueError as error:
            raise UsageError(f"{_name(path)}: {error}") from error
        if span is None:
            raise UsageError(f"{_name(path)} must be {FORM}, not {value!r}")
        return span

    def section(self, path: str) -> dict[str, Any]:
        """Return the values of a section by their names; those of sections in it by their paths."""
        begin = f"{path.lower()}:"
        self._asked.add(begin)
        return {
            self._paths[key][len(begin) :]: value
            for key, value in self._values.items()
            if key.startswith(begin)
        }

    def unasked(self) -> list[str]:
        """Return what nobody has asked for: the paths of values, or of whole sections."""
        asked = tuple(path for path in self._asked if path.endswith(":"))
        left = [key for key in self._values if key not in self._asked and not key.startswith(asked)]
        return sorted({self._paths[key][: len(self._outermost(key))] for key in left})

    def _put(self, path: str, value: Any) -> None:
        self._values[path.lower()] = value
        self._paths[path.lower()] = path

    def _outermost(self, key: str) -> str:
        """Return the path of the largest section around a value of which nothing was asked for."""
        names = key.split(":")
        sections = (":".join(names[:count]) for count in range(1, len(names)))
        unasked = (each for each in sections if not self._has_asked(f"{each}:"))
        return next(unasked, key)

    def _has_asked(self, section: str) -> bool:
        return any(path.startswith(section) for path in self._asked)


def _name(path: str) -> str:
    return f"{path.replace(':', '.')} of host.json"


def _leaves(content: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    if isinstance(content, Mapping):
        parts = content.items()
    elif isinstance(content, list):
        parts = ((str(place), each) for place, each in enumerate(content))
    else:
        yield path, content
        return
    for name, value in parts:
        yield from _leaves(value, f"{path}:{name}" if path else str(name))
