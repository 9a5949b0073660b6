"""How far the engine can rely on what keeps its state: wholly, or as on Azure Storage.

The engine asks where it delivers, commits, sets a timer or shows an instance. In fair weather all
arrives once, in order and in time. `AzureStorage` draws what DurableTask.AzureStorage may do on a
bad day; it is slow for fractions of a second where that may be slow for minutes.
"""

from __future__ import annotations

import asyncio
import math
import random
import re
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

from devhost.config.durable_section import Hidden
from devhost.durable.history import RESULTS, Kind
from devhost.durable.instance import Instance, Message
from devhost.durable.snapshot import Snapshot
from devhost.time.clock import read_stamp, stamp

Put = Callable[[], None]

AZURE_STORAGE = "azure-storage"
"""The name of the only other weather."""

# The answer of an entity bears the id of the request, and no event of a person's does.
_REQUEST = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")

_REPEATED = 0.2
_LOST_TURNS = 0.1
_LATE = 0.35
_VERY_LATE = 0.07
_LATE_SECONDS = 0.1
_VERY_LATE_SECONDS = 1.0
_LATE_ROWS = 0.5
_ROW_SECONDS = 0.2
_VERY_LATE_ROWS = 0.2
_VERY_LATE_ROW_SECONDS = 2.0
_SLOW_TURN_SECONDS = 0.3
_GAP_SECONDS = 0.03
_PREMATURE_TRIES = 5
_PREMATURE_SECONDS = 0.1


class Weather:
    """Fair weather, which changes nothing.

    Attributes:
        sends_first: Whether what follows from a turn goes out before the turn is kept.
        hidden: How long what a killed host had in hand stays hidden.
    """

    sends_first = False
    hidden = Hidden(messages=0.0, activities=0.0)

    @property
    def busy(self) -> bool:
        """Whether anything is on its way."""
        return False

    def carry(self, put: Put) -> None:
        """Deliver something by calling `put`."""
        put()

    def hide(self, put: Put, seconds: float) -> None:
        """Deliver what an earlier process left, after so many seconds."""
        put()

    def put_off(self, put: Put, message: Message) -> None:
        """Deliver a premature message once more."""
        put()

    def premature(self, before: Snapshot, messages: Sequence[Message]) -> Sequence[Message]:
        """Return those that came before what they answer was kept, and have to come again."""
        return ()

    def due(self, wanted: str, now: datetime) -> str:
        """Return when a timer fires; both times are in the form of `clock.stamp`."""
        return wanted

    def loses_turn(self) -> bool:
        """Tell whether a turn isn't kept though what follows from it has gone out."""
        return False

    async def gap(self) -> None:
        """Let pass what lies between sending and keeping."""

    def conceal(self, instance: Instance) -> None:
        """Take notice of an instance whose first turn was kept just now."""

    def conceals(self, instance: Instance) -> bool:
        """Tell whether nobody can see an instance yet."""
        return False


FAIR = Weather()


