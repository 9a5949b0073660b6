"""The destinations under test: an adapter joins by one more entry in `DESTINATIONS`."""

import contextlib
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from countersign.approvals.digest import canonical
from countersign.destinations.destination import Destination, ReportDestination
from countersign.destinations.order_service import OrderService
from countersign.destinations.purchasing import Purchasing
from countersign.destinations.report_blobs import ReportBlobs
from countersign.destinations.report_folder import ReportFolder
from countersign.stores.account import StorageAccount
from testbed.purchasing import PurchasingService

REPORTS: dict[str, Callable[[str], ReportDestination]] = {
    "report-folder": lambda place: ReportFolder(Path(place, "data", "published")),
    "azure": lambda place: ReportBlobs(account_at(place)),
}
DESTINATIONS: dict[str, Callable[[str], Destination]] = {
    **REPORTS,
    "order-service": lambda place: OrderService(Purchasing(url=place)),
}


def account_at(place: str) -> StorageAccount:
    prefix, _, connection_string = place.partition(" ")
    return StorageAccount(connection_string=connection_string, prefix=prefix)


@pytest.fixture(params=DESTINATIONS)
def name(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture
def place(name: str, request: pytest.FixtureRequest) -> str:
    if name == "azure":
        return f"t{uuid4().hex[:20]} {request.getfixturevalue('azurite')}"
    if name == "order-service":
        return request.getfixturevalue("service_with")("key lookup").url
    return str(request.getfixturevalue("tmp_path"))


@pytest.fixture
def operation_id() -> str:
    """An operation that no other test has."""
    return f"op-{uuid4().hex[:20]}"


@pytest.fixture
def account(place: str) -> StorageAccount:
    return account_at(place)


@pytest.fixture
def destination(name: str, place: str) -> Destination:
    return DESTINATIONS[name](place)


@pytest.fixture
def contents(name: str) -> list[bytes]:
    """Four different contents that this destination takes."""
    if name == "order-service":
        return [order_of(quantity) for quantity in range(1, 5)]
    return [f"# Otters\n\nThey hold hands, all {number}: „Ötter“.\n".encode() for number in "1234"]


def order_of(quantity: int, **changes: Any) -> bytes:
    """An order of so many pieces at 12.50 EUR each."""
    total = f"{12.5 * quantity:.2f}"
    line = {"sku": "OT-1", "description": "Otter „Ö“", "quantity": quantity}
    order = {
        "vendor": "Otter GmbH",
        "destination": "Berlin",
        "lines": [{**line, "unit_price": "12.50", "total": total}],
        "currency": "EUR",
        "total": total,
        "reason": "none left",
    }
    return canonical({**order, **changes})


@pytest.fixture(scope="session")
def order() -> Callable[..., bytes]:
    """Makes orders of so many pieces at 12.50 EUR each."""
    return order_of


@pytest.fixture(scope="session")
def service_with(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Callable[[str], PurchasingService]]:
    """What gives the purchasing service with these guards, such as "key lookup" or "none"."""
    running: dict[str, PurchasingService] = {}
    with contextlib.ExitStack() as stack:

        def service(guards: str) -> PurchasingService:
            if guards not in running:
                data = tmp_path_factory.mktemp("purchasing")
                lacking = {"key", "lookup"} - set(guards.split())
                running[guards] = stack.enter_context(PurchasingService(data, without=lacking))
            return running[guards]

        yield service


@pytest.fixture
def writers(name: str, place: str, operation_id: str) -> Callable[[int, list[bytes]], list[Any]]:
    """Run processes that write each text once, all at the same time; returns what they said."""

    def run(count: int, texts: list[bytes]) -> list[list[str]]:
        given = [text.decode() for text in texts]
        processes = [start(name, place, operation_id, *given) for _ in range(count)]
        for process in processes:
            assert process.stdout
            assert process.stdout.readline() == "ready\n"
        for process in processes:
            assert process.stdin
            process.stdin.write("go\n")
            process.stdin.flush()
        return [process.communicate()[0].splitlines() for process in processes]

    return run


def start(*args: str) -> "subprocess.Popen[str]":
    here = Path(__file__)
    return subprocess.Popen(
        [sys.executable, str(here.with_name("writer.py")), *args],
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join([str(here.parents[3]), str(here.parents[2] / "lib")]),
        },
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
