"""Nothing is set up or sent unless the environment says where to, and never twice."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent.parent

SDK = "[name for name in sys.modules if name.startswith('opentelemetry.sdk')]"
OTLP = "[name for name in sys.modules if name.startswith('opentelemetry.exporter')]"
SPAN = "with span('plan_research', operation_id='research-1') as seen: pass"


def run(*lines: str, **settings: str) -> str:
    """Run lines in a process of its own, with these settings and no others of telemetry."""
    clean = {
        key: value for key, value in os.environ.items() if not key.startswith(("OTEL_", "ENABLE_"))
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
    seen = run("from countersign.telemetry import span", SPAN, f"print(seen.is_recording(), {SDK})")
    assert seen.split() == ["False", "[]"]


def test_a_collector_that_is_not_there_disturbs_nothing() -> None:
    seen = run(
        "from countersign.telemetry import span",
        SPAN,
        "print(seen.resource.attributes['service.name'])",
        OTEL_EXPORTER_OTLP_ENDPOINT="http://127.0.0.1:9",
        OTEL_EXPORTER_OTLP_TIMEOUT="1",
    )
    assert seen.split() == ["countersign"]


def test_the_service_can_be_named() -> None:
    seen = run(
        "from countersign.telemetry import span",
        SPAN,
        "print(seen.resource.attributes['service.name'])",
        OTEL_EXPORTER_OTLP_ENDPOINT="http://127.0.0.1:9",
        OTEL_EXPORTER_OTLP_TIMEOUT="1",
        OTEL_SERVICE_NAME="reports",
    )
    assert seen.split() == ["reports"]


def test_settings_that_the_sdk_refuses_leave_the_work_unseen_and_undisturbed() -> None:
    seen = run(
        "from countersign.telemetry import span",
        SPAN,
        "print(seen.is_recording())",
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
        "from countersign.telemetry import span",
        "with span('plan_research', operation_id='research-1'):",
        "    inner = trace.get_tracer('a library').start_span('chat')",
        f"print(trace.get_tracer_provider() is provider, {OTLP}, inner.attributes)",
        OTEL_EXPORTER_OTLP_ENDPOINT="http://127.0.0.1:9",
    )
    assert seen == "True [] {'countersign.operation_id': 'research-1'}\n"
