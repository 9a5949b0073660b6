"""What the function app offers to its host."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from countersign.kinds.registry import known_kinds
from countersign.purchases.order_bodies import OrderDecisionBody
from countersign.reports.report_bodies import ReportDecisionBody
from endpoints import links
from orchestrators import names
from testbed.described import document

ROOT = Path(__file__).parent.parent.parent

INDEX = """
import json, sys
import function_app
print(json.dumps({
    "functions": {
        each.get_function_name(): [json.loads(raw) for raw in each.get_raw_bindings()]
        for each in function_app.app.get_functions()
    },
    "modules": sorted(sys.modules),
}))
"""


# An event, and an agent, which is indexed under the name of its entity.
OTHER_NAMES = {"APPROVAL_DECISION", "FACT_CHECKER"}


@pytest.fixture(scope="module")
def indexed() -> Any:
    """The app as a worker indexes it, in a process of its own and without any setting."""
    done = subprocess.run(
        [sys.executable, "-c", INDEX], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout)


def test_what_has_no_route_of_its_own_is_looked_for_last(indexed: Any) -> None:
    routes = {
        name: binding["route"]
        for name, bindings in indexed["functions"].items()
        for binding in bindings
        if binding["type"] == "httpTrigger"
    }
    # The genuine host goes through the functions in this order, and takes the first that fits.
    last = max(routes, key=str.upper)
    assert (last, routes[last]) == ("wrong_path", "{*path}")
    assert [name for name, route in routes.items() if "*" in route] == [last]


def test_every_name_that_is_called_is_indexed(indexed: Any) -> None:
    called = {
        value
        for name, value in vars(names).items()
        if name.isupper() and isinstance(value, str) and name not in OTHER_NAMES
    }
    assert called <= set(indexed["functions"])


@pytest.mark.parametrize("decision", ["approve", "reject"])
def test_a_decision_that_corrects_nothing_is_as_described_for_every_kind(decision: str) -> None:
    path = "/operations/{id}/proposals/{version}/decision"
    body = document()["paths"][path]["post"]["requestBody"]["content"]["application/json"]
    # `oneOf` would take none of these: they fit both.
    assert list(body["schema"]) == ["anyOf"]
    sent = {"decision": decision, "digest": "0" * 64}
    assert ReportDecisionBody.model_validate(sent)
    assert OrderDecisionBody.model_validate(sent)


def test_every_kind_of_operation_has_its_orchestrator(indexed: Any) -> None:
    stories = {
        name
        for name, bindings in indexed["functions"].items()
        if any(binding["type"] == "orchestrationTrigger" for binding in bindings)
    }
    assert {kind.name for kind in known_kinds()} <= stories


def test_every_route_checks_tokens_itself_and_so_asks_for_no_key(indexed: Any) -> None:
    triggers = [
        binding
        for bindings in indexed["functions"].values()
        for binding in bindings
        if binding["type"] == "httpTrigger"
    ]
    assert len(triggers) >= 10
    assert {trigger["authLevel"] for trigger in triggers} == {"ANONYMOUS"}


def test_spans_and_the_description_name_routes_with_the_prefix_of_the_host() -> None:
    settings = json.loads((ROOT / "host.json").read_text("utf-8"))
    assert f"/{settings['extensions']['http']['routePrefix']}" == links.ROOT


def test_every_route_is_described_and_nothing_else_is(indexed: Any) -> None:
    served = {
        (f"/{binding['route']}", method.lower())
        for name, bindings in indexed["functions"].items()
        for binding in bindings
        if binding["type"] == "httpTrigger" and name != "wrong_path"
        for method in binding["methods"]
        if method != "HEAD"
    }
    described = {(path, method) for path, calls in document()["paths"].items() for method in calls}
    assert described == served


def test_of_the_agent_host_only_the_entity_of_our_agent_is_registered(indexed: Any) -> None:
    hosted = {
        name: [binding["type"] for binding in bindings]
        for name, bindings in indexed["functions"].items()
        if name.startswith(("dafx-", "health_", "http-", "mcptool-"))
    }
    assert hosted == {f"dafx-{names.FACT_CHECKER}": ["entityTrigger"]}


WORK_OF_LATER = (
    "countersign.graph",  # the other engine
    "countersign.kinds.unions",
    "countersign.bodies.body",  # what requests carry
    "countersign.purchases.order_bodies",
    "countersign.reports.report_bodies",
    "endpoints.answers",  # what they are answered
    "countersign.bodies.content",  # what is offered
    "countersign.reports.report",
    "countersign.purchases.order",
    "openai",  # models
    "countersign.team.openai",
    "countersign.team.models",
    "jwt",  # sign-in
    "cryptography",
    "httpx",
    "azure.data.tables",  # stores
    "azure.storage.blob",
    "azure.identity",
    "sqlite3",
    "pypdfium2",  # documents and pages
    "openpyxl",
    "mammoth",
    "markdown_it",
    "nh3",
    "opentelemetry.exporter",
    "azure.monitor",
)


def test_a_cold_start_loads_nothing_that_only_some_later_work_needs(indexed: Any) -> None:
    loaded = set(indexed["modules"])
    assert not [name for name in WORK_OF_LATER if name in loaded]
