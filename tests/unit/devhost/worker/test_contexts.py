from __future__ import annotations

from devhost.worker.contexts import context

PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


def test_a_call_continues_the_trace_of_its_request() -> None:
    headers = {"traceparent": PARENT, "tracestate": "a=b"}
    trace = context("f", "/app", {"http": {"headers": headers}}).trace_context
    version, trace_id, span, flags = trace.trace_parent.split("-")
    assert (version, trace_id, flags) == ("00", "0af7651916cd43dd8448eb211c80319c", "01")
    assert (len(span), span) != (16, "b7ad6b7169203331")
    assert (trace.Traceparent, trace.Tracestate) == (trace.trace_parent, trace.trace_state)
    assert trace.trace_state == "a=b"
    assert trace.attributes is trace.Attributes


def test_any_other_call_begins_a_trace() -> None:
    one, other = (context("f", "/app", {}).trace_context for _ in range(2))
    assert one.trace_parent[:36] != other.trace_parent[:36]
    malformed = {"http": {"headers": {"traceparent": "00-x", "tracestate": "a=b"}}}
    assert context("f", "/app", malformed).trace_context.trace_state == ""


def test_every_call_has_a_retry_context() -> None:
    first = context("f", "/app", {}).retry_context
    assert (first.retry_count, first.max_retry_count) == (0, 0)
    assert (first.rpc_exception.message, first.rpc_exception.stack_trace) == ("", "")
    retry = {"count": 2, "most": 3, "message": "ValueError: no", "stack": "Traceback"}
    again = context("f", "/app", {"retry": retry}).retry_context
    assert (again.retry_count, again.max_retry_count) == (2, 3)
    assert again.rpc_exception.message == "ValueError: no"
