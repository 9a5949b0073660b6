"""Which content a version offers, whatever ran twice at once before it was opened."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from countersign.approvals import rules
from countersign.approvals.digest import canonical
from countersign.approvals.events import OperationStarted
from countersign.approvals.holding import fail_revision
from countersign.approvals.operation import Operation
from countersign.approvals.person import Person
from countersign.approvals.policy import Policy
from countersign.operations.proposing import open_version
from countersign.reports.report import ReportContent
from countersign.services import Services
from countersign.steps.names import draft_step
from countersign.steps.records import Opened, VersionWork
from countersign.wiring import services
from local.settings import complete

TENANT, NAME = "home", "research-1"


@pytest.fixture
def app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Services]:
    for name, value in complete({}, port=1, data=tmp_path).items():
        monkeypatch.setenv(name, value)
    services.cache_clear()
    yield services()
    services.cache_clear()


@pytest.mark.parametrize("draft_first", [True, False])
async def test_a_revision_that_failed_stands_though_its_draft_came(
    app: Services, reviewer: Person, draft_first: bool
) -> None:
    first = await sent_back(app, reviewer)
    changes = [
        lambda: drafted(app, 2),
        lambda: app.operations.change(
            TENANT, NAME, lambda state, now: fail_revision(state, 1, "It could not be done.", now)
        ),
    ]
    for change in changes if draft_first else reversed(changes):
        await change()
    opened = await open_version(app, VersionWork(tenant=TENANT, operation_id=NAME, version=2))
    assert opened == Opened(version=2, next="wait")
    current = (await load(app)).current
    assert current
    assert (current.content, current.origin) == (first, "unchanged")


async def sent_back(app: Services, reviewer: Person) -> str:
    """An operation whose first version is to be revised; returns the reference of its content."""
    event = OperationStarted(
        at=app.clock(),
        actor=Person(id="rita", name="Rita", tenant=TENANT, roles=frozenset()).actor,
        kind="research",
        title="Otters",
        request=await app.artifacts.put(TENANT, canonical({"topic": "Otters"})),
        policy=Policy(reviewer_role="Report.Reviewer"),
    )
    await app.operations.start(TENANT, NAME, event)
    await drafted(app, 1)
    await open_version(app, VersionWork(tenant=TENANT, operation_id=NAME, version=1))
    current = (await load(app)).current
    assert current
    decision = rules.Decide(
        reviewer=Person(
            id=reviewer.id, name="Victor", tenant=TENANT, roles=frozenset({"Report.Reviewer"})
        ),
        version=1,
        digest=current.digest,
        decision="revise",
        comment="Shorter.",
    )
    await app.operations.change(TENANT, NAME, lambda state, now: rules.decide(state, decision, now))
    return current.content


async def drafted(app: Services, version: int) -> None:
    """Record a draft of a version."""
    text = ReportContent(title="Otters", text=f"Version {version}.").stored()
    made = {"content": await app.artifacts.put(TENANT, text), "evidence": None}
    result = await app.artifacts.put(TENANT, canonical(made))
    step = draft_step(version)
    await app.operations.change(
        TENANT, NAME, lambda state, now: rules.record_work(state, step, result, now)
    )


async def load(app: Services) -> Operation:
    operation = await app.operations.load(TENANT, NAME)
    assert operation
    return operation
