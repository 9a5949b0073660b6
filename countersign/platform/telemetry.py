"""What can be seen of the app from outside: spans and metrics, and never a text of the work.

All of this is written against the OpenTelemetry API, which does nothing until somebody sets an SDK
up: the Functions worker, or `exporting` where the environment names a collector.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from threading import Lock
from typing import Final

from opentelemetry import context, metrics, trace
from opentelemetry.trace import Span, SpanKind, StatusCode
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

NAME: Final = "countersign"
OPERATION_ID: Final = "countersign.operation_id"
COLLECTOR: Final = "OTEL_EXPORTER_OTLP_ENDPOINT"
"""Where everything goes. The Functions host reads it too, and sends spans and logs of its own."""

TRACES_COLLECTOR: Final = "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"
METRICS_COLLECTOR: Final = "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT"

_DAY = 86_400
_WAITS = [1, 10, 60, 600, 3_600, 4 * 3_600, 12 * 3_600, _DAY, 2 * _DAY, 7 * _DAY, 30 * _DAY]

_W3C = TraceContextTextMapPropagator()
_starting = Lock()
_log = logging.getLogger(__name__)

_meter = metrics.get_meter(NAME)
_tokens = _meter.create_counter(
    "countersign.work.tokens",
    unit="{token}",
    description="What the team's steps cost, estimated where a model reports no usage.",
)
_waits = _meter.create_histogram(
    "countersign.decision.wait",
    unit="s",
    description="From the opening of a version to each decision about it.",
    explicit_bucket_boundaries_advisory=_WAITS,
)


@contextmanager
def span(
    name: str,
    *,
    operation_id: str | None = None,
    caller: object = None,
    kind: SpanKind = SpanKind.INTERNAL,
    **facts: str | int | None,
) -> Iterator[Span]:
    """Open a span under what is going on already, and mark it as failed if an exception leaves it.

    Of an exception only the type is told (`error.type`): its message may quote a document or a
    model's answer.

    Args:
        name: what is done, in one of few words.
        operation_id: what this and all within it is about; within an operation it is known.
        caller: the `traceparent` (W3C Trace Context) of who asked for this from another process.
            It counts if the platform has propagated none, and anything malformed is passed over.
        kind: the part that this plays between two processes.
        facts: further attributes, which get the prefix `countersign.`; None is left out.
    """
    # A cache alone would let two threads start at once.
    with _starting:
        _start()
    token = context.attach(_surroundings(operation_id, caller))
    try:
        with _opened(name, kind, facts) as current:
            yield current
    finally:
        context.detach(token)


def about(operation_id: str) -> None:
    """Say what the current span is about, if that is known only after it began."""
    trace.get_current_span().set_attribute(OPERATION_ID, operation_id)


def failed(current: Span, error: Exception) -> None:
    """Mark a span as failed, for a reason of which only the type is told."""
    current.set_attribute("error.type", type(error).__name__)
    current.set_status(StatusCode.ERROR)


def is_traced() -> bool:
    """Return whether there is a span already, here or in the process that called."""
    return trace.get_current_span().get_span_context().is_valid


def traceparent() -> str | None:
    """Return the current span as others can refer to it (W3C Trace Context), if there is one."""
    carrier: dict[str, str] = {}
    _W3C.inject(carrier)
    return carrier.get("traceparent")


def count_tokens(tokens: int, *, step: str, model: str) -> None:
    """Count what a model call has cost, by the kind of step that made it."""
    _tokens.add(tokens, {"countersign.step": step, "gen_ai.request.model": model})


def record_wait(seconds: float, *, decision: str) -> None:
    """Record how long a version had waited when somebody decided about it."""
    _waits.record(seconds, {"countersign.decision": decision})


def send_texts(wanted: bool) -> None:
    """Let the agents' spans hold prompts and answers, or keep them from it.

    The framework's own switch (`ENABLE_SENSITIVE_DATA`) does not count: it may be set for another
    app.
    """
    from agent_framework.observability import OBSERVABILITY_SETTINGS

    OBSERVABILITY_SETTINGS.enable_sensitive_data = wanted


@contextmanager
def _opened(name: str, kind: SpanKind, facts: Mapping[str, str | int | None]) -> Iterator[Span]:
    with trace.get_tracer(NAME).start_as_current_span(
        name,
        kind=kind,
        attributes=_attributes(facts),
        record_exception=False,
        set_status_on_exception=False,
    ) as current:
        try:
            yield current
        except Exception as error:
            failed(current, error)
            raise


def _attributes(facts: Mapping[str, str | int | None]) -> dict[str, str | int]:
    known = {f"{NAME}.{key}": fact for key, fact in facts.items() if fact is not None}
    operation_id = context.get_value(OPERATION_ID)
    return {**known, OPERATION_ID: str(operation_id)} if operation_id else known


def _surroundings(operation_id: str | None, caller: object) -> context.Context:
    around = context.get_current()
    if isinstance(caller, str) and not is_traced():
        around = _W3C.extract({"traceparent": caller}, around)
    return context.set_value(OPERATION_ID, operation_id, around) if operation_id else around


@cache
def _start() -> None:
    """Do what the environment asks for, not before there is something to see."""
    nobody_did = isinstance(trace.get_tracer_provider(), trace.ProxyTracerProvider)
    if nobody_did and not any(
        map(os.environ.get, (COLLECTOR, TRACES_COLLECTOR, METRICS_COLLECTOR))
    ):
        return
    try:
        from countersign.platform import exporting

        if nobody_did:
            exporting.set_up()
        exporting.follow_operations()
    except Exception as error:  # noqa: BLE001 - whatever an SDK raises, the work goes on unseen
        _log.warning("telemetry is not exported: %s", error)
