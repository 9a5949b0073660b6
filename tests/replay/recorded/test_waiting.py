"""Whoever waited for an approval when the app was upgraded waits on, and gets to an end."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import azure.durable_functions as df
import pytest

import activities.proposals
import activities.publish
import activities.research
from countersign.approvals import rules
from countersign.approvals.digest import canonical
from countersign.approvals.events import OperationStarted
from countersign.approvals.person import Actor, Person
from countersign.approvals.policy import Policy
from countersign.wiring import Services, services
from devhost.history import Kind
from local.settings import complete
from orchestrators import names

ROOT = Path(__file__).parent.parent.parent.parent
VERSIONS = sorted({file.parent.name for file in Path(__file__).parent.glob("*/*.jsonl")})
REVIEWER = "Report.Reviewer"


def test_an_instance_waits_for_the_same_as_before(
    waiting: Any, keeps_waiting: Callable[..., None], indexed: Any
) -> None:
    keeps_waiting(waiting, indexed)


def test_an_instance_goes_on_to_its_end(
    waiting: Any, goes_on: Callable[..., list[Any]], indexed: Any
) -> None:
    for output in goes_on(waiting, indexed):
        assert output in ({"outcome": "published"}, {"next": "publish"})


def test_every_name_that_can_be_waited_for_is_recorded(all_waiting: list[Any]) -> None:
    awaited = {each.get("Name", "a timer") for waiting in all_waiting for each in waiting.open()}
    called = {value for name, value in vars(names).items() if name.isupper()}
    assert called - awaited == {names.RESEARCH, names.APPROVAL_DECISION}


def test_the_present_version_is_recorded() -> None:
    settings = json.loads((ROOT / "host.json").read_text("utf-8"))["extensions"]["durableTask"]
    assert settings.get("defaultVersion", "unversioned") in VERSIONS


@pytest.fixture
def app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Services]:
    """The app's services in a folder of the test's own."""
    for name, value in complete({}, port=1, data=tmp_path).items():
        monkeypatch.setenv(name, value)
    services.cache_clear()
    yield services()
    services.cache_clear()


@pytest.fixture(scope="module")
def activity() -> dict[str, Callable[[Any], Any]]:
    """The activities by name, as the worker calls them."""
    app = df.DFApp()
    for module in (activities.research, activities.proposals, activities.publish):
        app.register_functions(module.blueprint)
    return {str(each.get_function_name()): each.get_user_function() for each in app.get_functions()}


@pytest.mark.parametrize("version", VERSIONS)
def test_todays_activities_carry_out_the_orders_of_then(
    version: str, all_waiting: list[Any], activity: dict[str, Any], app: Services
) -> None:
    story = orders(all_waiting, version, "research-approved")
    gate = orders(all_waiting, version, "gate-approved")
    begin(app, story[0][1])
    answers = [carry_out(app, activity, gate[0], *each) for each in story]
    assert not [answer for answer in answers if "ends_as" in answer]
    assert answers[-1]["outcome"] == "published"


def carry_out(
    app: Services, activity: dict[str, Any], look: tuple[str, Any], name: str, order: dict[str, Any]
) -> Any:
    """Carry an order out; before the report is published, the gate looks and a person approves."""
    if name == names.PUBLISH_REPORT:
        looks, at = look
        assert activity[looks]({**at, **order})["next"] == "wait"
        approve(app, order)
    return activity[name](order)


def orders(all_waiting: list[Any], version: str, recording: str) -> list[tuple[str, Any]]:
    """The activities that a recorded instance asked for, with what it gave them."""
    last = [w for w in all_waiting if (w.version, w.recording) == (version, recording)][-1]
    return [
        (each["Name"], json.loads(json.loads(each["Input"])[0]))
        for each in last.events
        if each["EventType"] == Kind.TaskScheduled
    ]


def begin(app: Services, order: dict[str, Any]) -> None:
    """Have the operation of an order asked for."""
    request = {"topic": "Replay", "subtopics": ["Replay", "Timers"], "documents": None}

    async def start() -> None:
        event = OperationStarted(
            at=app.clock(),
            actor=Actor(id="rita", name="Rita"),
            kind="research",
            title="Replay",
            request=await app.artifacts.put(order["tenant"], canonical(request)),
            policy=Policy(reviewer_role=REVIEWER),
        )
        await app.operations.start(order["tenant"], order["operation_id"], event)

    asyncio.run(start())


def approve(app: Services, order: dict[str, Any]) -> None:
    """Have the version of an order approved."""
    tenant, operation_id, version = order["tenant"], order["operation_id"], order["version"]
    victor = Person(id="victor", name="Victor", tenant=tenant, roles=frozenset({REVIEWER}))

    def decide(operation: Any, now: Any) -> rules.Answer:
        command = rules.Decide(
            reviewer=victor,
            version=version,
            digest=operation.proposals[version - 1].digest,
            decision="approve",
        )
        return rules.decide(operation, command, now)

    asyncio.run(app.operations.change(tenant, operation_id, decide))
