"""Whatever a step finds missing or damaged of what was stored, it waits for an operator."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from countersign.approvals import rules
from countersign.approvals.digest import canonical, sha256
from countersign.approvals.events import OperationStarted
from countersign.approvals.holding import request_retry
from countersign.approvals.operation import Operation
from countersign.approvals.person import Person
from countersign.approvals.policy import Policy
from countersign.approvals.standing import needs_operator
from countersign.operations.preparing import prepare_order
from countersign.operations.proposing import open_version
from countersign.operations.repository import Rule
from countersign.reports.report import ReportContent
from countersign.services import Services
from countersign.steps.names import draft_step
from countersign.steps.records import Done, Opened, VersionWork, Wait
from countersign.wiring import services
from local.settings import complete

RITA = Person(id="rita", name="Rita", tenant="home", roles=frozenset())
WORK = VersionWork(tenant="home", operation_id="one", version=1)
ORDER = canonical(
    {
        "vendor": "Otter GmbH",
        "currency": "EUR",
        "lines": [{"sku": "A", "description": "Paper", "quantity": 1, "unit_price": "2.00"}],
        "reason": "There is none left.",
    }
)
REPORT = ReportContent(title="Otters", text="They swim.").stored()
DAMAGED = pytest.mark.parametrize("data", [b"{", b'{"otters": 3}'], ids=["no JSON", "another form"])


@pytest.fixture
def app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Services]:
    for name, value in complete({}, port=1, data=tmp_path).items():
        monkeypatch.setenv(name, value)
    services.cache_clear()
    yield services()
    services.cache_clear()


async def test_an_order_whose_request_is_missing_is_made_once_it_is_there_again(
    app: Services,
) -> None:
    await begun(app, "purchase", sha256(ORDER))
    assert await prepare_order(app, WORK) == Wait(news=False)
    assert await cause_of(app) == "result_missing"
    await restored(app, ORDER)
    assert await prepare_order(app, WORK) == Done()
    assert await cause_of(app) is None


@DAMAGED
async def test_a_request_that_is_none_for_an_order_waits(app: Services, data: bytes) -> None:
    await begun(app, "purchase", await app.artifacts.put("home", data))
    assert await prepare_order(app, WORK) == Wait(news=False)
    assert await cause_of(app) == "result_damaged"


async def test_a_version_whose_content_is_missing_is_opened_once_it_is_there_again(
    app: Services,
) -> None:
    await begun(app, "research", "0" * 64)
    await drafted(app, sha256(REPORT))
    assert await open_version(app, WORK) == Wait(news=False)
    assert await cause_of(app) == "result_missing"
    await restored(app, REPORT)
    assert isinstance(await open_version(app, WORK), Opened)
    assert await cause_of(app) is None


@DAMAGED
async def test_a_version_without_a_content_of_its_kind_waits(app: Services, data: bytes) -> None:
    await begun(app, "research", "0" * 64)
    await drafted(app, await app.artifacts.put("home", data))
    assert await open_version(app, WORK) == Wait(news=False)
    assert await cause_of(app) == "result_damaged"


async def test_a_version_that_nobody_decided_waits_if_its_content_is_gone_when_it_escalates(
    app: Services, tmp_path: Path
) -> None:
    await begun(app, "research", "0" * 64)
    await drafted(app, await app.artifacts.put("home", REPORT))
    assert isinstance(await open_version(app, WORK), Opened)
    await changed(app, lambda state, now: rules.settle(state, 1, now + timedelta(days=2)))
    for file in (tmp_path / "artifacts").rglob("*"):
        if file.is_file():
            file.unlink()
    work = VersionWork(tenant=WORK.tenant, operation_id=WORK.operation_id, version=2)
    assert await open_version(app, work) == Wait(news=False)
    assert await cause_of(app) == "result_missing"


async def begun(app: Services, kind: str, request: str) -> None:
    event = OperationStarted(
        at=app.clock(),
        actor=RITA.actor,
        kind=kind,
        title="Otters",
        request=request,
        policy=Policy(reviewer_role="Reviewer", escalation_role="Escalation"),
    )
    await app.operations.start(WORK.tenant, WORK.operation_id, event)


async def drafted(app: Services, content: str) -> None:
    """Record a draft of the first version, whose content has this reference."""
    result = await app.artifacts.put("home", canonical({"content": content, "evidence": None}))
    await changed(app, lambda state, now: rules.record_work(state, draft_step(1), result, now))


async def restored(app: Services, data: bytes) -> None:
    """Put what was missing where it belongs, and ask for another try."""
    await app.artifacts.put("home", data)
    await changed(app, lambda state, now: request_retry(state, RITA, now))


async def changed(app: Services, rule: Rule) -> None:
    await app.operations.change(WORK.tenant, WORK.operation_id, rule)


async def load(app: Services) -> Operation:
    operation = await app.operations.load(WORK.tenant, WORK.operation_id)
    assert operation
    return operation


async def cause_of(app: Services) -> str | None:
    """Why the operation waits for an operator, if it does; it never ends by itself."""
    operation = await load(app)
    assert operation.closed is None
    hold = needs_operator(operation)
    return hold.cause if hold else None
