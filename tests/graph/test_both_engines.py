"""One table of decisions, on the durable gate and on the graph's: the outcomes are the same."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol

import pytest

from countersign.approvals.person import Person
from countersign.bodies.body import WithdrawBody
from countersign.graph.rest import Rest
from countersign.operations.refusals import explain
from countersign.operations.repository import Changed
from countersign.operations.summary import state_of
from countersign.reports.report_bodies import ReportDecisionBody

PATIENCE_SECONDS = 60.0
PEOPLE = {
    "Rita": ("Research.Requester",),
    "Rita as reviewer": ("Research.Requester", "Report.Reviewer"),
    "Victor": ("Report.Reviewer",),
    "Wanda": ("Report.Reviewer",),
    "Edith": ("Report.Escalation",),
    "Nobody": (),
}
"""Roles by who it is; the first word is the name."""

STRANGER = "Olga"
"""A reviewer of another tenant."""


class Side(Protocol):
    """One engine, with what people can do at it; answers are `ok` or the code of the refusal."""

    def ask(self, **approval: Any) -> None: ...
    def until_version(self, version: int) -> None: ...
    def until_state(self, *states: str) -> str: ...
    def decide(self, who: str, decision: str, version: int = 1, **body: Any) -> str: ...
    def withdraw(self, who: str) -> str: ...


@dataclass
class DurableSide:
    """The app at its host, over HTTP."""

    desk: Any
    operation: str = ""

    def ask(self, **approval: Any) -> None:
        self.operation = self.desk.ask(approval=approval)
        self.digests: dict[int, str] = {}

    def until_version(self, version: int) -> None:
        self.digests[version] = self.desk.until_version(self.operation, version)["digest"]

    def until_state(self, *states: str) -> str:
        return self.desk.until_state(self.operation, *states)["state"]

    def decide(self, who: str, decision: str, version: int = 1, **body: Any) -> str:
        digest = body.pop("digest", self.digests.get(version, "0" * 64))
        proposal = {"version": version, "digest": digest}
        token = self._token(who)
        return code(self.desk.decide(self.operation, proposal, decision, token=token, **body))

    def withdraw(self, who: str) -> str:
        path = f"operations/{self.operation}/withdraw"
        return code(self.desk.host.call("POST", path, self._token(who), json={}))

    def _token(self, who: str) -> str:
        if who == STRANGER:
            return self.desk.host.token(who, "Report.Reviewer", tenant="elsewhere")
        return self.desk.host.token(who.split()[0], *PEOPLE[who])


def code(answer: Any) -> str:
    return "ok" if answer.status_code == 200 else answer.json()["code"]


@dataclass
class GraphSide:
    """The graph, each time as another process would drive it."""

    home: Any
    operation: str = ""

    def ask(self, **approval: Any) -> None:
        engine = self.home.engine()
        body = self.home.research(approval=approval)
        self.operation = asyncio.run(engine.start(self._person("Rita"), body)).id
        asyncio.run(engine.run(self.home.tenant, self.operation))

    def until_version(self, version: int) -> None:
        self._until(lambda rest: bool(rest.question) and rest.question["version"] == version)

    def until_state(self, *states: str) -> str:
        return state_of(self._until(lambda rest: state_of(rest.operation) in states).operation)

    def decide(self, who: str, decision: str, version: int = 1, **body: Any) -> str:
        operation = asyncio.run(self.home.app.operations.load(self.home.tenant, self.operation))
        proposal = operation.proposal(version)
        digest = proposal.digest if proposal else "0" * 64
        if decision == "reject":
            body.setdefault("comment", "No.")
        decided = ReportDecisionBody.model_validate(
            {"decision": decision, "digest": digest, **body}
        )
        engine = self.home.engine()
        return told(asyncio.run(engine.decide(self._person(who), self.operation, version, decided)))

    def withdraw(self, who: str) -> str:
        engine = self.home.engine()
        return told(asyncio.run(engine.withdraw(self._person(who), self.operation, WithdrawBody())))

    def _until(self, holds: Callable[[Rest], bool]) -> Rest:
        deadline = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < deadline:
            rest = asyncio.run(self.home.engine().resume(self.home.tenant, self.operation))
            if holds(rest):
                return rest
            time.sleep(0.2)
        raise AssertionError(f"{self.operation} never got there")

    def _person(self, who: str) -> Person:
        tenant = "elsewhere" if who == STRANGER else self.home.tenant
        roles = frozenset(PEOPLE.get(who, ("Report.Reviewer",)))
        name = who.split()[0]
        return Person(id=name.lower(), name=name, tenant=tenant, roles=roles)


def told(answer: Any) -> str:
    return "ok" if isinstance(answer, Changed) else explain(answer).code


@pytest.fixture(params=["durable", "graph"])
def side(request: pytest.FixtureRequest) -> Iterator[Side]:
    if request.param == "durable":
        yield DurableSide(request.getfixturevalue("desk"))
    else:
        yield GraphSide(request.getfixturevalue("home"))


Story = Callable[[Side], list[str]]


def recorded(side: Side) -> list[str]:
    said = [side.decide("Victor", "approve")]
    return [*said, side.until_state("published")]


def the_same_again(side: Side) -> list[str]:
    said = [side.decide("Victor", "approve"), side.decide("Victor", "approve")]
    end = side.until_state("published")
    return [*said, side.decide("Victor", "approve"), end]


def another_stands(side: Side) -> list[str]:
    said = [side.decide("Victor", "reject"), side.decide("Wanda", "approve")]
    return [*said, side.until_state("rejected"), side.decide("Wanda", "reject")]


def another_digest(side: Side) -> list[str]:
    return [side.decide("Victor", "approve", digest="0" * 64), side.until_state(WAITS)]


def role_is_missing(side: Side) -> list[str]:
    said = [side.decide(who, "approve") for who in ("Nobody", "Edith")]
    return [*said, side.until_state(WAITS)]


def own_request(side: Side) -> list[str]:
    return [side.decide("Rita as reviewer", "approve"), side.until_state(WAITS)]


def unknown(side: Side) -> list[str]:
    return [side.decide(STRANGER, "approve"), side.decide("Victor", "approve", version=2)]


def malformed(side: Side) -> list[str]:
    said = [side.decide("Victor", "revise"), side.decide("Victor", "approve", correction=OWN)]
    return [*said, side.until_state(WAITS)]


def revised(side: Side) -> list[str]:
    said = [side.decide("Victor", "revise", comment="Make it shorter.")]
    side.until_version(2)
    said += [side.decide("Wanda", "approve"), side.decide("Victor", "approve", version=2)]
    said += [side.until_state(WAITS), side.decide("Wanda", "approve", version=2)]
    return [*said, side.until_state("published")]


def corrected(side: Side) -> list[str]:
    said = [side.decide("Victor", "revise", correction=OWN)]
    side.until_version(2)
    said += [side.decide("Victor", "approve", version=2), side.until_state(WAITS)]
    return [*said, side.decide("Wanda", "approve", version=2), side.until_state("published")]


def quorum(side: Side) -> list[str]:
    said = [side.decide("Victor", "approve"), side.until_state(WAITS)]
    return [*said, side.decide("Wanda", "approve"), side.until_state("published")]


def expired(side: Side) -> list[str]:
    side.until_version(2)
    said = [side.decide("Victor", "approve"), side.decide("Nobody", "approve", version=2)]
    return [*said, side.until_state("expired")]


def escalated(side: Side) -> list[str]:
    side.until_version(2)
    return [side.decide("Edith", "approve", version=2), side.until_state("published")]


def withdrawn(side: Side) -> list[str]:
    said = [side.withdraw("Victor"), side.withdraw("Rita"), side.withdraw("Rita")]
    return [*said, side.until_state("withdrawn"), side.decide("Victor", "approve")]


def withdrawn_too_late(side: Side) -> list[str]:
    said = [side.decide("Victor", "approve"), side.until_state("published")]
    return [*said, side.withdraw("Rita")]


WAITS = "awaiting_approval"
OWN = {"text": "# Mine\n"}
TABLE: list[tuple[Story, dict[str, Any], list[str]]] = [
    (recorded, {}, ["ok", "published"]),
    (the_same_again, {}, ["ok", "ok", "ok", "published"]),
    (another_stands, {}, ["ok", "already_decided", "rejected", "already_decided"]),
    (another_digest, {}, ["digest_mismatch", WAITS]),
    (role_is_missing, {}, ["not_authorised", "not_authorised", WAITS]),
    (own_request, {}, ["own_request", WAITS]),
    (unknown, {}, ["not_found", "not_found"]),
    (malformed, {}, ["malformed", "malformed", WAITS]),
    (revised, {}, ["ok", "superseded", "ok", WAITS, "ok", "published"]),
    (corrected, {}, ["ok", "ok", WAITS, "ok", "published"]),
    (quorum, {"quorum": 2}, ["ok", WAITS, "ok", "published"]),
    (expired, {"window_seconds": 2}, ["expired", "not_authorised", "expired"]),
    (escalated, {"window_seconds": 5}, ["ok", "published"]),
    (withdrawn, {}, ["not_authorised", "ok", "ok", "withdrawn", "already_decided"]),
    (withdrawn_too_late, {}, ["ok", "published", "already_decided"]),
]


@pytest.mark.parametrize(
    ("story", "approval", "outcome"), TABLE, ids=[story.__name__ for story, _, _ in TABLE]
)
def test_both_gates_answer_the_same(
    side: Side, story: Story, approval: dict[str, Any], outcome: list[str]
) -> None:
    side.ask(**approval)
    side.until_version(1)
    assert story(side) == outcome
