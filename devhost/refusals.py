"""What an orchestrator asks for and the extension doesn't schedule.

It checks each call before it schedules anything. What it finds amiss with a call becomes the
failure of a task that no history shows, so the SDK never hears of it and the orchestration waits
for ever; a signal that can't be sent fails the orchestration. (DurableOrchestrationContext's
CallDurableTaskFunctionAsync, OutOfProcOrchestrationShim's ProcessAsyncActionsV2.)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from devhost.catalogue import Catalogue
from devhost.entity import name_and_key
from devhost.instance import Instance

Action = dict[str, Any]


class Refusals:
    """Checks the actions of one instance.

    Args:
        instance: The instance that asks.
        catalogue: The functions that there are.
    """

    def __init__(self, instance: Instance, catalogue: Catalogue) -> None:
        self._instance = instance
        self._catalogue = catalogue

    def reason(self, action: Action) -> str | None:
        """Return what the extension has against an action; None if it schedules it."""
        check = _CHECKS.get(action["actionType"])
        return check and check(self, action)

    def _activity(self, action: Action) -> str | None:
        name = action["functionName"]
        if self._catalogue.activity(name) is not None:
            return None
        return self._catalogue.missing("activityTrigger", name)

    def _child(self, action: Action) -> str | None:
        name, own = action["functionName"], self._instance
        if self._catalogue.orchestrator(name) is None:
            return self._catalogue.missing("orchestrationTrigger", name)
        wanted = (action.get("instanceId") or "").lower()
        if wanted and wanted in (own.id.lower(), own.parent.id.lower() if own.parent else ""):
            return (
                "The instance ID of a sub-orchestration must be different than the instance ID of"
                " a parent orchestration."
            )
        if wanted.startswith("@"):
            return "Orchestration instance ids must not start with @"
        return None

    def _entity(self, action: Action) -> str | None:
        name, _ = name_and_key(action["instanceId"])
        if self._catalogue.entity(name) is not None:
            return None
        return self._catalogue.missing("entityTrigger", name)


_CHECKS: dict[int, Callable[[Refusals, Action], str | None]] = {
    0: Refusals._activity,
    1: Refusals._activity,
    2: Refusals._child,
    3: Refusals._child,
    7: Refusals._entity,
    9: Refusals._entity,
}
