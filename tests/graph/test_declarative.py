"""The flow as YAML: as much as runs in Python without .NET."""

from __future__ import annotations

import importlib
import warnings
from typing import Any

import pytest

from countersign.graph.declarative import DeclaredReport, declared_workflow
from countersign.graph.errors import NotConfigured

PACKAGE = "agent_framework_declarative"


@pytest.fixture
def declarative() -> Any:
    """The package's own names; importing it warns that it is experimental."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return pytest.importorskip(
            PACKAGE, reason="install agent-framework-declarative==1.4.0 (19 MB) to run this"
        )


async def until_asked(home: Any, operation_id: str) -> tuple[Any, str]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        workflow = declared_workflow(home.app, home.tenant, operation_id)
    result = await workflow.run({})
    [asked] = result.get_request_info_events()
    return workflow, asked.request_id


async def outcome_of(home: Any, operation_id: str) -> str | None:
    operation = await home.app.operations.load(home.tenant, operation_id)
    return operation.closed.outcome if operation.closed else None


async def test_it_asks_and_publishes_what_the_ledger_says(home: Any, declarative: Any) -> None:
    rest = await home.begun()
    workflow, request_id = await until_asked(home, rest.operation.id)
    answer = declarative.ExternalInputResponse(user_input="approve", value=True)
    await workflow.run(responses={request_id: answer})
    assert await outcome_of(home, rest.operation.id) is None
    assert home.reports() == []
    await home.decide(rest)
    workflow, request_id = await until_asked(home, rest.operation.id)
    await workflow.run(responses={request_id: answer})
    assert await outcome_of(home, rest.operation.id) == "published"


async def test_a_revision_needs_another_run_of_the_line(home: Any, declarative: Any) -> None:
    rest = await home.begun()
    await home.decide(rest, "revise", comment="Shorter.")
    await until_asked(home, rest.operation.id)
    operation = await home.app.operations.load(home.tenant, rest.operation.id)
    assert operation.current.version == 2


async def test_an_escalated_version_offers_the_same_text_and_is_found_again(home: Any) -> None:
    first = await home.begun()
    home.app.operations.clock = lambda: first.operation.current.expires_at
    declared = DeclaredReport(home.app, home.tenant, first.operation.id)
    assert await declared.finish_report() == {"next": "escalate"}
    for _ in range(2):
        assert await declared.prepare_report() == {"version": 2}
    escalated = await home.app.operations.load(home.tenant, first.operation.id)
    assert escalated.current.origin == "escalation"
    assert escalated.current.content == first.operation.current.content
    assert "draft:2" not in escalated.work


async def test_without_its_package_it_is_said_to_be_missing(
    home: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(name: str) -> Any:
        raise ImportError(name)

    monkeypatch.setattr(importlib, "import_module", missing)
    with pytest.raises(NotConfigured, match="agent-framework-declarative"):
        declared_workflow(home.app, home.tenant, "research-0")
