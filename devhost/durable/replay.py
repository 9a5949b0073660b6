"""What a list of actions means against a history.

The Python SDK answers every call with all actions since the execution began. Which of them are
done, which are running and which are new is found here, by the algorithm that the durable
extension runs over DurableTask.Core (OutOfProcOrchestrationShim, TaskOrchestrationContext,
RetryInterceptor). Task ids come out right only if every step is taken in its order.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from datetime import timedelta
from typing import Any

from devhost.durable.action import (
    ALL,
    ANY,
    SIGNAL,
    WAIT,
    Action,
    SignalRefused,
    UnsupportedAction,
    awaited,
    read,
    retry_pause,
)
from devhost.durable.history import OWN, RESULTS, SCHEDULED, Event, Kind
from devhost.durable.plan import HTTP_ACTIVITY, Decision, NonDeterministic, Plan
from devhost.durable.promise import Promise, compound, settled
from devhost.time.clock import read_stamp, stamp

Refusal = Callable[[Action], "str | None"]


class Replay:
    """Walks one list of actions along one history.

    A WhenAny lists only those of its children that weren't scheduled before. So when the SDK goes
    on because of one that was, the entry would block here for good; it is then *forced*, as soon
    as the SDK shows that it went on. The number of forced entries is kept in the episode's
    `OrchestratorStarted` event, so that later replays force at the same place. One that waits for
    an event which once came too early is left blocked: there the SDK went on by its fault of
    reusing such events, and Azure waits for another event of that name.

    Args:
        actions: All actions since the execution began, as the SDK lists them.
        ended: Whether the orchestrator has returned, raised or continued as new.
        refusal: Says what is amiss with an action that is not to be scheduled.
    """

    def __init__(
        self, actions: Sequence[Action], *, ended: bool, refusal: Refusal = lambda _: None
    ) -> None:
        self._actions = actions
        self._ended = ended
        self._refusal = refusal
        self._refused: list[str] = []
        self._position = 0
        self._blocked: Promise | None = None
        self._next_id = 0
        self._now = ""
        self._new: dict[int, Decision] = {}
        self._open: dict[int, Promise] = {}
        self._calls: dict[int, Promise] = {}
        self._waits: defaultdict[str, list[Promise]] = defaultdict(list)
        self._buffered: Counter[str] = Counter()
        self._early: set[str] = set()
        self._cancelled: set[int] = set()
        self._recorded_forces = 0
        self._successor: str | None = None
        self._carried: list[Event] = []

    def run(self, history: Iterable[Event]) -> Plan:
        """Replay `history`, the present episode's messages included.

        Raises:
            NonDeterministic: The history has a task that the actions don't lead to.
            UnsupportedAction: An action is of an unknown type.
            SignalRefused: A signal can't be sent.
        """
        for event in history:
            self._apply(event)
        forced = 0
        while self._went_on():
            self._force()
            forced += 1
        return Plan(
            decisions=tuple(self._new.values()),
            cancelled=frozenset(self._cancelled),
            finished=self._ended and self._exhausted() and not self._open,
            successor=self._successor,
            carried=tuple(self._carried),
            forced=forced,
            refused=tuple(self._refused),
        )

    def _apply(self, event: Event) -> None:
        kind = event["EventType"]
        if kind in SCHEDULED:
            self._force_as_recorded()
            self._confirm(event)
        elif result := RESULTS.get(kind):
            self._settle(event[result.task], failed=result.failed)
        elif kind == Kind.EventRaised:
            self._raise(event)
        elif kind == Kind.OrchestratorStarted:
            # Without its last letter a time of a history sorts by time.
            self._now = max(self._now, event["Timestamp"], key=lambda text: text[:-1])
            self._recorded_forces = event.get(OWN, {}).get("Forced", 0)
        elif kind == Kind.ExecutionStarted:
            self._advance()
        elif kind == Kind.OrchestratorCompleted and not event["IsPlayed"]:
            # One that is played stands behind the messages that continue-as-new began with.
            self._force_as_recorded()

    def _advance(self) -> None:
        while not self._exhausted() and (self._blocked is None or self._blocked.done):
            action = self._actions[self._position]
            self._position += 1
            self._blocked = self._invoke(action)

    def _exhausted(self) -> bool:
        listed = self._position < len(self._actions)
        return not listed and (self._blocked is None or self._blocked.done)

    def _went_on(self) -> bool:
        if self._blocked is None or self._blocked.done:
            return False
        entry = self._actions[self._position - 1]
        moved = self._ended or self._position < len(self._actions)
        return moved and entry["actionType"] == ANY and not self._early.intersection(awaited(entry))

    def _force(self) -> None:
        if self._blocked is not None:
            self._blocked.settle()
            self._advance()

    def _force_as_recorded(self) -> None:
        while self._recorded_forces:
            self._recorded_forces -= 1
            self._force()

    def _confirm(self, event: Event) -> None:
        decision = self._new.pop(event["EventId"], None)
        if decision is None or decision.kind != event["EventType"]:
            raise NonDeterministic(event)
        if decision.name.lower() != (event.get("Name") or "").lower():
            raise NonDeterministic(event)
        if event["EventId"] in self._calls:
            request = json.loads(event["Input"])["id"]
            self._waits[request.lower()].append(self._calls.pop(event["EventId"]))

    def _settle(self, task: int, *, failed: bool) -> None:
        promise = self._open.pop(task, None)
        if promise is not None:
            promise.settle(failed=failed)
            self._advance()

    def _raise(self, event: Event) -> None:
        name = event["Name"].lower()
        if self._successor is not None:
            self._carried.append(event)
        elif self._waits[name]:
            self._waits[name].pop().settle()
            self._advance()
        else:
            self._early.add(name)
            self._buffered[name] += 1

    def _invoke(self, action: Action) -> Promise:
        invocation = _INVOCATIONS.get(action["actionType"])
        if invocation is None:
            raise UnsupportedAction(action)
        action = read(action)
        if reason := self._refusal(action):
            return self._refuse(action, reason)
        return invocation(self, action)

    def _refuse(self, action: Action, reason: str) -> Promise:
        if action["actionType"] == SIGNAL:
            raise SignalRefused(reason)
        self._refused.append(reason)
        return settled()

    def _schedule(self, kind: Kind, name: str, action: Action, fire_at: str = "") -> Promise:
        decision = Decision(id=self._next_id, kind=kind, name=name, action=action, fire_at=fire_at)
        self._next_id += 1
        self._new[decision.id] = decision
        promise = self._open[decision.id] = Promise()
        return promise

    def _activity(self, action: Action) -> Promise:
        return self._schedule(Kind.TaskScheduled, action["functionName"], action)

    def _http(self, action: Action) -> Promise:
        return self._schedule(Kind.TaskScheduled, HTTP_ACTIVITY, action)

    def _child(self, action: Action) -> Promise:
        name = action["functionName"]
        return self._schedule(Kind.SubOrchestrationInstanceCreated, name, action)

    def _activity_with_retry(self, action: Action) -> Promise:
        return self._retry(lambda: self._activity(action), action["retryOptions"])

    def _child_with_retry(self, action: Action) -> Promise:
        return self._retry(lambda: self._child(action), action["retryOptions"])

    def _retry(self, schedule: Callable[[], Promise], options: dict[str, Any]) -> Promise:
        outcome = Promise()

        def attempt(number: int) -> None:
            schedule().then(lambda task: conclude(number, task))

        def conclude(number: int, task: Promise) -> None:
            if not task.failed:
                outcome.settle()
                return
            last = number >= options["maxNumberOfAttempts"]
            # DurableTask.Core makes one timer more than it retries, and the SDK counts on that.
            now = read_stamp(self._now)
            pause = timedelta() if last else retry_pause(options, number, now)
            timer = self._timer(stamp(now + pause))
            timer.then(lambda _: outcome.settle(failed=True) if last else attempt(number + 1))

        attempt(1)
        return outcome

    def _timer(self, fire_at: str, action: Action | None = None) -> Promise:
        return self._schedule(Kind.TimerCreated, "", action or {}, fire_at)

    def _created_timer(self, action: Action) -> Promise:
        task = self._next_id
        promise = self._timer(stamp(read_stamp(action["fireAt"])), action)
        if action["isCanceled"]:
            self._cancelled.add(task)
            self._settle_silently(task)
        return promise

    def _settle_silently(self, task: int) -> None:
        self._open.pop(task).settle()

    def _wait(self, action: Action) -> Promise:
        name, promise = action["externalEventName"].lower(), Promise()
        if self._buffered[name]:
            self._buffered[name] -= 1
            promise.settle()
        else:
            self._waits[name].append(promise)
        return promise

    def _call_entity(self, action: Action) -> Promise:
        task = self._next_id
        promise = self._schedule(Kind.EventSent, "op", action)
        self._calls[task] = self._open.pop(task)
        return promise

    def _signal_entity(self, action: Action) -> Promise:
        task = self._next_id
        promise = self._schedule(Kind.EventSent, "op", action)
        self._settle_silently(task)
        return promise

    def _continue_as_new(self, action: Action) -> Promise:
        self._successor = action["input"]
        return settled()

    def _any(self, action: Action) -> Promise:
        return compound(self._children(action), 1)

    def _all(self, action: Action) -> Promise:
        return compound(self._children(action), len(action["compoundActions"]))

    def _children(self, action: Action) -> list[Promise]:
        return [self._invoke(child) for child in action["compoundActions"]]


_INVOCATIONS: dict[int, Callable[[Replay, Action], Promise]] = {
    0: Replay._activity,
    1: Replay._activity_with_retry,
    2: Replay._child,
    3: Replay._child_with_retry,
    4: Replay._continue_as_new,
    5: Replay._created_timer,
    WAIT: Replay._wait,
    7: Replay._call_entity,
    8: Replay._http,
    SIGNAL: Replay._signal_entity,
    ANY: Replay._any,
    ALL: Replay._all,
}
