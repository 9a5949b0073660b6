"""The functions of the app, as the worker has indexed them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

_DURABLE_NAMES = {
    "orchestrationTrigger": "orchestration",
    "activityTrigger": "activity",
    "entityTrigger": "entityName",
}
_ROLES = {
    "orchestrationTrigger": "orchestrator",
    "activityTrigger": "activity",
    "entityTrigger": "entity",
}
_RUN_HERE = {*_DURABLE_NAMES, "httpTrigger", "timerTrigger"}
_BOUND_HERE = {"durableClient", "http"}


@dataclass(frozen=True, kw_only=True, slots=True)
class Function:
    """One function.

    Attributes:
        trigger: Its trigger's settings, as in a function.json.
        bindings: All bindings likewise, the trigger among them.
        retry: What `@app.retry` says, if it has that.
        disabled: Whether the app's settings say that it must not run.
    """

    name: str
    trigger: Mapping[str, Any]
    bindings: Sequence[Mapping[str, Any]] = ()
    retry: Mapping[str, str | None] | None = None
    disabled: bool = False

    @property
    def kind(self) -> str:
        """The type of its trigger, such as `httpTrigger`."""
        return self.trigger["type"]

    @property
    def durable_name(self) -> str:
        """The name by which orchestrators call it."""
        return str(self.trigger.get(_DURABLE_NAMES.get(self.kind, "")) or self.name)

    @property
    def schedule(self) -> str:
        """When a timer function runs, as its trigger says; empty if that says nothing."""
        return str(self.trigger.get("schedule") or "")


class Catalogue:
    """All functions of the app; durable names are found whatever their case.

    Attributes:
        remarks: What is to be told about the app when it starts.
    """

    def __init__(self, functions: Iterable[Function] = (), remarks: Iterable[str] = ()) -> None:
        self.functions = tuple(functions)
        self.remarks = tuple(remarks)
        self._deployed = {(f.kind, f.durable_name.lower()): f for f in self.functions}
        self._durable = {key: f for key, f in self._deployed.items() if not f.disabled}

    def orchestrator(self, name: str) -> Function | None:
        """Return the orchestrator of that durable name."""
        return self._durable.get(("orchestrationTrigger", name.lower()))

    def activity(self, name: str) -> Function | None:
        """Return the activity of that durable name."""
        return self._durable.get(("activityTrigger", name.lower()))

    def entity(self, name: str) -> Function | None:
        """Return the entity function of that durable name."""
        return self._durable.get(("entityTrigger", name.lower()))

    def has(self, kind: str, name: str) -> bool:
        """Tell whether a function with that type of trigger is there, even a disabled one."""
        return (kind, name.lower()) in self._deployed

    def absence(self, kind: str, name: str) -> str:
        """Say why a function that was scheduled can't be run."""
        return "is disabled." if self.has(kind, name) else "does not exist."

    def missing(self, kind: str, name: str) -> str:
        """Say as the extension does that no function with that type of trigger has that name."""
        role = _ROLES[kind]
        names = "', '".join(function.durable_name for function in self.of_kind(kind))
        known = f"The following are the known {role} functions: '{names}'."
        none = f"No {role} functions are currently registered!"
        return (
            f"The function '{name}' doesn't exist, is disabled, or is not an {role} function."
            f" Additional info: {known if names else none}"
        )

    def of_kind(self, kind: str) -> list[Function]:
        """Return the functions with that type of trigger."""
        return [function for function in self.functions if function.kind == kind]

    def unsupported(self) -> Iterator[str]:
        """Yield a sentence about each trigger and binding that this host doesn't have."""
        for function in self.functions:
            if function.kind not in _RUN_HERE:
                yield f"{function.name} won't run: {function.kind} is not supported here"
                continue
            for binding in function.bindings:
                if binding["type"] not in {function.kind, *_BOUND_HERE}:
                    name, kind = binding["name"], binding["type"]
                    yield f"{function.name} lacks its binding {name}: {kind} is not supported here"
