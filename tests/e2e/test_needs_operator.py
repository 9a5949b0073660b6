"""What an operator can put right ends no operation: it waits, says why, and goes on."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import datetime
from pathlib import Path
from typing import Any

import httpx
import pytest

from countersign.approvals.holding import request_retry
from countersign.approvals.person import OPERATOR, Person
from countersign.operations.repository import Changed, Rule
from countersign.proof.check import check
from testbed.own_ledger import operations_of
from testbed.refusing import RefusingProvider, refusing_provider

MINUTE, HOUR, DAY = 60.0, 3_600.0, 86_400.0
NOBODY = {
    "COUNTERSIGN_MODEL_PROVIDER": "compatible",
    "COUNTERSIGN_MODEL": "away",
    "COUNTERSIGN_MODEL_URL": "http://127.0.0.1:9/v1",
}
"""Settings of a model that doesn't answer."""


@pytest.fixture
def provider() -> Iterator[RefusingProvider]:
    with refusing_provider() as provider:
        yield provider


class House:
    """One data folder, and the hosts that one after the other work on it with their models.

    Args:
        new_host: makes a host.
        desk_at: makes the people at it.
        data: the folder.
    """

    def __init__(
        self, new_host: Callable[..., Any], desk_at: Callable[..., Any], data: Path
    ) -> None:
        self._new_host, self._desk_at, self._data = new_host, desk_at, data
        self._tokens: dict[Any, str] = {}
        self._hosts = ExitStack()
        self.host: Any = None
        self.desk: Any = None

    def open(self, **settings: str) -> Any:
        """Kill the host, if there is one, and start the next, by default with a model that works.

        Returns:
            The people at it.
        """
        if self.host:
            self.host.process.kill()
        self.host = self._new_host(self._data, clock="virtual", **settings)
        self._hosts.callback(self.host.close)
        self.host.tokens = self._tokens
        self.host.start()
        self.desk = self._desk_at(self.host, lifetime=50 * DAY)
        return self.desk

    def close(self) -> None:
        self._hosts.close()

    def retry(self, operation: str, token: str | None = None) -> httpx.Response:
        path = f"operations/{operation}/retry"
        return self.host.call("POST", path, token or self.desk.requester)

    def until_held(self, operation: str) -> dict[str, Any]:
        """Wait until the operation needs an operator; returns what is said of that."""
        return self.desk.until_state(operation, "needs_operator")["hold"]

    def record(self, operation: str, rule: Rule) -> None:
        """Record something in the ledger and do no more, as a process that then dies."""
        moment = datetime.fromisoformat(self.desk.history(operation)[-1]["at"])
        self.host.process.kill()
        operations = operations_of(self._data, lambda: moment)
        changed = asyncio.run(operations.change(self.desk.tenant, operation, rule))
        assert isinstance(changed, Changed)
        assert changed.events

    def recorded(self, operation: str, *types: str) -> list[dict[str, Any]]:
        return [each for each in self.desk.history(operation) if each["type"] in types]


@pytest.fixture
def house(
    new_host: Callable[..., Any], desk_at: Callable[..., Any], tmp_path: Path
) -> Iterator[House]:
    house = House(new_host, desk_at, tmp_path / "data")
    yield house
    house.close()


def test_what_an_operator_has_to_do_is_shown_with_its_cause(
    house: House, provider: RefusingProvider
) -> None:
    desk = house.open(**provider.settings)
    for status, code, cause in (
        (401, "invalid_api_key", "model_access_refused"),
        (404, "model_not_found", "model_not_found"),
        (429, "insufficient_quota", "model_quota_spent"),
        (400, "context_length_exceeded", "model_context_too_small"),
    ):
        provider.refuses(status, code)
        operation = desk.ask()
        hold = house.until_held(operation)
        shown = desk.operation(operation)
        assert (hold["cause"], hold["asked_by"]) == (cause, None)
        assert (hold["needs_operator"], hold["step"]) == (True, "research:0:0")
        assert hold["tries"] >= 1
        assert hold["since"] <= hold["tried_at"] < hold["next_try"]
        assert hold["reason"].endswith(".")
        assert (shown["stage"], shown["outcome"]) == ("researching", None)
        listed = house.host.call("GET", "operations?state=needs_operator", desk.requester).json()
        [row] = [each for each in listed["operations"] if each["operation_id"] == operation]
        assert row["cause"] == cause
        assert row["next_try"] >= hold["next_try"]
        recorded = house.recorded(operation, "WorkHeld")
        assert {each["data"]["cause"] for each in recorded} == {cause}


