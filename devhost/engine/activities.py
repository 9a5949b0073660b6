"""The activities that orchestrations wait for."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable
from functools import partial

from devhost.app.calls import DURABLE_ATTEMPTS, Answer, App, Call
from devhost.background import Background
from devhost.durable.failures import failure_details, python_failure
from devhost.durable.history import Event, Kind, compact, event
from devhost.durable.instance import Activity
from devhost.durable.plan import HTTP_ACTIVITY
from devhost.engine.mailboxes import Mailboxes
from devhost.engine.weather import Weather
from devhost.engine.webcalls import WebCalls
from devhost.errors import CallLost
from devhost.state.statements import drop_activity, put_message
from devhost.state.store import Store
from devhost.time.clock import Clock


class Activities:
    """Runs activities, a limited number at a time.

    Args:
        background: Another like it runs the requests of orchestrators.
        slots: How many run at a time.
        weather: How activities come to their slots.
    """

    def __init__(  # noqa: PLR0913 - each is a part of the host that it stands on
        self,
        app: App,
        store: Store,
        mailboxes: Mailboxes,
        clock: Clock,
        background: Background,
        slots: int,
        weather: Weather,
    ) -> None:
        self._app = app
        self._store = store
        self._mailboxes = mailboxes
        self._clock = clock
        self._slots = slots
        self._weather = weather
        self._waiting: asyncio.Queue[Activity] = asyncio.Queue()
        self._web = WebCalls(store, mailboxes, clock, background.apart())

    @property
    def busy(self) -> bool:
        """Whether a response to a request of an orchestrator is being waited for."""
        return self._web.busy

    def start(self, activity: Activity) -> None:
        """Run `activity` as soon as there is a free slot."""
        if activity.name == HTTP_ACTIVITY:
            self._web.start(activity)
        else:
            self._weather.carry(partial(self._waiting.put_nowait, activity))

    def recover(self, activities: Iterable[Activity]) -> None:
        """Run activities that an earlier process left."""
        for activity in activities:
            self._weather.hide(partial(self.start, activity), self._weather.hidden.activities)

    async def run(self) -> None:
        """Run activities until cancelled."""
        try:
            await asyncio.gather(*(self._slot() for _ in range(self._slots)))
        finally:
            await self._web.close()

    async def _slot(self) -> None:
        while True:
            activity = await self._waiting.get()
            self._report(activity, await self._result(activity))

    def _report(self, activity: Activity, result: Event) -> None:
        message = self._mailboxes.address(activity.instance, result, activity.execution)
        # Nobody waits for this: should it be lost, the activity runs once more.
        self._store.commit([drop_activity(activity), put_message(message)])
        self._mailboxes.deliver([message])

    async def _result(self, activity: Activity) -> Event:
        function = self._app.catalogue.activity(activity.name)
        if function is None:
            why = self._app.catalogue.absence("activityTrigger", activity.name)
            return self._failure(activity, f"Activity function '{activity.name}' {why}")
        body = (activity.input or "null").encode()
        try:
            answer = await self._app.call(
                Call(function=function.name, body=body, attempts=DURABLE_ATTEMPTS)
            )
        except CallLost as lost:
            return self._failure(activity, str(lost))
        if answer.error is not None:
            return self._failure(activity, answer.error, answer)
        return event(
            Kind.TaskCompleted,
            self._clock.now(),
            TaskScheduledId=activity.task,
            Result=_result(answer.body.decode()),
        )

    def _failure(self, activity: Activity, message: str, answer: Answer | None = None) -> Event:
        cause = python_failure(message, answer.stack or "") if answer else None
        return event(
            Kind.TaskFailed,
            self._clock.now(),
            TaskScheduledId=activity.task,
            Reason=f"Activity function '{activity.name}' failed: {message}",
            Details=failure_details("System.Exception", message, cause),
        )


def _result(text: str) -> str | None:
    if text in ("", "null"):
        return None
    try:
        return compact(json.loads(text))
    except (RecursionError, ValueError):
        return text