class AzureStorage(Weather):
    """What the Azure Storage engine does under load and after crashes, often enough for tests.

    Everything is late, comes twice and in another order, but what orchestrations send to entities
    (the extension sorts and counts it: `entityMessageReorderWindowInMinutes`). A turn that is not
    kept was played for nothing, but what it sent is under way: activities run again, and children
    begin again under their ids. The row of a child, without which nobody can reach it, is up to
    two seconds late. Timers are cut to whole seconds. The delays are real ones under any clock.

    Args:
        seed: The same seed draws the same; what meets what depends on the machine as well.
        hidden: How long what a killed host had in hand stays hidden.
    """

    sends_first = True

    def __init__(self, seed: int, hidden: Hidden) -> None:
        self.hidden = hidden
        self._draw = random.Random(seed)  # noqa: S311 - not for secrets
        self._on_the_way = 0
        self._concealed: Counter[str] = Counter()
        self._tries: Counter[int] = Counter()

    @property
    def busy(self) -> bool:
        """Whether anything is on its way, the row of an instance included."""
        return self._on_the_way > 0

    def carry(self, put: Put) -> None:
        """Deliver something, perhaps late, and perhaps twice."""
        self._after(self._delay(), put)
        if self._happens(_REPEATED):
            self._after(self._upto(_VERY_LATE_SECONDS), put)

    def hide(self, put: Put, seconds: float) -> None:
        """Deliver what an earlier process left, after so many seconds."""
        self._after(seconds + self._delay(), put)

    def put_off(self, put: Put, message: Message) -> None:
        """Deliver a premature message once more, each time after a longer pause."""
        self._tries[message.number] += 1
        self._after(_PREMATURE_SECONDS * 2 ** self._tries[message.number], put)

    def premature(self, before: Snapshot, messages: Sequence[Message]) -> Sequence[Message]:
        """Return messages that overtook what they answer, but none that is tried too often.

        What is then let through is lost: its turn was played again and has another answer coming.
        """
        starts = any(message.event["EventType"] == Kind.ExecutionStarted for message in messages)
        if before.instance.episodes == 0 and not starts:
            early = list(messages)
        else:
            early = [m for m in messages if not _is_awaited(m, before.episodes)]
        again = [m for m in early if self._tries[m.number] < _PREMATURE_TRIES]
        for message in messages:
            if message not in again:
                del self._tries[message.number]
        return again

    def due(self, wanted: str, now: datetime) -> str:
        """Return when a timer fires: its delay is cut to whole seconds, and nobody looks again.

        The turn has taken a moment until then, which a virtual clock does not show.
        """
        sent = now + timedelta(seconds=self._upto(_SLOW_TURN_SECONDS))
        seconds = math.floor((read_stamp(wanted) - sent).total_seconds())
        return stamp(min(now + timedelta(seconds=max(seconds, 0)), read_stamp(wanted)))

    def loses_turn(self) -> bool:
        """Tell whether a turn isn't kept though what follows from it has gone out."""
        return self._happens(_LOST_TURNS)

    async def gap(self) -> None:
        """Wait as long as the history may take to be written."""
        passed = asyncio.Event()
        self._after(self._upto(_GAP_SECONDS), passed.set)
        await passed.wait()

    def conceal(self, instance: Instance) -> None:
        """Hide the row of a child for a while."""
        if instance.parent is None or not self._happens(_LATE_ROWS):
            return
        very_late = self._happens(_VERY_LATE_ROWS)
        self._concealed[instance.id] += 1
        self._after(
            self._upto(_VERY_LATE_ROW_SECONDS if very_late else _ROW_SECONDS),
            lambda: self._reveal(instance.id),
        )

    def conceals(self, instance: Instance) -> bool:
        """Tell whether an instance is a child that has no row yet."""
        unborn = instance.parent is not None and instance.status == "Pending"
        return unborn or instance.id in self._concealed

    def _reveal(self, instance_id: str) -> None:
        self._concealed[instance_id] -= 1
        if not self._concealed[instance_id]:
            del self._concealed[instance_id]

    def _delay(self) -> float:
        if not self._happens(_LATE):
            return 0.0
        return self._upto(_VERY_LATE_SECONDS if self._happens(_VERY_LATE) else _LATE_SECONDS)

    def _happens(self, share: float) -> bool:
        return self._draw.random() < share

    def _upto(self, most: float) -> float:
        return self._draw.uniform(0.0, most)

    def _after(self, seconds: float, put: Put) -> None:
        def arrive() -> None:
            self._on_the_way -= 1
            put()

        self._on_the_way += 1
        asyncio.get_running_loop().call_later(seconds, arrive)


def weather(name: str, seed: int, hidden: Hidden) -> Weather:
    """Return the weather of that name; any other than Azure Storage's is fair."""
    return AzureStorage(seed, hidden) if name == AZURE_STORAGE else FAIR


def _is_awaited(message: Message, episodes: Sequence[str]) -> bool:
    """Tell whether the history has what a message answers, if it answers anything."""
    event = message.event
    kind = Kind(event["EventType"])
    if result := RESULTS.get(kind):
        # A quotation mark within a text would be escaped.
        task = f'"EventId": {event[result.task]},'
        return any(task in episode for episode in episodes)
    if kind == Kind.EventRaised and _REQUEST.fullmatch(event["Name"]):
        return any(event["Name"] in episode for episode in episodes)
    return True
