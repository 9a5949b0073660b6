"""The span of a request says how it was answered, and nothing that its sender wrote."""

from __future__ import annotations

from typing import Any

import azure.functions as func
import pytest
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind, StatusCode

from countersign.platform.telemetry import OPERATION_ID, span
from endpoints.exchange import Exchange, Response
from endpoints.problems import Problem

ID = f"research-{'a1' * 12}"
CALLER = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


def request(path: str, **given: Any) -> func.HttpRequest:
    given = {"method": "GET", "body": b"", **given}
    return func.HttpRequest(url=f"https://host.example/api/{path}", **given)


async def get_report(req: func.HttpRequest) -> Response[None]:
    if req.params.get("fail"):
        raise RuntimeError("words of the document")
    if req.params.get("refuse"):
        raise Problem("not_found", "words of the document")
    return Response(body=b"{}")


asked = Exchange(view=get_report, template="operations/{id}/report").answer


async def test_a_span_has_the_route_and_not_the_path(spans: InMemorySpanExporter) -> None:
    await asked(request(f"operations/{ID}/report?x=secret", route_params={"id": ID}))
    [seen] = spans.get_finished_spans()
    assert (seen.name, seen.kind) == ("get_report", SpanKind.SERVER)
    assert seen.attributes == {
        OPERATION_ID: ID,
        "http.request.method": "GET",
        "http.route": "/api/operations/{id}/report",
        "http.response.status_code": 200,
    }


@pytest.mark.parametrize("found", ["my secret", "my%20secret", "my+secret", "operations", ""])
async def test_what_the_sender_wrote_in_place_of_an_id_is_not_told(
    spans: InMemorySpanExporter, found: str
) -> None:
    path = f"operations/{found}/report"
    await asked(request(path, route_params={"id": found}, params={"refuse": "1"}))
    [seen] = spans.get_finished_spans()
    assert seen.attributes is not None
    assert OPERATION_ID not in seen.attributes
    assert seen.attributes["http.route"] == "/api/operations/{id}/report"
    assert "secret" not in seen.to_json()


@pytest.mark.parametrize(
    "url",
    [
        "http://[12]/api/operations",  # from the Host header `[12]`, which is no address
        "http://]/api/operations",
        "http://host:port/api/operations",
        "operations",
        "",
    ],
)
async def test_whatever_host_a_request_names_it_is_answered(
    spans: InMemorySpanExporter, url: str
) -> None:
    given = func.HttpRequest(method="GET", url=url, body=b"", params={"refuse": "1"})
    assert (await asked(given)).mimetype == "application/problem+json"
    assert len(spans.get_finished_spans()) == 1


async def test_a_refusal_is_told_by_its_code_and_is_no_error(spans: InMemorySpanExporter) -> None:
    await asked(request("operations", params={"refuse": "1"}))
    [seen] = spans.get_finished_spans()
    assert seen.attributes is not None
    assert seen.attributes["countersign.refusal"] == "not_found"
    assert seen.attributes["http.response.status_code"] == 404
    assert seen.status.status_code is StatusCode.UNSET


async def test_a_fault_is_an_error_without_its_words(spans: InMemorySpanExporter) -> None:
    response = await asked(request("operations", params={"fail": "1"}))
    [seen] = spans.get_finished_spans()
    assert seen.attributes is not None
    assert seen.attributes["error.type"] == "RuntimeError"
    assert seen.attributes["http.response.status_code"] == response.status_code == 500
    assert seen.status.status_code is StatusCode.ERROR
    assert "document" not in seen.to_json()


async def test_the_trace_of_a_caller_goes_on(spans: InMemorySpanExporter) -> None:
    await asked(request("operations", headers={"traceparent": CALLER}))
    [seen] = spans.get_finished_spans()
    assert seen.parent is not None
    assert f"{seen.parent.trace_id:032x}-{seen.parent.span_id:016x}" in CALLER


async def test_within_a_span_of_the_host_the_request_is_not_counted_twice(
    spans: InMemorySpanExporter,
) -> None:
    with span("the host's"):
        await asked(request("operations"))
    [seen, _] = spans.get_finished_spans()
    assert seen.kind is SpanKind.INTERNAL
