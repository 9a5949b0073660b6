"""The app's own stories and steps, called as the worker calls them and followed as a host does."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import cache
from typing import Any

import azure.durable_functions as df
import azure.functions as func

import activities.proposals
import activities.purchases
import orchestrators.gate
import orchestrators.purchase
from devhost.durable.answer import OrchestratorFailed, failure_state
from devhost.durable.episode import Episode
from devhost.durable.history import Event, Kind
from devhost.durable.outcome import Outcome
from devhost.durable.snapshot import Snapshot
from devhost.functions.catalogue import Catalogue, Function

PARTS = (
    orchestrators.gate,
    orchestrators.purchase,
    activities.proposals,
    activities.purchases,
)
ENTITY = Function(name="notices", trigger={"type": "entityTrigger", "entityName": "notices"})


@cache
def functions() -> Mapping[str, Callable[..., Any]]:
    """The app's own orchestrators and activities by name, as the worker calls them."""
    app = df.DFApp()
    for part in PARTS:
        app.register_functions(part.blueprint)
    return {str(f.get_function_name()): f.get_user_function() for f in app.get_functions()}


@cache
def catalogue() -> Catalogue:
    """The same for those who look functions up."""
    stories = ("approval_gate", "purchase")
    kinds = {name: "orchestration" if name in stories else "activity" for name in functions()}
    return Catalogue(
        [
            *(Function(name=n, trigger={"type": f"{kind}Trigger"}) for n, kind in kinds.items()),
            ENTITY,
        ]
    )


def played(before: Snapshot, wanted: Sequence[Event], now: datetime) -> Outcome:
    """What follows for an instance from what came for it."""
    ends = [each for each in wanted if each["EventType"] == Kind.ExecutionTerminated]
    if ends:
        return Episode(before, ends[:1], now).terminate(ends[0]["Input"])
    episode = Episode(before, wanted, now)
    context = func.OrchestrationContext(episode.context().decode())
    try:
        state = _answer(functions()[before.instance.name], context)
        return episode.conclude(state, catalogue(), 16 * 1024)
    except OrchestratorFailed as failed:
        return episode.fail_unanswered(str(failed))


def _answer(story: Callable[[Any], str], context: Any) -> dict[str, Any]:
    try:
        return json.loads(story(context))
    except Exception as error:  # noqa: BLE001 - the SDK raises nothing more specific
        return failure_state(str(error))
