"""The smallest app with a chain of three activities, and with something that waits."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import azure.durable_functions as df

app = df.DFApp()


@app.orchestration_trigger(context_name="context")
def chain(context: df.DurableOrchestrationContext) -> Generator[Any, Any, list[str]]:
    """Greet three cities, one after the other."""
    greetings = []
    for city in ("Tokyo", "London", "Seattle"):
        greetings.append((yield context.call_activity("greet", city)))
    return greetings


@app.activity_trigger(input_name="city")
def greet(city: str) -> str:
    """Greet one city."""
    return f"Hello {city}!"


@app.orchestration_trigger(context_name="context")
def waiter(context: df.DurableOrchestrationContext) -> Generator[Any, Any, str]:
    """Wait for the event `go`, for ever if need be."""
    return (yield context.wait_for_external_event("go"))
