"""Whatever goes wrong at the purchasing service, and wherever the app dies: one order, or a reason.

For each combination of what the service does against double orders and of what goes wrong there,
an order is submitted for each place at which the app can die, and one that is let live. Where the
app dies while it recovers, that is one more place.
"""

from __future__ import annotations

import asyncio
import itertools
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Literal, TypeAlias

import httpx
import pytest

from countersign.approvals.digest import canonical, sha256
from countersign.approvals.folding import fold
from countersign.approvals.ledger import verify
from countersign.approvals.operation import Operation
from countersign.stores.sqlite import SqliteLedger
from devhost.process import ServerProcess, free_port
from testbed.host import ROOT, environment

APP = Path(__file__).parent / "app"
TENANT = "home"
PATIENCE_SECONDS = 150.0
KILL = getattr(signal, "SIGKILL", signal.SIGTERM)
AMOUNT = "25.00 EUR"
SETTLING_SECONDS = 2.0

FAULTS = ("none", "drop", "error_after", "unavailable", "slow:0.8", "late:1.0", "wrong_amount")
KILLED = "killed"
"""The service is killed after it accepted this, and before it answers."""

GUARDS = ("key lookup", "key", "lookup", "none")

End: TypeAlias = Literal["ordered", "found", "kept", "unknown"]
"""How an operation has to end.

* `ordered`: as ordered, wherever the app dies.
* `found`: as ordered if there is an order within the settling time. There is one, unless the app
  died after the reservation or the service before accepting, or the call was given up for its
  slowness.
* `kept`: as ordered, unless the app died between the reservation and the receipt, or the answer
  took too long.
* `unknown`: not as ordered.

Otherwise it ends as `write_unknown`, or as `failed` if there is no order.
"""

ENDS: Mapping[str, tuple[End, End, End, End]] = {
    "none": ("ordered", "ordered", "found", "kept"),
    "drop": ("ordered", "ordered", "found", "unknown"),
    "error_after": ("ordered", "ordered", "found", "unknown"),
    "unavailable": ("ordered", "ordered", "found", "unknown"),
    "slow": ("ordered", "ordered", "found", "unknown"),
    "late": ("ordered", "ordered", "found", "unknown"),
    "killed": ("ordered", "ordered", "found", "unknown"),
    "wrong_amount": ("unknown", "unknown", "unknown", "unknown"),
}
"""By what goes wrong, for each of `GUARDS`: what docs/purchasing.md promises."""


DECISIVE = (
    ("after SqliteLedger.append", "WriteClaimed"),
    ("before POST", "WriteClaimed"),
    ("during POST", "WriteClaimed"),
    ("after SqliteLedger.append", "OperationClosed"),
)
"""Places at which the app has to have died, whatever went wrong, and the last event before each."""


class Samples(ServerProcess):
    """Samples of a purchasing system with these guards, one for each fault, in one process."""

    def __init__(self, folder: Path, guards: str, *faults: str) -> None:
        self._accepted, self._seen = 0, 0
        folder.mkdir()
        self._log = (folder / "services.log").open("a", encoding="utf-8")
        self._names = [fault.partition(":")[0] for fault in faults]
        port = free_port()
        super().__init__(
            name="the purchasing services",
            command=[
                sys.executable,
                str(APP / "services.py"),
                str(folder),
                str(port),
                guards,
                *faults,
            ],
            port=port,
            environment={**os.environ, "PYTHONPATH": str(ROOT)},
            output=self._log,
            health=f"/{self._names[0]}/health",
        )
        self.http = httpx.Client(base_url=self.url, timeout=30.0, trust_env=False)

    @property
    def addresses(self) -> list[str]:
        """Where orders meet which fault."""
        return [f"{name}={self.url}/{name}" for name in self._names]

    def orders(self) -> list[dict[str, Any]]:
        """All that was ordered of any of them."""
        answers = [self.http.get(f"/{name}/orders").json() for name in self._names]
        return [order for answer in answers for order in answer["orders"]]

    def fall_after_accepting(self) -> None:
        """Die and rise again if something was accepted since, and nothing more just now."""
        accepted = len(self.orders())
        if accepted > self._accepted and accepted == self._seen:
            self.kill()
            self.start()
            self._accepted = accepted
        self._seen = accepted

    def close(self) -> None:
        """End it and what this side of it holds."""
        self.kill()
        self.http.close()
        self._log.close()


@pytest.fixture
def samples(tmp_path: Path) -> Iterator[Callable[..., Samples]]:
    """Starts samples, which end with the test."""
    with ExitStack() as running:

        def start(name: str, guards: str, *faults: str) -> Samples:
            started = Samples(tmp_path / name, guards, *faults)
            started.start()
            running.callback(started.close)
            return started

        yield start


@dataclass(frozen=True, kw_only=True)
class Submission:
    """What became of one order.

    Attributes:
        fault: What it met.
        operation: What the ledger says in the end.
        orders: What stands in the books of the service.
        deaths: The places where the app died with it under way.
    """

    fault: str
    operation: Operation
    orders: Sequence[dict[str, Any]]
    deaths: Sequence[str]

    @property
    def was_there_in_time(self) -> bool:
        """Whether its order was accepted before the settling time was over."""
        reservation = self.operation.reservation
        return reservation is not None and any(
            parse(order["accepted_at"]) < reservation.at + timedelta(seconds=SETTLING_SECONDS)
            for order in self.orders
        )

    @property
    def died_with_a_reservation(self) -> bool:
        """Whether the app died between the reservation and the receipt."""
        return any("since WriteClaimed" in place for place in self.deaths)