def test_it_goes_on_by_itself_once_the_cause_is_removed(
    house: House, provider: RefusingProvider
) -> None:
    desk = house.open(**provider.settings)
    operation = desk.ask()
    house.until_held(operation)
    # Further tries come further apart, and cost no more than they have to.
    house.host.advance(HOUR)
    desk.reconcile()
    house.host.advance(0)
    hold = house.until_held(operation)
    assert 2 <= hold["tries"] <= 4
    asked = provider.requests
    house.host.advance(MINUTE)
    assert provider.requests == asked

    desk = house.open()
    house.host.advance(2 * HOUR)
    desk.reconcile()
    assert desk.until_version(operation)["status"] == "pending"
    assert desk.operation(operation)["hold"] is None
    assert len(house.recorded(operation, "WorkPlanned")) == 1
    [resumed] = house.recorded(operation, "WorkResumed")
    assert resumed["data"]["step"] == "research:0:0"


def test_whoever_may_has_it_tried_again_at_once(house: House, provider: RefusingProvider) -> None:
    desk = house.open(**provider.settings)
    operations = [desk.ask(), desk.ask()]
    for operation in operations:
        house.until_held(operation)
    refused = house.retry(operations[0], desk.reviewer)
    assert (refused.status_code, refused.json()["code"]) == (403, "not_authorised")
    assert house.recorded(operations[0], "RetryRequested") == []

    desk = house.open()
    olga = desk.person("Olga", "Operator")
    for operation, token in zip(operations, (desk.requester, olga), strict=True):
        answer = house.retry(operation, token)
        assert (answer.status_code, answer.json()["delivery"]) == (200, "delivered")
        # The clock stands still: nothing but the request has it go on.
        desk.until_version(operation)
        again = house.retry(operation, token)
        assert (again.status_code, again.json()["state"]) == (200, "awaiting_approval")
        assert len(house.recorded(operation, "RetryRequested")) == 1
    [asked] = house.recorded(operations[1], "RetryRequested")
    assert asked["actor"]["name"] == "Olga"


def test_a_retry_that_was_recorded_and_no_more_is_made_good_by_the_reconciler(
    house: House, provider: RefusingProvider
) -> None:
    provider.says("I would rather not.")
    desk = house.open(**provider.settings)
    operation = desk.ask()
    assert house.until_held(operation)["next_try"] is None
    rita = Person(id="rita", name="Rita", tenant=desk.tenant, roles=frozenset({OPERATOR}))
    house.record(operation, lambda state, now: request_retry(state, rita, now))

    desk = house.open()
    assert house.until_held(operation)["asked_by"] == "Rita"
    house.host.advance(1)
    desk.reconcile()
    desk.until_version(operation)


def test_a_model_that_is_away_for_long_is_seen_and_waited_for(house: House) -> None:
    desk = house.open(**NOBODY)
    operation = desk.ask()

    def seen() -> Any:
        return desk.operation(operation)["hold"]

    hold = house.host.until(seen, "it is seen that something fails")
    assert (hold["needs_operator"], desk.operation(operation)["state"]) == (False, "running")
    for _ in range(6):
        house.host.advance(11)
    hold = house.until_held(operation)
    assert (hold["cause"], hold["tries"]) == ("model_unreachable", 5)
    house.host.advance(3 * DAY)
    desk.reconcile()
    house.host.advance(0)
    assert house.until_held(operation)["tries"] > 5

    house.open().host.advance(2 * HOUR)
    house.desk.reconcile()
    house.desk.until_version(operation)


def test_an_answer_that_cannot_be_used_is_asked_for_again_only_if_somebody_wants_it(
    house: House, provider: RefusingProvider
) -> None:
    provider.says("I would rather not.")
    desk = house.open(**provider.settings)
    operation = desk.ask()
    hold = house.until_held(operation)
    assert (hold["cause"], hold["next_try"]) == ("answer_not_in_form", None)
    asked = provider.requests
    house.host.advance(2 * DAY)
    desk.reconcile()
    house.host.advance(0)
    assert provider.requests == asked
    assert house.retry(operation).status_code == 200
    house.host.until(lambda: house.until_held(operation)["tries"] == 2, "it was tried again")
    assert provider.requests > asked
    house.open()
    assert house.retry(operation).status_code == 200
    house.desk.until_version(operation)


