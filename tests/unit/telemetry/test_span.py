"""Spans say what happened in an operation, never in the words of the work."""

from __future__ import annotations

import asyncio

import pytest
from opentelemetry import trace
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import StatusCode

from countersign.platform.telemetry import OPERATION_ID, about, span, traceparent

CALLER = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


def test_a_failure_shows_its_type_and_none_of_its_words(spans: InMemorySpanExporter) -> None:
    with pytest.raises(ValueError, match="secret"), span("check_facts"):
        raise ValueError("the secret of the document")
    [seen] = spans.get_finished_spans()
    assert seen.status.status_code is StatusCode.ERROR
    assert seen.status.description is None
    assert seen.attributes == {"error.type": "ValueError"}
    assert seen.events == ()


def test_facts_get_the_prefix_and_what_is_unknown_is_left_out(spans: InMemorySpanExporter) -> None:
    with span("write_draft", operation_id="research-1", version=2, round=None):
        pass
    [seen] = spans.get_finished_spans()
    assert seen.attributes == {OPERATION_ID: "research-1", "countersign.version": 2}


def test_everything_within_an_operation_bears_its_id(spans: InMemorySpanExporter) -> None:
    async def library() -> None:
        with trace.get_tracer("a library").start_as_current_span("chat"):
            pass

    with span("research_subtopic", operation_id="research-1"), span("ask_team"):
        asyncio.run(library())
    with span("get_health"):
        pass
    ids = {
        seen.name: (seen.attributes or {}).get(OPERATION_ID) for seen in spans.get_finished_spans()
    }
    assert ids == {
        "research_subtopic": "research-1",
        "ask_team": "research-1",
        "chat": "research-1",
        "get_health": None,
    }


def test_a_span_can_learn_late_what_it_is_about(spans: InMemorySpanExporter) -> None:
    with span("start_research"):
        about("research-1")
    [seen] = spans.get_finished_spans()
    assert seen.attributes == {OPERATION_ID: "research-1"}


def test_the_caller_s_trace_goes_on(spans: InMemorySpanExporter) -> None:
    with span("settle_proposal", caller=CALLER):
        pass
    [seen] = spans.get_finished_spans()
    assert seen.parent is not None
    assert f"{seen.parent.trace_id:032x}-{seen.parent.span_id:016x}" in CALLER


def test_the_platform_s_own_trace_comes_before_the_caller_s(spans: InMemorySpanExporter) -> None:
    with span("activity of the platform") as platform, span("settle_proposal", caller=CALLER):
        pass
    traces = {seen.context.trace_id for seen in spans.get_finished_spans() if seen.context}
    assert traces == {platform.get_span_context().trace_id}


@pytest.mark.parametrize(
    "caller",
    [
        None,
        "",
        "no trace at all",
        "00-00000000000000000000000000000000-0000000000000000-00",  # ids that mean none
        CALLER.upper(),
        "0" * 100_000,
        7,
        ["00"],
        {"traceparent": CALLER},
    ],
)
def test_a_malformed_caller_leaves_a_trace_of_its_own(
    spans: InMemorySpanExporter, caller: object
) -> None:
    with span("settle_proposal", caller=caller):
        pass
    [seen] = spans.get_finished_spans()
    assert seen.parent is None


def test_a_span_can_be_referred_to_from_another_process(spans: InMemorySpanExporter) -> None:
    assert traceparent() is None
    with span("start_orchestration"):
        here = traceparent()
    with span("plan_research", caller=here):
        pass
    first, second = spans.get_finished_spans()
    assert first.context is not None
    assert second.parent is not None
    assert second.parent.span_id == first.context.span_id
