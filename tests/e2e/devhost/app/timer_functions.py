"""A timer function that fails at first."""

import os
from pathlib import Path
from typing import Any

import azure.functions as func

timers = func.Blueprint()
marks = Path(os.environ["MARKS"])


@timers.timer_trigger(schedule="%YEARLY%", arg_name="timer")
@timers.retry(strategy="fixed_delay", max_retry_count="2", delay_interval="00:00:01")
def stumbling(timer: func.TimerRequest, context: func.Context) -> None:
    retried: Any = context.retry_context
    (marks / f"stumbling-{retried.retry_count}").touch()
    if retried.retry_count < retried.max_retry_count:
        raise RuntimeError("not yet")