def test_operators_hear_of_it_once(house: House, provider: RefusingProvider, listener: Any) -> None:
    told = {"COUNTERSIGN_NOTIFY__Operator": listener.url}
    desk = house.open(**provider.settings, **told)
    operation = desk.ask()
    house.until_held(operation)
    house.host.until(lambda: listener.subjects, "operators were told")
    house.host.advance(3 * HOUR)
    desk.reconcile()
    house.host.advance(0)
    assert house.until_held(operation)["tries"] > 1
    [body] = listener.bodies
    assert body["title"] == f"Needs an operator: “{desk.TOPIC}”"
    assert "Cause: model access refused" in body["message"]
    assert f"operation={operation}" in body["message"]
    [sent] = house.recorded(operation, "NoticeSent")
    assert sent["data"]["notice"].startswith("held:")


def test_a_withdrawal_ends_the_wait(house: House, provider: RefusingProvider) -> None:
    desk = house.open(**provider.settings)
    operation = desk.ask()
    house.until_held(operation)
    path = f"operations/{operation}/withdraw"
    assert house.host.call("POST", path, desk.requester, json={}).status_code == 200
    house.host.until(lambda: desk.operation(operation)["outcome"], "it is closed")
    shown = desk.operation(operation)
    assert (shown["state"], shown["hold"]) == ("withdrawn", None)
    late = house.retry(operation)
    assert (late.status_code, late.json()["code"]) == (409, "already_decided")


def test_a_revision_that_cannot_be_made_leaves_the_text_open_for_a_decision(
    house: House, provider: RefusingProvider
) -> None:
    desk = house.open()
    operation = desk.ask()
    first = desk.until_version(operation)
    before = house.host.call("GET", f"operations/{operation}/proposals/1", desk.reviewer).json()

    provider.says("I would rather not.")
    desk = house.open(**provider.settings)
    assert desk.decide(operation, first, "revise", comment="Shorter.").status_code == 200
    second = desk.until_version(operation, 2)
    path = f"operations/{operation}/proposals/2"
    after = house.host.call("GET", path, desk.reviewer).json()
    assert after["content"] == before["content"]
    assert (second["origin"], second["status"]) == ("unchanged", "pending")
    assert second["failure"].endswith("contains no readable list of searches.")
    [failed] = house.recorded(operation, "RevisionFailed")
    assert failed["data"] == {"version": 1, "reason": second["failure"]}

    late = desk.decide(operation, first)
    assert (late.status_code, late.json()["code"]) == (409, "superseded")
    assert desk.decide(operation, second).status_code == 200
    assert desk.until_state(operation, "published")["receipt"]
    bundle = house.host.call("GET", f"operations/{operation}/proof", desk.requester)
    check(bundle.content)


def test_a_revision_waits_for_an_operator_and_is_made_then(
    house: House, provider: RefusingProvider
) -> None:
    desk = house.open()
    operation = desk.ask()
    first = desk.until_version(operation)
    desk = house.open(**provider.settings)
    assert desk.decide(operation, first, "revise", comment="Shorter.").status_code == 200
    assert house.until_held(operation)["step"] == "draft:2"
    assert desk.operation(operation)["stage"] == "revising"

    desk = house.open()
    assert house.retry(operation).status_code == 200
    second = desk.until_version(operation, 2)
    assert (second["origin"], second["failure"]) == ("revision", None)
    assert desk.decide(operation, second, token=desk.second).status_code == 200
    desk.until_state(operation, "published")


def test_the_proof_of_an_operation_that_waited_holds(
    house: House, provider: RefusingProvider
) -> None:
    desk = house.open(**provider.settings)
    operation = desk.ask()
    house.until_held(operation)
    desk = house.open()
    assert house.retry(operation).status_code == 200
    desk.until_version(operation)
    bundle = house.host.call("GET", f"operations/{operation}/proof", desk.requester)
    assert bundle.status_code == 200
    check(bundle.content)


@pytest.mark.fair_only("the clock is moved there, and waits for what the model never says")
def test_what_is_under_way_is_seen_with_what_has_come_of_the_answer(
    house: House, provider: RefusingProvider
) -> None:
    provider.endless = "words and more words "
    desk = house.open(**provider.settings)
    operation = desk.ask("Durable timers", subtopics=["Restarts"])

    def seen() -> Any:
        steps = desk.operation(operation)["under_way"]
        return steps if steps and steps[0]["tokens"] else None

    # It is written down every few seconds, while the virtual clock stands still.
    [step] = house.host.until(seen, "it is seen how much has come")
    assert (step["step"], step["subtopic"]) == ("research:0:0", "Restarts")
    assert step["tokens"] > 10
    assert desk.operation(operation)["state"] == "running"

    # Whoever comes after a crash sees it too, and in the end there is nothing left to see.
    house.open()
    house.host.advance(60)
    desk = house.desk
    desk.until_version(operation)
    assert desk.operation(operation)["under_way"] == []
