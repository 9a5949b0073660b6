"""Each run of an activity is a span in the trace of the request that led to it."""

from __future__ import annotations

from typing import Any

import pytest
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from activities.traces import traced
from countersign.platform.telemetry import OPERATION_ID, span, traceparent


@traced
async def settle_proposal(proposal: dict[str, Any]) -> dict[str, Any]:
    return {"next": proposal["next"], "reason": "words of the reviewer"}


def order(**more: Any) -> dict[str, Any]:
    return {"tenant": "home", "operation_id": "research-1", "next": "wait", **more}


@pytest.mark.parametrize("by_name", [True, False])
async def test_an_activity_tells_its_operation_version_and_outcome(
    spans: InMemorySpanExporter, *, by_name: bool
) -> None:
    given = order(version=2)
    answer = await (settle_proposal(proposal=given) if by_name else settle_proposal(given))
    [seen] = spans.get_finished_spans()
    assert answer["next"] == "wait"
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
    await settle_proposal(order(trace=trace))
    seen = spans.get_finished_spans()[-1]
    assert seen.context is not None
    assert seen.context.trace_id == request.get_span_context().trace_id


async def test_an_order_of_an_older_version_of_the_app_has_a_trace_of_its_own(
    spans: InMemorySpanExporter,
) -> None:
    await settle_proposal(order())
    [seen] = spans.get_finished_spans()
    assert seen.parent is None
