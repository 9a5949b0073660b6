"""What is left of closed operations in the durable runtime goes; the ledger stays and answers."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

import pytest

from testbed.listener import Listener

MINUTE = 60.0
HOUR = 3600.0
DAY = 86400.0
KEPT_DAYS = 10


class Archive:
    """A desk at a host whose time only moves by `advance`, and what its durable runtime keeps."""

    def __init__(self, desk: Any) -> None:
        self.desk, self.host = desk, desk.host

    def instances(self, operation: str = "") -> list[str]:
        """The ids of all orchestrations and entities of an operation, or of all, in order."""
        found: list[str] = []
        token = ""
        while True:
            headers = {"x-ms-continuation-token": token}
            page = self.host.manage("GET", "instances", headers=headers)
            found += [each["instanceId"] for each in page.json()]
            if not (token := page.headers.get("x-ms-continuation-token", "")):
                return [each for each in found if operation in each]

    def published(self) -> str:
        """An operation that was asked about, revised, published, and told of."""
        desk = self.desk
        operation = desk.ask()
        first = desk.until_version(operation)
        path = f"operations/{operation}/proposals/1/questions"
        question = {"question": "What does a timer cost?"}
        assert self.host.call("POST", path, desk.reviewer, json=question).status_code == 202
        self.host.until(
            lambda: "asked" not in self.host.call("GET", path, desk.reviewer).text.split('"'),
            "the question is settled",
        )
        self.decide(operation, first, "revise", comment="Shorter.")
        self.decide(operation, desk.until_version(operation, 2), token=desk.second)
        desk.until_state(operation, "published")
        return operation

    def until_gone(self, operation: str = "") -> None:
        """Wait until nothing is left; what a busy machine does not get done, the next hour does."""

        def gone() -> bool:
            if left := self.instances(operation):
                self.host.advance(HOUR)
            return not left

        self.host.until(gone, f"nothing is left of {operation or 'all operations'}")

    def closed(self) -> None:
        """One that was rejected."""
        operation = self.desk.ask()
        self.decide(operation, self.desk.until_version(operation), "reject", comment="No.")
        self.desk.until_state(operation, "rejected")

    def decide(self, operation: str, *decision: Any, **body: Any) -> None:
        """Send a decision, and let so much time go by that a gate which wasn't rung is."""
        assert self.desk.decide(operation, *decision, **body).status_code == 200
        self.host.advance(2 * MINUTE)


@pytest.fixture
def archive_of(
    listener: Listener, make_host: Callable[..., Any], desk_at: Callable[..., Any]
) -> Callable[..., Archive]:
    def make(days: object = KEPT_DAYS, **settings: str) -> Archive:
        host = make_host(
            clock="virtual",
            COUNTERSIGN_NOTIFY=f"{listener.url}/all",
            COUNTERSIGN_PURGE_AFTER_DAYS=str(days),
            **settings,
        )
        return Archive(desk_at(host.start(), lifetime=800 * DAY))

    return make


@pytest.fixture
def archive(archive_of: Callable[..., Archive]) -> Archive:
    return archive_of()


def parts_of(operation: str) -> set[str]:
    """What an operation such as `Archive.published` leaves, without the key of its reviewer."""
    parts = [operation, *(f"{operation}-{each}" for each in ("q1", "v1", "v2"))]
    return {*parts, f"@notices@{operation}", f"@dafx-factchecker@{operation}"}


def without_reviewer(instance: str) -> str:
    return instance.rpartition("-")[0] if instance.startswith("@dafx") else instance


def test_all_that_a_closed_operation_left_goes_after_the_days_that_are_set_and_not_before(
    archive: Archive,
) -> None:
    closed = archive.published()
    waiting = archive.desk.ask(approval={"window_seconds": 30 * DAY})
    proposal = archive.desk.until_version(waiting)
    assert set(map(without_reviewer, archive.instances(closed))) == parts_of(closed)
    archive.host.advance((KEPT_DAYS - 1) * DAY)
    assert set(map(without_reviewer, archive.instances(closed))) == parts_of(closed)
    archive.host.advance(2 * DAY)
    archive.until_gone(closed)
    assert set(archive.instances()) == {waiting, f"{waiting}-v1", f"@notices@{waiting}"}
    archive.decide(waiting, proposal)
    archive.desk.until_state(waiting, "published")


