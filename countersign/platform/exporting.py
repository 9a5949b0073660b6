"""The OpenTelemetry SDK: it sends what `telemetry` sees to the collector of the environment.

To import this is to import the SDK, so it is done only where one is wanted.
"""

from __future__ import annotations

import os
from typing import Final

from opentelemetry import context, metrics, trace
from opentelemetry.sdk.environment_variables import OTEL_TRACES_SAMPLER
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import PeriodicExportingMetricReader
from opentelemetry.sdk.resources import SERVICE_NAME, OTELResourceDetector, Resource
from opentelemetry.sdk.trace import Span, SpanProcessor, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.sdk.trace.sampling import ALWAYS_ON, ParentBased

from countersign.platform.telemetry import (
    COLLECTOR,
    METRICS_COLLECTOR,
    NAME,
    OPERATION_ID,
    TRACES_COLLECTOR,
)

EVERYTHING: Final = ParentBased(ALWAYS_ON, remote_parent_not_sampled=ALWAYS_ON)
"""What is recorded unless `OTEL_TRACES_SAMPLER` says otherwise: that a caller doesn't record their
side of a request is no reason for an operator not to see ours."""


class OperationIds(SpanProcessor):
    """Writes the id of the operation under way on every span, those of libraries too."""

    def on_start(self, span: Span, parent_context: context.Context | None = None) -> None:
        """Mark a span that begins."""
        if operation_id := context.get_value(OPERATION_ID, parent_context):
            span.set_attribute(OPERATION_ID, str(operation_id))


def set_up() -> None:
    """Send spans and metrics by OTLP over HTTP, as the standard `OTEL_…` settings say.

    Where only one of the two has an address, only that is sent. Logs are not: they may quote what
    the work is about.
    """
    named = Resource({SERVICE_NAME: NAME}).merge(OTELResourceDetector().detect())
    resource = Resource.create(named.attributes)
    everything = os.environ.get(COLLECTOR)
    # Both are made before either is set: settings that the SDK refuses leave nothing behind.
    spans = _spans(resource) if everything or os.environ.get(TRACES_COLLECTOR) else None
    meters = _metrics(resource) if everything or os.environ.get(METRICS_COLLECTOR) else None
    if spans:
        trace.set_tracer_provider(spans)
    if meters:
        metrics.set_meter_provider(meters)


def _spans(resource: Resource) -> TracerProvider:
    # The worker's own set-up has no use for the exporters, and they take long to import.
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter

    sampler = None if os.environ.get(OTEL_TRACES_SAMPLER) else EVERYTHING
    provider = TracerProvider(sampler=sampler, resource=resource)
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    return provider


def _metrics(resource: Resource) -> MeterProvider:
    from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter

    reader = PeriodicExportingMetricReader(OTLPMetricExporter())
    return MeterProvider(resource=resource, metric_readers=[reader])


def follow_operations() -> None:
    """Mark the spans of whatever SDK is set up; another implementation is left alone."""
    provider = trace.get_tracer_provider()
    if isinstance(provider, TracerProvider):
        provider.add_span_processor(OperationIds())
