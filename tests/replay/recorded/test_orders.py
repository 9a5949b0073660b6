"""What instances that waited when the app was upgraded ask for, today's app can still do."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import azure.durable_functions as df
import pytest
from agent_framework import Message

import activities.proposals
import activities.purchases
import activities.questions
import activities.research
from countersign.approvals import questions, rules
from countersign.approvals.digest import canonical
from countersign.approvals.events import OperationStarted
from countersign.approvals.person import Actor, Person
from countersign.approvals.policy import Policy
from countersign.services import Services
from countersign.wiring import services
from devhost.durable.history import OWN, Kind
from local.settings import complete
from orchestrators import names
from testbed.purchasing import PurchasingService

VERSIONS = sorted({file.parent.name for file in Path(__file__).parent.glob("*/*.jsonl")})
REVIEWER = "Report.Reviewer"
RESEARCH = {"topic": "Replay", "subtopics": ["Replay", "Timers"], "documents": None}
PURCHASE = {
    "vendor": "Acme",
    "currency": "EUR",
    "lines": [{"sku": "S-1", "description": "Chairs", "quantity": 2, "unit_price": "100.00"}],
    "reason": "We have none left.",
}
EFFECTS = {names.PUBLISH_REPORT, names.SUBMIT_ORDER}


@pytest.fixture
def app_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Services]]:
    """Gives the app's services in a folder of the test's own; takes more settings."""

    def with_settings(**settings: str) -> Services:
        for name, value in complete(settings, port=1, data=tmp_path).items():
            monkeypatch.setenv(name, value)
        services.cache_clear()
        return services()

    yield with_settings
    services.cache_clear()


@pytest.fixture
def app(app_with: Callable[..., Services]) -> Services:
    """The app's services in a folder of the test's own."""
    return app_with()


@pytest.fixture(scope="module")
def activity() -> dict[str, Callable[[Any], Any]]:
    """The activities by name, each run to its end."""
    app = df.DFApp()
    for module in (
        activities.research,
        activities.proposals,
        activities.purchases,
        activities.questions,
    ):
        app.register_functions(module.blueprint)

    def run(function: Any) -> Callable[[Any], Any]:
        return lambda order: asyncio.run(function.get_user_function()(order))

    return {str(each.get_function_name()): run(each) for each in app.get_functions()}


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


@pytest.mark.parametrize("version", VERSIONS)
def test_todays_activities_place_the_purchase_of_then(
    version: str,
    all_waiting: list[Any],
    activity: dict[str, Any],
    tmp_path: Path,
    app_with: Callable[..., Services],
) -> None:
    story = orders(all_waiting, version, "purchase-approved")
    gate = orders(all_waiting, version, "gate-approved")
    with PurchasingService(tmp_path / "purchasing") as service:
        app = app_with(COUNTERSIGN_PURCHASING_URL=service.url)
        begin(app, story[0][1], names.PURCHASE, PURCHASE)
        answers = [carry_out(app, activity, gate[0], *each) for each in story]
        assert answers[-1]["outcome"] == "ordered"
        [placed] = service.orders()
    assert placed["reference"] == story[0][1]["operation_id"]


@pytest.mark.parametrize("version", VERSIONS)
def test_todays_agent_answers_what_it_was_asked_then(
    version: str, all_waiting: list[Any], activity: dict[str, Any], app: Services
) -> None:
    sent = asked_of_the_agent(all_waiting, version)
    question = json.loads(sent)
    begin(app, question)
    for name, order in orders(all_waiting, version, "research-approved"):
        if name == names.PUBLISH_REPORT:
            break
        activity[name]({**order, "operation_id": question["operation_id"]})
    ask(app, question)
    asyncio.run(replied(sent))
    [(settles, order)] = orders(all_waiting, version, "question-answered")
    assert activity[settles](order) == {"settled": True}
    operation = asyncio.run(app.operations.load(question["tenant"], question["operation_id"]))
    assert operation
    [asked] = operation.questions
    assert asked.answer


async def replied(message: str) -> None:
    response = await activities.questions.HostedFactChecker().run([Message("user", [message])])
    # The entity would log a warning with a stack otherwise, at each question.
    assert response.created_at


def asked_of_the_agent(all_waiting: list[Any], version: str) -> str:
    """The message that a recorded instance sent the fact-checker."""
    recorded = last(all_waiting, version, "question-answered")
    sent = next(each for each in recorded.events if each["EventType"] == Kind.EventSent)
    return json.loads(json.loads(json.loads(sent["Input"])["input"]))["message"]


def ask(app: Services, order: dict[str, Any]) -> None:
    """Have the question of an order asked about the first version."""
    command = questions.Ask(reviewer=victor(order), version=1, question="What does replay rebuild?")

    def rule(operation: Any, now: Any) -> rules.Ruling:
        return questions.ask(operation, command, now)

    asyncio.run(app.operations.change(order["tenant"], order["operation_id"], rule))


def victor(order: dict[str, Any]) -> Person:
    """A reviewer in the tenant of an order."""
    roles = frozenset({REVIEWER})
    return Person(id="victor", name="Victor", tenant=order["tenant"], roles=roles)


def carry_out(
    app: Services, activity: dict[str, Any], look: tuple[str, Any], name: str, order: dict[str, Any]
) -> Any:
    """Carry an order out; before its effect, the gate looks and a person approves."""
    if name in EFFECTS:
        looks, at = look
        assert activity[looks]({**at, **order})["next"] == "wait"
        approve(app, order)
    return activity[name](order)


def orders(all_waiting: list[Any], version: str, recording: str) -> list[tuple[str, Any]]:
    """The activities that a recorded instance asked for, with what it gave them."""
    return [
        (each["Name"], json.loads(json.loads(each.get(OWN, each)["Input"])[0]))
        for each in last(all_waiting, version, recording).events
        if each["EventType"] == Kind.TaskScheduled
    ]


def last(all_waiting: list[Any], version: str, recording: str) -> Any:
    """A recorded instance as it waited last."""
    return [w for w in all_waiting if (w.version, w.recording) == (version, recording)][-1]


def begin(
    app: Services,
    order: dict[str, Any],
    kind: str = names.RESEARCH,
    request: dict[str, Any] = RESEARCH,
) -> None:
    """Have the operation of an order asked for."""

    async def start() -> None:
        event = OperationStarted(
            at=app.clock(),
            actor=Actor(id="rita", name="Rita"),
            kind=kind,
            title="Replay",
            request=await app.artifacts.put(order["tenant"], canonical(request)),
            policy=Policy(reviewer_role=REVIEWER),
        )
        await app.operations.start(order["tenant"], order["operation_id"], event)

    asyncio.run(start())


def approve(app: Services, order: dict[str, Any]) -> None:
    """Have the version of an order approved."""
    version = order["version"]

    def decide(operation: Any, now: Any) -> rules.Ruling:
        command = rules.Decide(
            reviewer=victor(order),
            version=version,
            digest=operation.proposals[version - 1].digest,
            decision="approve",
        )
        return rules.decide(operation, command, now)

    asyncio.run(app.operations.change(order["tenant"], order["operation_id"], decide))
