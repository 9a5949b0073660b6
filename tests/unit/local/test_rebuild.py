"""`dev.py rebuild`: each operation has its row again, and what can't have one is named."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from countersign.approvals.events import OperationStarted, WorkDone
from countersign.approvals.person import SYSTEM, Person
from countersign.approvals.policy import Policy
from countersign.services import Services
from local.rebuild import REBUILT, UNREADABLE, main
from testbed.rows import ids

RITA = Person(id="rita", name="Rita", tenant="home", roles=frozenset())


def start(app: Services, tenant: str, operation_id: str) -> None:
    event = OperationStarted(
        at=app.clock(),
        actor=RITA.actor,
        kind="research",
        title="Otters",
        request="0" * 64,
        policy=Policy(reviewer_role="Report.Reviewer"),
    )
    asyncio.run(app.operations.start(tenant, operation_id, event, by=RITA))


@pytest.fixture
def emptied(app: Services, tmp_path: Path) -> Services:
    """Two tenants' operations without an index."""
    start(app, "home", "research-1")
    start(app, "other", "research-2")
    with closing(sqlite3.connect(tmp_path / "countersign.db")) as file, file:
        file.execute("DELETE FROM operations")
    return app


def test_every_tenant_has_its_rows_again(
    emptied: Services, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--data", str(tmp_path)]) == REBUILT
    lines = capsys.readouterr().out.splitlines()
    assert [line.rpartition(",")[0] for line in lines] == [
        "home: 1 operation read, 1 row corrected",
        "other: 1 operation read, 1 row corrected",
    ]
    assert asyncio.run(ids(emptied.operations.index)) == ["research-1"]
    assert asyncio.run(ids(emptied.operations.index, "other")) == ["research-2"]


def test_one_tenant_can_be_named(emptied: Services, tmp_path: Path) -> None:
    assert main(["--data", str(tmp_path), "--tenant", "other"]) == REBUILT
    assert asyncio.run(ids(emptied.operations.index)) == []
    assert asyncio.run(ids(emptied.operations.index, "other")) == ["research-2"]


def test_a_ledger_that_can_t_be_read_is_named(
    app: Services, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    start(app, "home", "research-1")
    work = WorkDone(at=app.clock(), actor=SYSTEM, step="plan", result="1" * 64)
    asyncio.run(app.operations.ledger.append("home", "research-0", 0, [work]))
    assert main(["--data", str(tmp_path)]) == UNREADABLE
    shown = capsys.readouterr()
    assert shown.err.startswith("research-0 can't be read: ")
    assert shown.out.startswith("home: 2 operations read, 0 rows corrected, ")
