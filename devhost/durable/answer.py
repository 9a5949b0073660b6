"""What the SDK's orchestrator handle answers, or raises with its answer inside."""

from __future__ import annotations

import json
from typing import Any

_FAILURE_STATE = "\n\n$OutOfProcData$:"


class OrchestratorFailed(Exception):
    """The orchestrator raised; the argument is what becomes of it in the instance's output."""


def failure_state(message: str) -> dict[str, Any]:
    """Return the SDK's answer inside the message of the exception that it raised.

    Raises:
        OrchestratorFailed: There is none, so the instance can't go on.
    """
    # What the orchestrator raised may hold the label as well; the SDK's is the last.
    _, label, state = message.rpartition(_FAILURE_STATE)
    try:
        return json.loads(state if label else "")
    except ValueError:
        raise OrchestratorFailed(message) from None


def custom_status(state: dict[str, Any], limit: int) -> str | None:
    """Return the JSON text of the custom status in the SDK's answer, or None if it has none.

    Args:
        state: The answer.
        limit: The largest one, in bytes of UTF-16.

    Raises:
        OrchestratorFailed: It is larger.
    """
    if "customStatus" not in state:
        return None
    text = json.dumps(state["customStatus"], ensure_ascii=False)
    size = len(text.encode("utf-16-le", "surrogatepass"))
    # The extension counts whole KB, so what is beyond the last one is free.
    if size // 1024 * 1024 > limit:
        raise OrchestratorFailed(
            "The UTF-16 size of the JSON-serialized payload must not exceed"
            f" {limit // 1024} KB. The current payload size is {size // 1024} KB."
        )
    return text
