"""The flow as YAML: as much as runs in Python without .NET."""

from __future__ import annotations

import importlib
import json
import os
import sys
from collections.abc import Callable
from typing import Any

import pytest

from countersign.graph.declarative import PACKAGE, DeclaredReport, answer_to, declared_workflow
from countersign.graph.declared_engine import DeclaredEngine
from countersign.graph.errors import FAULTS, NotConfigured, WaitsForOperator
from countersign.wiring import services
from local.declarative import bring
from local.errors import Missing
from testbed.host import ROOT
from testbed.refusing import refusing_provider

TOPIC = "How durable execution survives crashes"


@pytest.fixture(scope="session")
def package() -> str:
    """The folder with the package that reads the flow."""
    try:
        return str(bring(PACKAGE))
    except Missing as missing:
        if os.environ.get("COUNTERSIGN_REQUIRE_DECLARATIVE"):
            pytest.fail(str(missing))
        pytest.skip(str(missing))


@pytest.fixture
def declared(package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Has the package found by what imports it."""
    # Nothing in it is to be found in place of what is installed.
    monkeypatch.setattr(sys, "path", [*sys.path, package])


@pytest.fixture
def engine(home: Any, declared: None) -> DeclaredEngine:
    drawn = home.engine()
    return DeclaredEngine(drawn.app, drawn.stores)


async def outcome_of(home: Any, operation_id: str) -> str | None:
    operation = await home.app.operations.load(home.tenant, operation_id)
    return operation.closed.outcome if operation.closed else None


async def begun(home: Any, engine: DeclaredEngine, **more: Any) -> Any:
    operation = await engine.start(home.rita, home.research(**more))
    rest = await engine.run(home.tenant, operation.id)
    assert rest.question is not None
    return rest


async def test_it_waits_for_a_person_and_publishes_what_was_approved(
    home: Any, engine: DeclaredEngine
) -> None:
    rest = await begun(home, engine)
    again = await engine.resume(home.tenant, rest.operation.id)
    assert (again.question, home.reports()) == (rest.question, [])
    await home.decide(rest)
    await engine.resume(home.tenant, rest.operation.id)
    assert await outcome_of(home, rest.operation.id) == "published"
    assert len(home.reports()) == 1


async def test_the_bare_flow_hands_out_the_text_before_it_asks(
    home: Any, engine: DeclaredEngine
) -> None:
    operation = await engine.start(home.rita, home.research())
    report = DeclaredReport(home.app, home.tenant, operation.id)
    asked = await declared_workflow(report).run({})
    assert len(asked.get_request_info_events()) == 1
    [told] = [json.loads(output) for output in asked.get_outputs()]
    rest = await engine.resume(home.tenant, operation.id)
    assert told == rest.question
    assert told["text"].startswith("#")


async def test_an_answer_that_the_ledger_does_not_back_publishes_nothing(
    home: Any, engine: DeclaredEngine
) -> None:
    rest = await begun(home, engine)
    workflow = declared_workflow(DeclaredReport(home.app, home.tenant, rest.operation.id))
    [asked] = (await workflow.run({})).get_request_info_events()
    await workflow.run(responses={asked.request_id: answer_to(asked)})
    assert await outcome_of(home, rest.operation.id) is None
    assert home.reports() == []


async def test_a_revision_runs_the_line_again_and_is_asked_about(
    home: Any, engine: DeclaredEngine
) -> None:
    first = await begun(home, engine)
    await home.decide(first, "revise", comment="Shorter.")
    second = await engine.resume(home.tenant, first.operation.id)
    assert second.question is not None
    assert second.question["version"] == 2
    await home.decide(second, by=home.wanda)
    assert (await engine.resume(home.tenant, first.operation.id)).operation.receipt is not None


async def test_an_escalated_version_offers_the_same_text_and_is_found_again(
    home: Any, engine: DeclaredEngine
) -> None:
    first = (await begun(home, engine)).operation
    home.app.operations.clock = lambda: first.current.expires_at
    for _ in range(2):
        escalated = (await engine.resume(home.tenant, first.id)).operation
        version = escalated.proposal(2)
        assert escalated.current == version
        assert version is not None
        assert (version.origin, version.content) == ("escalation", first.current.content)
        assert "draft:2" not in escalated.work


async def test_a_rejected_version_ends_it(home: Any, engine: DeclaredEngine) -> None:
    rest = await begun(home, engine)
    await home.decide(rest, "reject", comment="No.")
    await engine.resume(home.tenant, rest.operation.id)
    assert await outcome_of(home, rest.operation.id) == "rejected"


async def test_what_keeps_a_tool_from_its_work_is_told_though_the_framework_goes_on(
    home: Any, engine: DeclaredEngine
) -> None:
    rest = await begun(home, engine)
    await home.decide(rest)
    reports = home.app.settings.data / "reports"
    reports.write_text("in the way")
    with pytest.raises(FAULTS):
        await engine.resume(home.tenant, rest.operation.id)
    assert await outcome_of(home, rest.operation.id) is None
    reports.unlink()
    await engine.resume(home.tenant, rest.operation.id)
    assert await outcome_of(home, rest.operation.id) == "published"


async def test_what_waits_for_an_operator_is_told_with_the_reason(
    home: Any, declared: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    with refusing_provider() as provider:
        for name, value in provider.settings.items():
            monkeypatch.setenv(name, value)
        services.cache_clear()
        drawn = home.engine()
        engine = DeclaredEngine(drawn.app, drawn.stores)
        operation = await engine.start(home.rita, home.research())
        with pytest.raises(WaitsForOperator, match=f"retry {operation.id} retries at once"):
            await engine.run(home.tenant, operation.id)


def test_the_commands_of_the_drawn_graph_run_it(
    home: Any, graph: Callable[..., Any], declared: None
) -> None:
    token = home.token("Rita", "Research.Requester")
    code, rest, _ = graph("--yaml", "run", TOPIC, "--subtopic", "Replay", "--token", token)
    assert (code, rest["state"]) == (0, "awaiting_approval")
    decide = ["answer", rest["operation_id"], "--approve", "--digest", rest["digest"]]
    code, rest, said = graph("--yaml", *decide, "--token", home.token("Victor", "Report.Reviewer"))
    assert (code, rest["state"]) == (0, "published")
    assert said.startswith("Recorded: Victor approved version 1.")
    assert list(home.folder.rglob("*.json")) == []


def test_a_developer_s_command_brings_the_package(home: Any, package: str) -> None:
    token = home.token("Rita", "Research.Requester")
    command = ["-m", "local.graph", "--yaml", "--json", "run", TOPIC, "--token", token]
    done = home.run_python(*command, PYTHONPATH=str(ROOT))
    assert (done.returncode, '"awaiting_approval"' in done.stdout) == (0, True), done.stderr


async def test_without_its_package_it_is_said_how_to_install_it(
    home: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(name: str) -> Any:
        raise ImportError(name)

    monkeypatch.setattr(importlib, "import_module", missing)
    with pytest.raises(NotConfigured, match=f"pip install --no-deps {PACKAGE}"):
        declared_workflow(DeclaredReport(home.app, home.tenant, "research-0"))
