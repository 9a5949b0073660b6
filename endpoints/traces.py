"""One span for each HTTP request, by OpenTelemetry's conventions for HTTP servers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress

import azure.functions as func
from opentelemetry.trace import Span, SpanKind

from countersign.platform.telemetry import failed, is_traced, span
from endpoints.links import ROOT
from endpoints.lookup import operation_id_in
from endpoints.problems import Problem


@contextmanager
def served(endpoint: str, template: str, request: func.HttpRequest) -> Iterator[Span]:
    """Open the span of a request.

    Args:
        endpoint: the function that answers, after which the span is called.
        template: its route; the path itself may hold any text.
        request: what it answers.
    """
    operation_id = None
    with suppress(Problem):
        operation_id = operation_id_in(request)
    # The Functions host has a span of the request itself, if it traces.
    kind = SpanKind.INTERNAL if is_traced() else SpanKind.SERVER
    caller = request.headers.get("traceparent")
    with span(endpoint, operation_id=operation_id, caller=caller, kind=kind) as current:
        current.set_attribute("http.request.method", str(request.method))
        current.set_attribute("http.route", f"{ROOT}/{template}")
        yield current


def mark_refused(current: Span, code: str, status: int, cause: Exception) -> None:
    """Say why a request was refused; only faults of this side are errors of a server's span."""
    current.set_attribute("countersign.refusal", code)
    if status >= 500:
        failed(current, cause)
