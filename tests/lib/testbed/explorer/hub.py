"""A task hub with the habits of real ones: at least once, late, and in another order."""

from __future__ import annotations

import asyncio
import json
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from devhost.durable.entity import name_and_key
from devhost.durable.history import RESULTS, SCHEDULED, Event, Kind, event, parse
from devhost.durable.instance import Activity, Child, Instance, Parent, Timer, started
from devhost.durable.outcome import Outcome
from devhost.durable.snapshot import Snapshot
from devhost.time.clock import read_stamp, stamp, trimmed
from testbed.explorer.chance import Chance
from testbed.explorer.machine import Machine
from testbed.explorer.stories import functions, played

HIDDEN_SECONDS = 60.0
"""For so long nobody else gets what a machine had in hand that died."""


class Exists(Exception):
    """An instance of that id runs already."""


@dataclass
class Mailbox:
    """What came for one instance, and whether it has a turn now."""

    messages: list[tuple[str | None, Event]] = field(default_factory=list)
    busy: bool = False


class Hub:
    """Keeps instances, and has machines carry out what they ask for.

    Args:
        chance: what goes wrong.
        machine: a machine that runs now; None while there is none.
        tell: what the entity of an operation does.
        replaces: whether a start takes the place of an instance that has ended; else it is dropped.
        version: which its orchestrations have; None if they began before there were any.
    """

    def __init__(
        self,
        chance: Chance,
        machine: Callable[[], Machine | None],
        tell: Callable[[Machine, str], Any],
        *,
        replaces: bool,
        version: str | None,
    ) -> None:
        self._chance = chance
        self._machine = machine
        self._tell = tell
        self._replaces = replaces
        self._version = version
        self._mail: defaultdict[str, Mailbox] = defaultdict(Mailbox)
        self._entities: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._executions = 0
        self._tasks: set[asyncio.Task[Any]] = set()
        self.instances: dict[str, Snapshot] = {}
        self.hidden: dict[str, float] = {}

    def start(self, name: str, instance_id: str, given: str) -> None:
        """Start an orchestration as a client does.

        Raises:
            Exists: one of that id runs.
        """
        there = self.instances.get(instance_id)
        if there and not there.instance.over:
            raise Exists(instance_id)
        self._begin(name, instance_id, given, None)

    def post(self, instance_id: str, told: Event, execution: str | None = None) -> None:
        """Send an event to an instance; it may come late and twice."""
        for _ in range(2 if self._chance.happens(0.05) else 1):
            delay = self._chance.way() + (
                self._chance.happens(0.05) and self._chance.uniform(0, 60)
            )
            self._later(delay, self._arrive, instance_id, told, execution)

    def forget(self, instance_id: str) -> None:
        """Remove an instance that has ended."""
        self.instances.pop(instance_id, None)
        self._mail.pop(instance_id, None)

    def restore(self, instances: Mapping[str, Snapshot]) -> None:
        """Know only what was true at another time; nothing of what is under way is known then."""
        self.instances = dict(instances)
        self._mail.clear()

    def under_way(self, instance_id: str) -> Sequence[Event]:
        """The activities of an instance that have no result yet."""
        events = self._events(instance_id)
        done = {e.get("TaskScheduledId") for e in events if e["EventType"] in RESULTS}
        wanted = [e for e in events if e["EventType"] == Kind.TaskScheduled]
        return [e for e in wanted if e["EventId"] not in done]

    def signal(self, key: str) -> None:
        """Have the entity of an operation told that there may be news."""
        for _ in range(2 if self._chance.happens(0.05) else 1):
            self._spawn(self._notified(key))

    def close(self) -> None:
        """Let nothing go on."""
        for task in list(self._tasks):
            task.cancel()

    def _begin(self, name: str, instance_id: str, given: str, parent: Parent | None) -> None:
        there = self.instances.get(instance_id)
        if there and there.instance.over and not self._replaces:
            return
        self._executions += 1
        moment = stamp(self._chance.now())
        own = Instance(
            id=instance_id,
            execution=f"execution-{self._executions}",
            name=name,
            version=self._version,
            status="Pending",
            input=given,
            created=moment,
            updated=moment,
            parent=parent,
        )
        self.instances[instance_id] = Snapshot(own)
        self._mail[instance_id].messages.clear()
        if parent and self._chance.happens(0.3):
            self.hidden[instance_id] = self._chance.time() + self._chance.uniform(0, 3)
        self.post(instance_id, started(own, self._chance.now()), own.execution)

    def _arrive(self, instance_id: str, told: Event, execution: str | None) -> None:
        if instance_id not in self.instances:
            return
        box = self._mail[instance_id]
        box.messages.append((execution, told))
        if not box.busy:
            box.busy = True
            self._spawn(self._turns(instance_id, box))

    async def _turns(self, instance_id: str, box: Mailbox) -> None:
        while box.messages:
            machine = await self._some_machine()
            await asyncio.sleep(self._chance.way())
            before = self.instances.get(instance_id)
            messages, box.messages = box.messages, []
            if before is None or before.instance.over:
                continue
            execution = before.instance.execution
            mine = [each for of, each in messages if of in (None, execution)]
            wanted = [each for each in mine if self._has_its_task(before, each)]
            for each in mine:
                if each not in wanted:
                    # What overtakes the turn that it answers is delivered again.
                    self._later(3.0, self._arrive, instance_id, each, execution)
            if wanted:
                self._turn(machine, before, wanted, box)
        box.busy = False

    def _turn(
        self, machine: Machine, before: Snapshot, wanted: Sequence[Event], box: Mailbox
    ) -> None:
        outcome = played(before, wanted, machine.clock())
        self._send(outcome)
        if self._chance.happens(0.02):
            # It was sent, and the history was not kept: the turn is played once more.
            box.messages = [(before.instance.execution, each) for each in wanted] + box.messages
            return
        own = outcome.after.instance
        self.instances[own.id] = outcome.after
        for message in outcome.messages:
            self.post(own.id, message, own.execution)
        if outcome.notice:
            parent, told = outcome.notice
            self.post(parent.id, told, parent.execution)

    def _send(self, outcome: Outcome) -> None:
        for activity in outcome.activities:
            if not self._chance.happens(0.002):
                self._spawn(self._carried_out(activity))
            if self._chance.happens(0.05):
                self._spawn(self._carried_out(activity))
        for timer in outcome.timers:
            self._fire(timer)
        for child in outcome.children:
            self._adopt(child)
        for entity_id, _ in outcome.requests:
            self.signal(name_and_key(entity_id)[1])

    def _adopt(self, child: Child) -> None:
        # One that runs under that id is replaced, and this parent gets its result.
        self._begin(child.name, child.id, child.input, child.parent)

    def _fire(self, timer: Timer) -> None:
        due = (read_stamp(timer.due) - self._chance.now()).total_seconds()
        early = 0.0 if self._chance.calm else self._chance.uniform(0, 1)
        fired = event(
            Kind.TimerFired, self._chance.now(), TimerId=timer.task, FireAt=trimmed(timer.due)
        )
        self._later(max(0, due - early), self.post, timer.instance, fired, timer.execution)

    async def _carried_out(self, activity: Activity) -> None:
        while True:
            machine = await self._some_machine()
            await asyncio.sleep(self._chance.way())
            work = functions()[activity.name](json.loads(activity.input or "null"))
            try:
                told = _completed(activity, await machine.run(work), self._chance.now())
                break
            except asyncio.CancelledError:
                if machine.alive:
                    raise
                await asyncio.sleep(HIDDEN_SECONDS)
            except Exception as error:  # noqa: BLE001 - as the worker does
                told = _failed(activity, error, self._chance.now())
                break
        self.post(activity.instance, told, activity.execution)

    async def _notified(self, key: str) -> None:
        async with self._entities[key]:
            while True:
                machine = await self._some_machine()
                try:
                    await machine.run(self._tell(machine, key))
                except asyncio.CancelledError:
                    if machine.alive:
                        raise
                    await asyncio.sleep(HIDDEN_SECONDS)
                    continue
                except Exception:  # noqa: BLE001, S110 - nobody reads a signal's result
                    pass
                return

    async def _some_machine(self) -> Machine:
        while (machine := self._machine()) is None:  # noqa: ASYNC110 - nobody announces one
            await asyncio.sleep(1.0)
        return machine

    def _has_its_task(self, before: Snapshot, told: Event) -> bool:
        result = RESULTS.get(told["EventType"])
        if result is None:
            return True
        return told[result.task] in {
            each["EventId"] for each in parse(before.episodes) if each["EventType"] in SCHEDULED
        }

    def _events(self, instance_id: str) -> Sequence[Event]:
        there = self.instances.get(instance_id)
        return parse(there.episodes) if there else ()

    def _later(self, seconds: float, work: Callable[..., Any], *given: Any) -> None:
        asyncio.get_running_loop().call_later(seconds, work, *given)

    def _spawn(self, work: Any) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _completed(activity: Activity, result: Any, now: datetime) -> Event:
    return event(Kind.TaskCompleted, now, TaskScheduledId=activity.task, Result=json.dumps(result))


def _failed(activity: Activity, error: Exception, now: datetime) -> Event:
    reason = f"Activity function '{activity.name}' failed: {error}"
    return event(Kind.TaskFailed, now, TaskScheduledId=activity.task, Reason=reason, Details="")
