"""What the reconciler looks at is shown in the index as its ledger says, also what is over."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from types import SimpleNamespace
from typing import Any

import pytest

from countersign.approvals import rules
from countersign.approvals.events import OperationStarted
from countersign.approvals.person import Person
from countersign.approvals.policy import Policy
from countersign.operations.repository import Changed, Operations
from countersign.stores.memory import MemoryLedger
from countersign.stores.memory_index import MemoryIndex
from endpoints.reconcile import reconcile
from testbed.rows import put

NOON = datetime(2026, 11, 2, 12, tzinfo=timezone.utc)
RITA = Person(id="rita", name="Rita", tenant="home", roles=frozenset())


@pytest.fixture
def operations() -> Operations:
    return Operations(MemoryLedger(), MemoryIndex(), lambda: NOON)


@pytest.fixture
async def withdrawn(operations: Operations) -> str:
    asked = OperationStarted(
        at=NOON,
        actor=RITA.actor,
        kind="research",
        title="Otters",
        request="0" * 64,
        policy=Policy(reviewer_role="Report.Reviewer"),
    )
    await operations.start("home", "op-1", asked)
    for rule in (
        lambda state, now: rules.withdraw(state, RITA, "", now),
        lambda state, now: rules.close(state, "withdrawn", "", now, written="published"),
    ):
        assert isinstance(await operations.change("home", "op-1", rule), Changed)
    return "op-1"


async def test_a_closed_operation_that_is_listed_as_stalled_leaves_the_list(
    operations: Operations, withdrawn: str, runtime: Callable[..., Any]
) -> None:
    right = await operations.index.get("home", withdrawn)
    assert right
    assert right.stage == "closed"
    await put(operations.index, replace(right, state="running", stage="planning"))
    app: Any = SimpleNamespace(
        clock=lambda: NOON + timedelta(hours=1),
        settings=SimpleNamespace(reconcile_after_seconds=30),
        operations=operations,
    )
    client = runtime({})
    await reconcile(app, client)
    assert await operations.index.get("home", withdrawn) == right
    assert [each async for each in operations.index.stalled(NOON + timedelta(hours=2))] == []
    assert client.did == []
