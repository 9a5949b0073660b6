"""What an orchestrator asks for and the extension doesn't schedule.

It checks each call before it schedules anything. What it finds amiss with a call becomes the
failure of a task that no history shows, so the SDK never hears of it and the orchestration waits
for ever; a signal that can't be sent fails the orchestration. (DurableOrchestrationContext's
CallDurableTaskFunctionAsync, OutOfProcOrchestrationShim's ProcessAsyncActionsV2.)
"""

from __future__ import annotations

from collections.abc import Callable

from devhost.durable.action import Action
from devhost.durable.entity import name_and_key
from devhost.durable.instance import Instance
from devhost.functions.catalogue import Catalogue


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
        return self._unless_there("activityTrigger", action["functionName"])

    def _child(self, action: Action) -> str | None:
        name, own = action["functionName"], self._instance
        if missing := self._unless_there("orchestrationTrigger", name):
            return missing
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
        return self._unless_there("entityTrigger", name)

    def _unless_there(self, kind: str, name: str) -> str | None:
        # What is disabled is scheduled all the same, and then fails.
        return None if self._catalogue.has(kind, name) else self._catalogue.missing(kind, name)


_CHECKS: dict[int, Callable[[Refusals, Action], str | None]] = {
    0: Refusals._activity,
    1: Refusals._activity,
    2: Refusals._child,
    3: Refusals._child,
    7: Refusals._entity,
    9: Refusals._entity,
}
