"""What a function can ask about its own call. Runs in the worker process.

As of the Functions worker: `bindings/context.py`, `tracecontext.py` and `retrycontext.py` of
https://github.com/Azure/azure-functions-python-worker. What a timer function's retries are told
of the exception before is there `rpc_exception`, and not the `exception` that `azure.functions`
documents.
"""

from __future__ import annotations

import re
import secrets
import threading
import uuid
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

# https://www.w3.org/TR/trace-context/#traceparent-header
_TRACE_PARENT = re.compile(r"00-([0-9a-f]{32})-[0-9a-f]{16}-([0-9a-f]{2})")


def context(name: str, folder: str, request: Mapping[str, Any]) -> SimpleNamespace:
    """Return the context of a call.

    Args:
        name: The function's.
        folder: The app's folder.
        request: The header of the frame that asks for the call.
    """
    return SimpleNamespace(
        function_name=name,
        function_directory=folder,
        invocation_id=str(uuid.uuid4()),
        thread_local_storage=threading.local(),
        trace_context=_trace(request.get("http", {}).get("headers", {})),
        retry_context=_retry(request.get("retry", {})),
    )


def _trace(headers: Mapping[str, str]) -> SimpleNamespace:
    """Return a span of the trace that a request belongs to, or of a new one."""
    found = _TRACE_PARENT.fullmatch(headers.get("traceparent", ""))
    trace, flags = found.groups() if found else (secrets.token_hex(16), "00")
    parent = f"00-{trace}-{secrets.token_hex(8)}-{flags}"
    state = headers.get("tracestate", "") if found else ""
    attributes: dict[str, str] = {}
    return SimpleNamespace(
        trace_parent=parent,
        Traceparent=parent,
        trace_state=state,
        Tracestate=state,
        attributes=attributes,
        Attributes=attributes,
    )


def _retry(retry: Mapping[str, Any]) -> SimpleNamespace:
    return SimpleNamespace(
        retry_count=retry.get("count", 0),
        max_retry_count=retry.get("most", 0),
        rpc_exception=SimpleNamespace(
            source="", stack_trace=retry.get("stack", ""), message=retry.get("message", "")
        ),
    )
