"""Starting an instance in the place of one that still runs under its id.

A sub-orchestration whose parent names such an id does so, and a start where host.json's
`overridableExistingInstanceStates` allows it. DurableTask.AzureStorage looks for a history of the
execution that the start names, finds none, and begins with an empty one: what the older execution
waited for is not delivered any more, but events go to the new one.

Turns of an instance come one at a time, so the change is made at the beginning of one.
"""

from __future__ import annotations

from collections.abc import Sequence

from devhost.durable.history import Event, Kind
from devhost.durable.instance import Instance, Message, Parent
from devhost.durable.snapshot import Snapshot
from devhost.engine.commits import Commits
from devhost.state.statements import drop_history, drop_work, put_instance
from devhost.time.clock import read_stamp, stamp


async def succeed(
    commits: Commits, before: Snapshot | None, messages: Sequence[Message]
) -> tuple[Snapshot | None, Sequence[Message]]:
    """Return the instance that is to take in `messages`, and those that are left for it.

    Args:
        commits: Where an execution that takes the place of another is stored.
        before: The instance until now; None if there is none.
        messages: What came for it. A start in its place is for no execution in particular.
    """
    starts = [m for m in messages if m.execution is None and _starts(m)]
    if not starts:
        return before, messages
    own = _instance(starts[-1].event)
    if before is None or _precedes(before.instance, own):
        await commits.store.commit([drop_history(own.id), *drop_work(own.id), put_instance(own)])
        commits.console.line(f"{own.name} {own.id} Begun in the place of one that had not ended")
        before = Snapshot(own)
        commits.snapshots.put(before)
    outdone = [m for m in starts if _instance(m.event).execution != before.instance.execution]
    if outdone:
        await commits.discard(outdone)
    return before, [m for m in messages if m not in outdone]


def _precedes(before: Instance, own: Instance) -> bool:
    return before.execution != own.execution and before.created <= own.created


def _starts(message: Message) -> bool:
    return message.event["EventType"] == Kind.ExecutionStarted


def _instance(began: Event) -> Instance:
    own, parent = began["OrchestrationInstance"], began["ParentInstance"]
    moment = stamp(read_stamp(began["Timestamp"]))
    return Instance(
        id=own["InstanceId"],
        execution=own["ExecutionId"],
        name=began["Name"],
        version=began["Version"],
        status="Pending",
        input=began["Input"],
        created=moment,
        updated=moment,
        parent=parent and _parent(parent),
    )


def _parent(told: Event) -> Parent:
    return Parent(
        id=told["OrchestrationInstance"]["InstanceId"],
        execution=told["OrchestrationInstance"]["ExecutionId"],
        task=told["TaskScheduleId"],
        name=told["Name"],
    )
