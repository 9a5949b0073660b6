"""What host.json's `extensions.durableTask` says."""

from __future__ import annotations

import re
from typing import Any

from devhost.errors import UsageError
from devhost.host_json import HostJson
from devhost.weather import Hidden

_DURABLE = "extensions:durableTask"
_AT_A_TIME = {
    "episodes": "maxConcurrentOrchestratorFunctions",
    "activities": "maxConcurrentActivityFunctions",
    "entities": "maxConcurrentEntityFunctions",
}
_HIDDEN = {
    "messages": "controlQueueVisibilityTimeout",
    "activities": "workItemQueueVisibilityTimeout",
}
_TIME_SPAN = re.compile(r"(?:(\d{1,5})\.)?(\d\d):(\d\d):(\d\d)", re.ASCII)


def read_durable_section(host: HostJson) -> dict[str, Any]:
    """Return what `Settings` takes of the section, by its fields.

    Raises:
        UsageError: A value can't be read.
    """
    limits = {name: host.number(f"{_DURABLE}:{said}", least=1) for name, said in _AT_A_TIME.items()}
    return {
        "hub": str(host.get(f"{_DURABLE}:hubName") or "TestHubName"),
        "version": host.get(f"{_DURABLE}:defaultVersion"),
        "replaces": host.get(f"{_DURABLE}:overridableExistingInstanceStates") == "AnyState",
        "at_a_time": {name: limit for name, limit in limits.items() if limit is not None},
        "hidden": _hidden(host),
    }


def _hidden(host: HostJson) -> Hidden:
    said = {name: host.get(f"{_DURABLE}:storageProvider:{key}") for name, key in _HIDDEN.items()}
    spans = {name: seconds_in(span) for name, span in said.items() if span is not None}
    if None in spans.values():
        raise UsageError(f"{', '.join(_HIDDEN.values())} of host.json must be [d.]hh:mm:ss")
    return Hidden(**{name: span for name, span in spans.items() if span is not None})


def seconds_in(span: object) -> float | None:
    """Return the seconds in a time span such as `00:05:00`; None if it is none."""
    match = _TIME_SPAN.fullmatch(str(span))
    if match is None:
        return None
    days, hours, minutes, rest = (int(part or 0) for part in match.groups())
    return float(((days * 24 + hours) * 60 + minutes) * 60 + rest)
