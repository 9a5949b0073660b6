"""The destinations under test: an adapter joins by one more entry in `DESTINATIONS`."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from uuid import uuid4

import pytest

from countersign.stores.account import StorageAccount
from countersign.writing.destination import Destination
from countersign.writing.report_blobs import ReportBlobs
from countersign.writing.report_folder import ReportFolder

DESTINATIONS: dict[str, Callable[[str], Destination]] = {
    "report-folder": lambda place: ReportFolder(Path(place, "data", "published")),
    "azure": lambda place: ReportBlobs(account_at(place)),
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
    return str(request.getfixturevalue("tmp_path"))


@pytest.fixture
def account(place: str) -> StorageAccount:
    return account_at(place)


@pytest.fixture
def destination(name: str, place: str) -> Destination:
    return DESTINATIONS[name](place)


@pytest.fixture
def writers(name: str, place: str) -> Callable[[int, list[str]], list[list[str]]]:
    """Run processes that write each text once, all at the same time; returns what they said."""

    def run(count: int, texts: list[str]) -> list[list[str]]:
        processes = [start(name, place, *texts) for _ in range(count)]
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
    return subprocess.Popen(
        [sys.executable, str(Path(__file__).with_name("writer.py")), *args],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
