"""What host.json's `extensions.durableTask` says."""

from __future__ import annotations

from typing import Any

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
    said = {name: host.span(f"{_DURABLE}:storageProvider:{key}") for name, key in _HIDDEN.items()}
    return Hidden(**{name: span.total_seconds() for name, span in said.items() if span is not None})
