"""Each run of an activity is a span in the trace of the request that led to it."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from activities.step import traced
from countersign.platform.telemetry import OPERATION_ID, span, traceparent
from countersign.services import Services
from countersign.steps.records import Settled, VersionWork

NO_SERVICES = cast("Services", None)
WORK = VersionWork(tenant="home", operation_id="research-1", version=2)


async def settle_proposal(app: Services, work: VersionWork) -> Settled:
    return Settled(next="wait", wake_at="2026-11-30T12:00:00+00:00")


async def test_an_activity_tells_its_operation_version_and_outcome(
    spans: InMemorySpanExporter,
) -> None:
    await traced(settle_proposal, NO_SERVICES, WORK)
    [seen] = spans.get_finished_spans()
    assert seen.name == "settle_proposal"
    assert seen.attributes == {
        OPERATION_ID: "research-1",
        "countersign.version": 2,
        "countersign.outcome": "wait",
    }


async def test_an_activity_on_another_day_is_in_the_trace_of_the_request(
    spans: InMemorySpanExporter,
) -> None:
    with span("start_research") as request:
        trace = traceparent()
    await traced(settle_proposal, NO_SERVICES, replace(WORK, trace=trace))
    seen = spans.get_finished_spans()[-1]
    assert seen.context is not None
    assert seen.context.trace_id == request.get_span_context().trace_id


async def test_work_of_an_older_version_of_the_app_has_a_trace_of_its_own(
    spans: InMemorySpanExporter,
) -> None:
    await traced(settle_proposal, NO_SERVICES, WORK)
    [seen] = spans.get_finished_spans()
    assert seen.parent is None
