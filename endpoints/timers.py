"""How a function becomes one that the host calls by the clock."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeAlias

import azure.durable_functions as df
import azure.functions as func

from countersign.services import Services
from countersign.wiring import services

TimedWork: TypeAlias = Callable[[Services, df.DurableOrchestrationClient], Awaitable[None]]


def every(blueprint: df.Blueprint, schedule: str) -> Callable[[TimedWork], TimedWork]:
    """Call the function below by a schedule, with the services and the runtime's client.

    Args:
        blueprint: where the function is registered.
        schedule: an NCRONTAB expression of six fields, in UTC.
    """

    def register(work: TimedWork) -> TimedWork:
        async def function(timer: func.TimerRequest, client: df.DurableOrchestrationClient) -> None:
            app = services()
            # What another hub serves is that one's to see to.
            if await app.serving.look():
                await work(app, client)

        function.__name__ = function.__qualname__ = work.__name__
        function.__doc__, function.__module__ = work.__doc__, work.__module__
        with_client = blueprint.durable_client_input(client_name="client")(function)
        blueprint.timer_trigger(schedule=schedule, arg_name="timer")(with_client)
        return work

    return register
