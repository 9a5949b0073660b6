"""What a collector gets to see of an operation, and what it must not."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import (
    ExportMetricsServiceRequest,
)
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span, Status

from testbed.serving import serving

pytestmark = pytest.mark.devhost_only("the Functions host sends spans of its own, with addresses")

TOPIC = "Why the quokkatopic smiles"
DOCUMENT = "The quokkatopic smiles because its cheekwordmarker muscles lift the mouth."
COMMENT = "Say more about the remarkmarker, please."
SECRETS = ["quokkatopic", "cheekwordmarker", "remarkmarker"]
PEOPLE = ["Rita", "Victor"]
ID = "countersign.operation_id"


class Collector:
    """An OTLP/HTTP receiver (opentelemetry.io/docs/specs/otlp) that keeps what it is sent."""

    def __init__(self) -> None:
        self.bodies: list[tuple[str, bytes]] = []
        received = self.bodies

        class Receiver(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                received.append((self.path, body))
                self.send_response(200)
                self.send_header("Content-Type", "application/x-protobuf")
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def spans(self) -> list[Span]:
        requests = [
            ExportTraceServiceRequest.FromString(body)
            for path, body in list(self.bodies)
            if path == "/v1/traces"
        ]
        scopes = [each for request in requests for each in request.resource_spans]
        return [span for each in scopes for scope in each.scope_spans for span in scope.spans]

    def metrics(self) -> dict[str, list[dict[str, Any]]]:
        """The attributes of all data points, by the name of the metric."""
        found: dict[str, list[dict[str, Any]]] = {}
        for path, body in list(self.bodies):
            if path != "/v1/metrics":
                continue
            for each in ExportMetricsServiceRequest.FromString(body).resource_metrics:
                for metric in (metric for scope in each.scope_metrics for metric in scope.metrics):
                    points = [*metric.histogram.data_points, *metric.sum.data_points]
                    found.setdefault(metric.name, []).extend(map(facts, points))
        return found

    def has_seen(self, text: str) -> bool:
        return any(text.encode() in body for _, body in list(self.bodies))

    def named(self, name: str) -> list[Span]:
        return [span for span in self.spans() if span.name == name]


def facts(carrier: Any) -> dict[str, Any]:
    """The attributes of a span or of a data point."""
    return {
        each.key: getattr(each.value, each.value.WhichOneof("value")) for each in carrier.attributes
    }


@pytest.fixture
def collector() -> Iterator[Collector]:
    collector = Collector()
    with serving(collector.server):
        yield collector


@pytest.fixture
def desk(collector: Collector, make_host: Callable[..., Any], desk_at: Callable[..., Any]) -> Any:
    """Makes the people at a host that sends its telemetry to the collector at once."""

    def start(**settings: str) -> Any:
        host = make_host(
            OTEL_EXPORTER_OTLP_ENDPOINT=collector.url,
            OTEL_BSP_SCHEDULE_DELAY="20",
            OTEL_METRIC_EXPORT_INTERVAL="100",
            NO_PROXY="127.0.0.1",
            **settings,
        )
        return desk_at(host.start())

    return start


def publish(desk: Any, collector: Collector, *, crash: bool = False) -> str:
    """Have a report made of the document, sent back once, approved and published.

    Args:
        crash: kill the host while it waits for the second decision.
    """
    documents = [{"title": "Smiles", "text": DOCUMENT}]
    operation_id = desk.ask(TOPIC, documents=documents)
    first = desk.until_version(operation_id)
    desk.host.until(lambda: ("wait", 1) in outcomes(collector), "the gate looked and waits")
    assert desk.decide(operation_id, first, "revise", comment=COMMENT).status_code == 200
    second = desk.until_version(operation_id, 2)
    if crash:
        desk.host.until(lambda: ("wait", 2) in outcomes(collector), "the gate's span was sent")
        desk.host.restart()
    approved = desk.decide(operation_id, second, token=desk.second, comment=COMMENT)
    assert approved.status_code == 200
    desk.until_state(operation_id, "published")
    desk.host.until(lambda: collector.named("publish_report"), "the last span was sent")
    return operation_id


def outcomes(collector: Collector) -> set[tuple[str, int]]:
    """What the looks at the ledger have found, for which version."""
    seen = map(facts, collector.named("settle_proposal"))
    return {(each["countersign.outcome"], each["countersign.version"]) for each in seen}


def test_one_trace_leads_from_the_request_to_the_gate_and_the_agents(
    desk: Any, collector: Collector
) -> None:
    operation_id = publish(desk(), collector, crash=True)
    [request] = collector.named("start_research")
    [draft, redraft] = collector.named("invoke_agent Writer")
    trace = {span.name: span for span in collector.spans() if span.trace_id == request.trace_id}
    assert trace.keys() >= {
        "start_research",
        "start_orchestration",
        "plan_research",
        "research_subtopic",
        "ask_team",
        "invoke_agent Researcher",
        "chat extractive",
        "check_facts",
        "write_draft",
        "settle_proposal",
        "publish_report",
    }
    assert draft.trace_id == redraft.trace_id == request.trace_id
    assert {facts(span).get(ID) for span in trace.values()} == {operation_id}
    looks = {("wait", 1), ("revise", 1), ("wait", 2), ("publish", 2)}
    assert outcomes(collector) == looks
    assert not [span for span in trace.values() if span.status.code == Status.STATUS_CODE_ERROR]


def test_a_decision_is_a_trace_of_its_own_that_the_operation_id_joins(
    desk: Any, collector: Collector
) -> None:
    operation_id = publish(desk(), collector)
    first, second = collector.named("decide_proposal")
    assert first.trace_id != second.trace_id
    assert facts(second) == {
        ID: operation_id,
        "http.request.method": "POST",
        "http.route": "/api/operations/{id}/proposals/{version}/decision",
        "http.response.status_code": 200,
    }
    [ring] = [s for s in collector.named("ring_gate") if s.parent_span_id == second.span_id]
    told = facts(ring)
    assert told.pop("countersign.delivery") in {"delivered", "pending"}
    assert told == {ID: operation_id, "countersign.version": 2}


def test_a_question_is_found_by_the_operation_id_down_to_the_agent(
    desk: Any, collector: Collector
) -> None:
    people = desk()
    operation_id = people.ask(TOPIC, documents=[{"title": "Smiles", "text": DOCUMENT}])
    people.until_version(operation_id)
    path = f"operations/{operation_id}/proposals/1/questions"
    question = {"question": "Why does the quokkatopic smile?"}
    asked = people.host.call("POST", path, people.reviewer, json=question)
    assert asked.status_code == 202, asked.text
    people.host.until(lambda: collector.named("settle_question"), "the last span was sent")
    [request], [answering] = collector.named("ask_question"), collector.named("answer_question")
    assert [each.trace_id for each in collector.named("start_answering")] == [request.trace_id]
    within = [each for each in collector.spans() if each.trace_id == answering.trace_id]
    assert {each.name for each in within} >= {"answer_question", "ask_team", "chat extractive"}
    joined = [request, *within, *collector.named("settle_question")]
    assert {facts(each).get(ID) for each in joined} == {operation_id}
    assert not any(collector.has_seen(text) for text in [*SECRETS, *PEOPLE])


def test_tokens_are_counted_by_model_and_step_and_never_by_operation(
    desk: Any, collector: Collector
) -> None:
    running = desk()
    publish(running, collector)
    wanted = {"gen_ai.client.token.usage", "countersign.work.tokens"}
    running.host.until(lambda: collector.metrics().keys() >= wanted, "the metrics were sent")
    metrics = collector.metrics()
    usage = metrics["gen_ai.client.token.usage"]
    assert {point["gen_ai.token.type"] for point in usage} == {"input", "output"}
    assert {point["gen_ai.request.model"] for point in usage} == {"extractive"}
    steps = {point["countersign.step"] for point in metrics["countersign.work.tokens"]}
    assert steps == {"research", "check", "draft"}
    assert not [point for points in metrics.values() for point in points if ID in point]


def test_no_text_of_the_work_is_sent(desk: Any, collector: Collector) -> None:
    # The framework's own switch alone does not count.
    running = desk(ENABLE_SENSITIVE_DATA="true")
    publish(running, collector)
    missing = running.host.call("GET", "operations/quokkatopic", running.requester)
    assert missing.status_code == 404
    running.host.until(lambda: collector.named("get_operation"), "the refusal's span was sent")
    assert [text for text in [*SECRETS, *PEOPLE] if collector.has_seen(text)] == []


def test_texts_are_sent_if_a_setting_asks_for_them(desk: Any, collector: Collector) -> None:
    publish(desk(COUNTERSIGN_TELEMETRY_TEXTS="true"), collector)
    assert [text for text in SECRETS if collector.has_seen(text)] == SECRETS


def test_an_answer_of_a_model_that_fails_the_work_is_not_sent(
    desk: Any, collector: Collector, babbler: str
) -> None:
    running = desk(
        COUNTERSIGN_MODEL_PROVIDER="compatible",
        COUNTERSIGN_MODEL="babbler-1",
        COUNTERSIGN_MODEL_URL=babbler,
    )
    running.until_state(running.ask(TOPIC), "needs_operator")

    def ended() -> list[Any]:
        spans = collector.named("research_subtopic")
        return [each for each in spans if facts(each)["countersign.outcome"] == "needs_operator"]

    running.host.until(ended, "the last span was sent")
    failed = [s for s in collector.spans() if s.status.code == Status.STATUS_CODE_ERROR]
    assert {(s.name, facts(s)["error.type"]) for s in failed} == {("ask_team", "NotInForm")}
    assert collector.named("chat babbler-1")
    assert not [event for span in collector.spans() for event in span.events]
    assert not collector.has_seen("babblemarker")


@pytest.fixture
def babbler() -> Iterator[str]:
    """The address of a model that never answers in the agreed form."""

    class Babbler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            message = {"role": "assistant", "content": "babblemarker, babblemarker!"}
            choice = {"index": 0, "finish_reason": "stop", "message": message}
            answer = {
                "id": "c-1",
                "object": "chat.completion",
                "created": 1,
                "model": "babbler-1",
                "choices": [choice],
                "usage": {"prompt_tokens": 9, "completion_tokens": 3, "total_tokens": 12},
            }
            body = json.dumps(answer).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Babbler)
    with serving(server):
        yield f"http://127.0.0.1:{server.server_port}/v1"
