"""A version of a report at a running host, and the reviewers who ask about it."""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import datetime
from typing import Any

import httpx
import pytest

from countersign.approvals import questions
from countersign.approvals.person import Person
from countersign.approvals.rules import Ruling
from countersign.operations.repository import Changed, Rule
from testbed.own_ledger import operations_of

AGENT = "dafx-FactChecker"
TOLD = ("QuestionAsked", "QuestionAnswered", "QuestionFailed")


class Interview:
    """One version of a report, and the people who ask about it."""

    QUESTION = "How does replay rebuild the state of an orchestration?"
    OTHER = "What limits how far ahead a timer may be set?"

    def __init__(self, desk: Any) -> None:
        self.desk, self.host = desk, desk.host
        self.operation = desk.ask("Replay and determinism in durable execution")
        self.proposal = desk.until_version(self.operation)
        self.path = f"operations/{self.operation}/proposals/1/questions"

    @property
    def reviewer(self) -> Person:
        """The first reviewer, as the app knows them from their token."""
        return person_of(self.desk.reviewer)

    def ask(self, question: Any = QUESTION, token: str | None = None) -> httpx.Response:
        token = token or self.desk.reviewer
        return self.host.call("POST", self.path, token, json={"question": question})

    def asked(self, question: str = QUESTION, token: str | None = None) -> str:
        """Ask, and return the id that the question got."""
        answer = self.ask(question, token)
        assert answer.status_code == 202, answer.text
        return answer.json()["question_id"]

    def shown(self, question_id: str, token: str | None = None) -> dict[str, Any]:
        answer = self.host.call("GET", self.path, token or self.desk.reviewer)
        assert answer.status_code == 200, answer.text
        return {each["question_id"]: each for each in answer.json()["questions"]}[question_id]

    def until_settled(self, question_id: str) -> dict[str, Any]:
        """Wait until a question is answered, or failed."""

        def settled() -> dict[str, Any] | None:
            one = self.shown(question_id)
            return one if one["status"] != "asked" else None

        return self.host.until(settled, f"{question_id} is settled")

    def told(self) -> list[tuple[str, Any]]:
        """What the history says about questions, in order."""
        events = self.desk.history(self.operation)
        return [(e["type"], e["data"]["question_id"]) for e in events if e["type"] in TOLD]

    def conversations(self) -> dict[str, str]:
        """What the agent's entities for this operation keep, by their keys."""
        entities = self.host.manage("GET", f"entities/{AGENT}?fetchState=true").json()
        return {
            each["entityId"]["key"]: json.dumps(each["state"])
            for each in entities
            if each["entityId"]["key"].startswith(self.operation)
        }

    def until_conversations(self, number: int) -> dict[str, str]:
        """Wait until the agent's entities keep so many: an answer is in the ledger before that."""

        def kept() -> dict[str, str] | None:
            conversations = self.conversations()
            return conversations if len(conversations) == number else None

        return self.host.until(kept, f"{number} conversations are kept")

    def signal(self, key: str, operation: str, **message: Any) -> None:
        """Signal an entity of the agent, as only a holder of the extension's key could in Azure."""
        path = f"entities/{AGENT}/{key}?op={operation}"
        assert self.host.manage("POST", path, json=message).status_code == 202

    def record(self, rule: Rule) -> Ruling:
        """Record something in the ledger and do no more, as a process that then dies."""
        moment = datetime.fromisoformat(self.proposal["opened_at"])
        operations = operations_of(self.host.data, lambda: moment)
        changed = asyncio.run(operations.change(self.desk.tenant, self.operation, rule))
        assert isinstance(changed, Changed), changed
        return tuple(changed.events)

    def left_open(self, question: str = QUESTION) -> None:
        """Record a question of the first reviewer's that nobody begins to answer."""
        ask = questions.Ask(reviewer=self.reviewer, version=1, question=question)
        assert self.record(lambda state, now: questions.ask(state, ask, now))


def person_of(token: str) -> Person:
    payload = token.split(".")[1]
    claims = json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))
    return Person(
        id=claims["oid"],
        name=claims["name"],
        tenant=claims["tid"],
        roles=frozenset(claims["roles"]),
    )


@pytest.fixture
def interview(desk: Any) -> Interview:
    return Interview(desk)


@pytest.fixture
def still(virtual_desk: Any) -> Interview:
    """One at a host whose reconciler does nothing until it is told to."""
    return Interview(virtual_desk)


@pytest.fixture(scope="session")
def interview_at() -> type[Interview]:
    """What opens a version at a desk of a test's own."""
    return Interview


@pytest.fixture
def later_at(
    make_host: Callable[..., Any], new_host: Callable[..., Any], desk_at: Callable[..., Any]
) -> Iterator[Callable[..., Interview]]:
    """Opens a version, and then the same host with other settings."""
    with ExitStack() as hosts:

        def reopen(**settings: str) -> Interview:
            first = make_host(clock="virtual").start()
            interview = Interview(desk_at(first, lifetime=50 * 86400.0))
            first.process.kill()
            host = new_host(first.data, clock="virtual", **settings)
            hosts.callback(host.close)
            host.tokens = first.tokens
            interview.host = host.start()
            interview.desk = desk_at(host, lifetime=50 * 86400.0)
            return interview

        yield reopen
