"""Nothing is set up or sent unless the environment says where to, and never twice."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent.parent

SDK = "[name for name in sys.modules if name.startswith('opentelemetry.sdk')]"
OTLP = "[name for name in sys.modules if name.startswith('opentelemetry.exporter')]"
SPAN = (
    "with span('plan_research', operation_id='research-1') as seen: recording = seen.is_recording()"
)


def run(*lines: str, **settings: str) -> str:
    """Run lines in a process of its own, with these settings and no others of telemetry."""
    clean = {
        key: value
        for key, value in os.environ.items()
        if not key.startswith(("OTEL_", "ENABLE_", "COUNTERSIGN_"))
    }
    done = subprocess.run(
        [sys.executable, "-c", "\n".join(["import sys", *lines])],
        env={**clean, **settings},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    return done.stdout


def test_the_app_starts_without_an_sdk() -> None:
    assert run("import function_app", f"print({SDK}, {OTLP})").split() == ["[]", "[]"]


def test_without_a_collector_no_sdk_is_imported() -> None:
    seen = run("from countersign.platform.telemetry import span", SPAN, f"print(recording, {SDK})")
    assert seen.split() == ["False", "[]"]


def test_a_collector_that_is_not_there_disturbs_nothing() -> None:
    seen = run(
        "from countersign.platform.telemetry import span",
        SPAN,
        "print(seen.resource.attributes['service.name'])",
        OTEL_EXPORTER_OTLP_ENDPOINT="http://127.0.0.1:9",
        OTEL_EXPORTER_OTLP_TIMEOUT="1",
    )
    assert seen.split() == ["countersign"]


def test_the_service_can_be_named() -> None:
    seen = run(
        "from countersign.platform.telemetry import span",
        SPAN,
        "print(seen.resource.attributes['service.name'])",
        OTEL_EXPORTER_OTLP_ENDPOINT="http://127.0.0.1:9",
        OTEL_EXPORTER_OTLP_TIMEOUT="1",
        OTEL_SERVICE_NAME="reports",
    )
    assert seen.split() == ["reports"]


@pytest.mark.parametrize(
    ("signal", "sent"),
    [("TRACES", "spans: True, metrics: False"), ("METRICS", "spans: False, metrics: True")],
)
def test_what_has_an_address_of_its_own_is_sent_and_nothing_else(signal: str, sent: str) -> None:
    # The Functions host knows only the address of everything, so it sends nothing then.
    seen = run(
        "from opentelemetry import metrics",
        "from countersign.platform.telemetry import span",
        SPAN,
        "meters = type(metrics.get_meter_provider()).__module__.startswith('opentelemetry.sdk')",
        "print(f'spans: {recording}, metrics: {meters}')",
        OTEL_EXPORTER_OTLP_TIMEOUT="1",
        **{f"OTEL_EXPORTER_OTLP_{signal}_ENDPOINT": "http://127.0.0.1:9/v1/x"},
    )
    assert seen == f"{sent}\n"


def test_settings_that_the_sdk_refuses_leave_the_work_unseen_and_undisturbed() -> None:
    seen = run(
        "from countersign.platform.telemetry import span",
        SPAN,
        "print(recording)",
        OTEL_EXPORTER_OTLP_ENDPOINT="http://127.0.0.1:9",
        OTEL_METRIC_EXPORT_INTERVAL="-1",
    )
    assert seen.split() == ["False"]


def test_what_the_worker_has_set_up_is_left_in_place_and_follows_operations() -> None:
    seen = run(
        "from opentelemetry import trace",
        "from opentelemetry.sdk.trace import TracerProvider",
        "provider = TracerProvider()",
        "trace.set_tracer_provider(provider)",
        "from countersign.platform.telemetry import span",
        "with span('plan_research', operation_id='research-1'):",
        "    inner = trace.get_tracer('a library').start_span('chat')",
        f"print(trace.get_tracer_provider() is provider, {OTLP}, inner.attributes)",
        OTEL_EXPORTER_OTLP_ENDPOINT="http://127.0.0.1:9",
    )
    assert seen == "True [] {'countersign.operation_id': 'research-1'}\n"


CALLER = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-{}"


def recorded(flags: str, **settings: str) -> str:
    """Whether the operation of a caller with these flags in their `traceparent` is recorded."""
    return run(
        "from countersign.platform.telemetry import span",
        f"with span('start_research', caller='{CALLER.format(flags)}') as seen:",
        "    print(seen.is_recording(), f'{seen.get_span_context().trace_id:032x}')",
        OTEL_EXPORTER_OTLP_ENDPOINT="http://127.0.0.1:9",
        OTEL_EXPORTER_OTLP_TIMEOUT="1",
        **settings,
    ).strip()


def test_a_caller_s_trace_goes_on_whether_or_not_the_caller_records_it() -> None:
    assert recorded("01") == recorded("00") == f"True {CALLER.split('-')[1]}"


def test_how_much_is_recorded_can_be_set() -> None:
    off = recorded("01", OTEL_TRACES_SAMPLER="always_off")
    assert off == f"False {CALLER.split('-')[1]}"


def test_many_threads_start_it_once() -> None:
    seen = run(
        "from concurrent.futures import ThreadPoolExecutor",
        "from threading import Barrier",
        "from countersign.platform.telemetry import span",
        "together = Barrier(8)",
        "def work(_):",
        "    together.wait()",
        "    with span('plan_research') as seen: return seen.is_recording()",
        "with ThreadPoolExecutor(8) as pool: print(set(pool.map(work, range(8))))",
        OTEL_EXPORTER_OTLP_ENDPOINT="http://127.0.0.1:9",
        OTEL_EXPORTER_OTLP_TIMEOUT="1",
    )
    assert seen == "{True}\n"


ENOUGH = {
    "COUNTERSIGN_DATA": "data",
    "COUNTERSIGN_TOKEN_ISSUER": "https://issuer.example",
    "COUNTERSIGN_TOKEN_CLIENTS": "any",
    "COUNTERSIGN_TOKEN_AUDIENCE": "api://countersign",
    "COUNTERSIGN_TOKEN_JWKS": "https://issuer.example/keys",
}


def test_whether_texts_are_sent_is_the_app_s_own_setting_alone() -> None:
    def sent(**settings: str) -> str:
        return run(
            "from countersign.wiring import services",
            "services()",
            "from agent_framework.observability import OBSERVABILITY_SETTINGS",
            "print(OBSERVABILITY_SETTINGS.enable_sensitive_data)",
            **ENOUGH,
            **settings,
        ).strip()

    assert sent(ENABLE_SENSITIVE_DATA="true") == "False"
    assert sent(ENABLE_SENSITIVE_DATA="false", COUNTERSIGN_TELEMETRY_TEXTS="true") == "True"
