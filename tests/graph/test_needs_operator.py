"""What an operator can put right ends no graph: it stands still, says why, and goes on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from countersign.approvals.events import WorkHeld
from countersign.graph.declarative import DeclaredReport
from countersign.graph.errors import WaitsForOperator
from countersign.operations.repository import Changed
from countersign.operations.summary import state_of
from countersign.wiring import services
from testbed.refusing import RefusingProvider, refusing_provider


@pytest.fixture
def provider() -> Iterator[RefusingProvider]:
    with refusing_provider() as provider:
        yield provider


@pytest.fixture
def choose(home: Any, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Has every later process work with a model; without settings with the one that works."""
    own = ("COUNTERSIGN_MODEL_PROVIDER", "COUNTERSIGN_MODEL", "COUNTERSIGN_MODEL_URL")

    def set_up(**model: str) -> None:
        for name in own:
            monkeypatch.setenv(name, model.get(name, ""))
        services.cache_clear()

    return set_up


async def tries(home: Any, operation_id: str) -> int:
    return sum(name == WorkHeld.__name__ for name, _ in await home.history(operation_id))


async def test_a_refused_key_is_waited_for_and_a_retry_goes_on(
    home: Any, choose: Callable[..., None], provider: RefusingProvider
) -> None:
    choose(**provider.settings)
    operation = await home.engine().start(home.rita, home.research())
    with pytest.raises(WaitsForOperator, match=f"retry {operation.id} retries at once"):
        await home.engine().run(home.tenant, operation.id)
    held = await home.app.operations.load(home.tenant, operation.id)
    assert state_of(held) == "needs_operator"
    asked = provider.requests
    with pytest.raises(WaitsForOperator):
        await home.engine().resume(home.tenant, operation.id)
    assert (await tries(home, operation.id), provider.requests) == (1, asked)

    choose()
    assert isinstance(await home.engine().retry(home.rita, operation.id), Changed)
    rest = await home.engine().resume(home.tenant, operation.id)
    assert rest.question
    assert rest.operation.hold is None


async def test_a_revision_that_cannot_be_made_asks_about_the_same_text_again(
    home: Any, choose: Callable[..., None], provider: RefusingProvider
) -> None:
    first = await home.begun()
    provider.says("I would rather not.")
    choose(**provider.settings)
    await home.decide(first, "revise", comment="Shorter.")
    second = await home.engine().resume(home.tenant, first.operation.id)
    assert second.question["version"] == 2
    assert second.question["content"] == first.question["content"]
    assert second.operation.current.origin == "unchanged"
    await home.decide(second)
    done = await home.engine().resume(home.tenant, first.operation.id)
    assert done.operation.closed.outcome == "published"


async def test_the_declared_flow_stands_still_likewise(
    home: Any, choose: Callable[..., None], provider: RefusingProvider
) -> None:
    choose(**provider.settings)
    operation = await home.engine().start(home.rita, home.research())
    declared = DeclaredReport(home.app, home.tenant, operation.id)
    with pytest.raises(WaitsForOperator):
        await declared.prepare_report()
    choose()
    assert isinstance(await home.engine().retry(home.rita, operation.id), Changed)
    declared = DeclaredReport(home.app, home.tenant, operation.id)
    prepared = await declared.prepare_report()
    assert (prepared["version"], "question" in prepared) == (1, True)


def test_the_command_line_says_why_and_tries_again(
    home: Any, graph: Callable[..., Any], choose: Callable[..., None], provider: RefusingProvider
) -> None:
    choose(**provider.settings)
    rita = home.token("Rita", "Research.Requester")
    code, shown, error = graph(
        "run", "How durable execution survives crashes", "--subtopic", "Replay", "--token", rita
    )
    assert (code, shown["state"]) == (4, "needs_operator")
    assert "the work waits for an operator (" in error
    listed = graph("list", "--state", "needs_operator", "--tenant", "home")
    assert [each["operation_id"] for each in listed[1]] == [shown["operation_id"]]
    victor = home.token("Victor", "Report.Reviewer")
    refused = graph("retry", shown["operation_id"], "--token", victor)
    assert (refused[0], refused[1]["error"]["code"]) == (1, "not_authorised")

    choose()
    code, shown, error = graph("retry", shown["operation_id"], "--token", rita)
    assert (code, shown["state"], shown["held"]) == (0, "awaiting_approval", None)
    assert "Rita requested a retry" in error