@pytest.mark.parametrize(
    "guards", [GUARDS[0], *(pytest.param(each, marks=pytest.mark.thorough) for each in GUARDS[1:])]
)
def test_nothing_is_ordered_twice_and_nothing_approved_is_left_without_a_word(
    guards: str, samples: Callable[..., Samples], tmp_path: Path
) -> None:
    steady, killed = samples("steady", guards, *FAULTS), samples("killed", guards, KILLED)
    data = tmp_path / "data"
    lives = live_and_die(
        data, [guards, str(SETTLING_SECONDS), *steady.addresses, *killed.addresses], killed
    )
    submissions = read(data, [*steady.orders(), *killed.orders()])
    deaths = sum(len(each.deaths) for each in submissions)
    print(f"{len(submissions)} orders, {deaths} deaths in {lives} lives")  # noqa: T201 - for -rA
    places = {place for each in submissions for place in each.deaths}
    missed = [
        (fault, moment, event)
        for fault in ENDS
        for moment, event in DECISIVE
        if not any(
            place.startswith(f"{fault}: {moment} since ") and place.endswith(event)
            for place in places
        )
    ]
    assert missed == []
    for each in submissions:
        assert_told_the_truth(each)
        assert_ended(each, ENDS[each.fault][GUARDS.index(guards)])


def parse(moment: str) -> datetime:
    return datetime.fromisoformat(moment.replace("Z", "+00:00"))


def live_and_die(data: Path, arguments: list[str], killed: Samples) -> int:
    """Run processes until one lives to the end; returns how many it took."""
    data.mkdir()
    deadline = time.monotonic() + PATIENCE_SECONDS
    command = [sys.executable, str(APP / "submissions.py"), *arguments]
    # The orders are recorded without a signature, as far as to their approval.
    given = environment(1, data, {"COUNTERSIGN_UNSIGNED_UNTIL": "2100-01-01T00:00:00Z"})
    for life in itertools.count(1):
        with (data / "log").open("w") as log:
            process = subprocess.Popen(command, env=given, stderr=log)
            try:
                while process.poll() is None and time.monotonic() < deadline:
                    killed.fall_after_accepting()
                    time.sleep(0.03)
            finally:
                process.kill()
        said = (data / "log").read_text("utf-8")[-3000:]
        assert time.monotonic() < deadline, said
        if process.wait() == 0:
            return life
        assert abs(process.returncode) == KILL, said
    raise AssertionError


def read(data: Path, orders: list[dict[str, Any]]) -> list[Submission]:
    """What became of all orders, by the ledger and the books."""
    deaths = [line.split(" ", 1) for line in (data / "deaths").read_text("utf-8").splitlines()]
    assert len({place for _, place in deaths}) == len(deaths)
    database = sqlite3.connect(data / "countersign.db")
    with closing(database):
        names = [name for (name,) in database.execute("SELECT DISTINCT operation_id FROM ledger")]
    return [
        Submission(
            fault=name.split("-")[1],
            operation=operation_in(data, name),
            orders=[order for order in orders if order["reference"] == name],
            deaths=[place for operation, place in deaths if operation == name],
        )
        for name in names
    ]


def operation_in(data: Path, name: str) -> Operation:
    rows = asyncio.run(SqliteLedger(data / "countersign.db").read(TENANT, name))
    assert verify(TENANT, name, rows) is None
    types = [row.type for row in rows]
    assert types.count("ReceiptRecorded") <= 1, name
    operation = fold(TENANT, name, (row.event for row in rows))
    assert operation
    assert types.count("OperationClosed") == 1 + operation.late, name
    return operation


def assert_told_the_truth(submission: Submission) -> None:
    """See that at most one order stands, and that the end is true to it, or names it."""
    operation, orders = submission.operation, submission.orders
    assert len(orders) <= 1, submission
    assert operation.closed
    if operation.closed.outcome == "ordered":
        [order] = orders
        assert operation.receipt
        assert operation.receipt["order_number"] == order["order_number"]
        assert operation.receipt["sha256"] == sha256(canonical(order["order"]))
        assert f"{order['order']['total']} {order['order']['currency']}" == AMOUNT
        return
    assert operation.receipt is None
    assert operation.closed.outcome == ("write_unknown" if orders else operation.closed.outcome)
    assert operation.closed.outcome in {"write_unknown", "failed"}
    assert operation.id in operation.closed.reason
    if submission.fault == "wrong_amount" and orders and "confirm" not in operation.closed.reason:
        assert orders[0]["order_number"] in operation.closed.reason
        assert "250.00" in operation.closed.reason
    else:
        assert AMOUNT in operation.closed.reason


def assert_ended(submission: Submission, end: End) -> None:
    """See that it ended as was promised."""
    assert submission.operation.closed
    ordered = submission.operation.closed.outcome == "ordered"
    reason = submission.operation.closed.reason
    if end in {"ordered", "unknown"}:
        assert ordered == (end == "ordered"), submission
    elif end == "found":
        assert ordered or not submission.was_there_in_time, submission
        lost = submission.died_with_a_reservation or submission.fault in {"killed", "slow", "late"}
        assert ordered or lost or submission.operation.closed.outcome == "failed", submission
    else:
        lost = submission.died_with_a_reservation or "no answer within" in reason
        assert ordered or lost, submission
