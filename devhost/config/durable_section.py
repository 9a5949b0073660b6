"""What host.json's `extensions.durableTask` says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from devhost.config.host_json import HostJson

_DURABLE = "extensions:durableTask"
_USUAL_HUB = "TestHubName"
_AT_A_TIME = {
    "episodes": "maxConcurrentOrchestratorFunctions",
    "activities": "maxConcurrentActivityFunctions",
    "entities": "maxConcurrentEntityFunctions",
}
_HIDDEN = {
    "messages": "controlQueueVisibilityTimeout",
    "activities": "workItemQueueVisibilityTimeout",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Hidden:
    """How many seconds what a killed host had in hand stays hidden from the next one.

    Attributes:
        messages: What instances were sent (`controlQueueVisibilityTimeout`).
        activities: What was under way (`workItemQueueVisibilityTimeout`).
    """

    messages: float = 300.0
    activities: float = 300.0


@dataclass(frozen=True, kw_only=True, slots=True)
class DurableSection:
    """How orchestrations and entities are run.

    Attributes:
        hub: The name of the task hub.
        version: The version of orchestrations that are started without one, if there is any.
        replaces: Whether a start may take the place of an instance that hasn't ended.
        at_a_time: How many run at a time of the orchestrators, the activities and the entities,
            where it is said, by the names of `turns.Limits`.
        hidden: How long what a killed host had in hand stays hidden on Azure Storage.
    """

    hub: str = _USUAL_HUB
    version: str | None = None
    replaces: bool = False
    at_a_time: Mapping[str, int] = field(default_factory=dict)
    hidden: Hidden = field(default_factory=Hidden)


def read_durable_section(host: HostJson) -> DurableSection:
    """Read the section; the name of the task hub may still refer to settings.

    Raises:
        UsageError: A value can't be read.
    """
    limits = {name: host.number(f"{_DURABLE}:{said}", least=1) for name, said in _AT_A_TIME.items()}
    version = host.get(f"{_DURABLE}:defaultVersion")
    return DurableSection(
        hub=str(host.get(f"{_DURABLE}:hubName") or _USUAL_HUB),
        version=None if version is None else str(version),
        replaces=host.get(f"{_DURABLE}:overridableExistingInstanceStates") == "AnyState",
        at_a_time={name: limit for name, limit in limits.items() if limit is not None},
        hidden=_hidden(host),
    )


def _hidden(host: HostJson) -> Hidden:
    said = {name: host.span(f"{_DURABLE}:storageProvider:{key}") for name, key in _HIDDEN.items()}
    return Hidden(**{name: span.total_seconds() for name, span in said.items() if span is not None})
