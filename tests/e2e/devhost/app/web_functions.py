"""Orchestrators that make HTTP requests themselves."""

from collections.abc import Generator
from typing import Any

import azure.durable_functions as df

# The SDK's own types say less than its objects can do.
Context = Any
Steps = Generator[Any, Any, Any]

web = df.Blueprint()


@web.orchestration_trigger(context_name="context")
def fetch(context: Context) -> Steps:
    given = context.get_input()
    try:
        answer = yield context.call_http(
            given["method"], given["uri"], given.get("content"), given.get("headers")
        )
    except Exception as error:  # noqa: BLE001 - the SDK raises nothing more specific
        return f"failed: {str(error).splitlines()[0].strip()}"
    return [answer, (yield context.call_activity("echo", "after"))]