def test_they_go_as_well_where_the_ledger_is_in_azure_storage(
    archive_of: Callable[..., Archive], azurite: str
) -> None:
    prefix = f"t{uuid.uuid4().hex[:12]}"
    archive = archive_of(COUNTERSIGN_STORAGE=azurite, COUNTERSIGN_STORAGE_PREFIX=prefix)
    closed = archive.published()
    archive.host.advance((KEPT_DAYS + 1) * DAY)
    archive.until_gone()
    assert archive.desk.operation(closed)["state"] == "published"


def test_what_was_purged_is_answered_from_the_ledger_and_never_started_again(
    archive: Archive,
) -> None:
    desk, host = archive.desk, archive.host
    operation = archive.published()
    paths = ("", "/history", "/report", "/proof", "/proposals/2", "/proposals/1/questions")

    def answers() -> list[str]:
        told = [host.call("GET", f"operations/{operation}{path}", desk.reviewer) for path in paths]
        assert [each.status_code for each in told] == [200] * len(paths)
        return [each.text for each in told if "/proof" not in str(each.url)]

    before = answers()
    second = host.call("GET", f"operations/{operation}/proposals/2", desk.reviewer).json()
    first = host.call("GET", f"operations/{operation}/proposals/1", desk.reviewer).json()
    receipt = desk.decide(operation, second, token=desk.second).json()
    host.advance((KEPT_DAYS + 1) * DAY)
    archive.until_gone(operation)

    assert answers() == before
    again = desk.decide(operation, second, token=desk.second)
    assert (again.status_code, again.json()) == (200, receipt)
    assert receipt["delivery"] == "delivered"
    assert desk.decide(operation, second).status_code in {409, 410}
    assert desk.decide(operation, first, token=desk.second).status_code in {409, 410}
    question = f"operations/{operation}/proposals/2/questions"
    asked = host.call("POST", question, desk.second, json={"question": "Why?"})
    assert asked.status_code in {409, 410}
    withdrawn = host.call("POST", f"operations/{operation}/withdraw", desk.requester, json={})
    assert withdrawn.status_code in {409, 410}
    desk.reconcile()
    host.advance(2 * DAY)
    archive.until_gone(operation)
    assert answers() == before


def test_a_purge_that_broke_off_is_finished_by_the_next_one(archive: Archive) -> None:
    operation = archive.published()
    for instance in (f"{operation}-q1", f"{operation}-v1", f"@notices@{operation}"):
        archive.host.purge(instance)
    archive.host.advance((KEPT_DAYS + 1) * DAY)
    archive.until_gone(operation)


def test_an_orchestration_that_outlived_its_operation_is_ended_and_goes_too(
    archive: Archive,
) -> None:
    closed = archive.published()
    waiting = archive.desk.ask(approval={"window_seconds": 30 * DAY})
    archive.desk.until_version(waiting)
    gate = f"{closed}-v1"
    archive.host.purge(gate)
    given = {"tenant": archive.desk.tenant, "operation_id": waiting, "version": 1}
    started = archive.host.manage("POST", f"orchestrators/approval_gate/{gate}", json=given)
    assert started.status_code == 202
    archive.host.instance(gate)
    assert archive.host.manage("POST", f"instances/{gate}/suspend?reason=odd").status_code == 202
    archive.host.advance((KEPT_DAYS + 1) * DAY)
    archive.host.advance(DAY)
    archive.until_gone(closed)
    assert waiting in archive.instances(waiting)


def test_nothing_is_purged_where_that_is_set(archive_of: Callable[..., Archive]) -> None:
    archive = archive_of("never")
    operation = archive.published()
    archive.host.advance(400 * DAY)
    assert set(map(without_reviewer, archive.instances(operation))) == parts_of(operation)


def test_a_year_of_operations_leaves_no_more_behind_than_a_month_of_them(
    archive_of: Callable[..., Archive],
) -> None:
    archive, months, in_a_month = archive_of(30), 12, 1
    for _ in range(months):
        for _ in range(in_a_month):
            archive.closed()
        # The operation, its gate, and the entity that tells people about it.
        assert len(archive.instances()) == 3 * in_a_month
        archive.host.advance(31 * DAY)
        archive.until_gone()
