"""Trace contexts in histories.

This host makes no spans. An execution is a trace of its own, so its id serves as the trace's.
"""

from __future__ import annotations

import secrets
from datetime import datetime
from typing import Any

from devhost.time.clock import stamp, trimmed


def started_in(execution: str, moment: datetime) -> dict[str, Any]:
    """Return the context of an orchestration, in a trace that began before it."""
    span = new_span()
    return {
        "ActivityStartTime": offset_form(moment),
        "Id": f"00-{execution}-{span}-00",
        "SpanId": span,
        "TraceParent": _parent(execution),
        "TraceState": None,
    }


def called_in(execution: str) -> dict[str, Any]:
    """Return the context of what an orchestration asks for."""
    nothing = dict.fromkeys(("ActivityStartTime", "Id", "SpanId", "TraceState"))
    return {**nothing, "TraceParent": _parent(execution)}


def new_span() -> str:
    """Return the id of another span."""
    return secrets.token_hex(8)


def offset_form(moment: datetime) -> str:
    """Write `moment` as .NET writes one that carries its offset."""
    return trimmed(stamp(moment))[:-1] + "+00:00"


def _parent(execution: str) -> str:
    return f"00-{execution}-{new_span()}-00"
