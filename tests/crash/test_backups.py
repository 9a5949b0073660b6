"""A backup made at every tenth effect is restored, and what it lacks comes right or is told.

A report waits for a decision meanwhile, another is changed and published, and a third one is only
asked for after the last backup, and published too.
"""

from __future__ import annotations

import re
import shutil
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from countersign.approvals.digest import sha256
from local import proof_key
from local.data_folder import LEDGERS
from testbed.desk import Desk
from testbed.host import ROOT, Host, environment

pytestmark = pytest.mark.thorough

APP = Path(__file__).parent / "app"


@dataclass(frozen=True, kw_only=True)
class World:
    """What is there when a backup is restored.

    Attributes:
        data: The folder that everything was done in.
        backups: What was copied meanwhile, the earliest first.
    """

    data: Path
    backups: list[Path]

    def reports(self) -> dict[str, bytes]:
        """What is out."""
        return reports_in(self.data)


def reports_in(data: Path) -> dict[str, bytes]:
    return {file.stem: file.read_bytes() for file in (data / "reports").rglob("*.md")}


@pytest.fixture
def world(tmp_path: Path) -> World:
    """What is there once all is done."""
    folder = tmp_path / "backups"
    folder.mkdir()
    diary = str(tmp_path / "diary")
    # What is delivered late and twice is not the point here, and takes its time.
    host = Host(tmp_path / "first", app=APP, CRASH_BACKUPS=str(folder), CRASH_DIARY=diary)
    with closing(host):
        desk = Desk(host.start())
        desk.report_waiting("Otters", seconds=3_600)
        publish(desk, Desk.TOPIC, revise=True)
        backups = sorted(file.parent for file in folder.glob("*/backup.json"))
        publish(desk, "How execution survives crashes")
    return World(data=host.data, backups=backups)


def publish(desk: Desk, topic: str, *, revise: bool = False) -> None:
    """Have a report published, as its first version or as the second."""
    operation = desk.ask(topic, subtopics=["Durable timers"])
    if revise:
        first = desk.until_version(operation)
        assert desk.decide(operation, first, "revise", comment="Make it shorter.").is_success
    approve(desk, operation, desk.until_version(operation, 2 if revise else 1))
    desk.until_state(operation, "published")


def approve(desk: Desk, operation: str, proposal: dict[str, Any]) -> None:
    answer = desk.decide(operation, proposal, token=desk.second)
    assert answer.status_code == 200, answer.text


@pytest.mark.timeout(900)
def test_a_restore_at_any_tenth_effect_writes_nothing_twice_and_reports_what_went_out_since(
    world: World, tmp_path: Path
) -> None:
    assert len(world.backups) > 5

    def restored(backup: Path) -> set[str]:
        data = tmp_path / f"restored-{backup.name}"
        told = restore(world, backup, data)
        with_ledger = known(data)
        # Those that no ledger knows, and no others, are named as such.
        assert told["unrecorded"] == world.reports().keys() - with_ledger
        with closing(Host(data)) as host:
            return came_of(world, Desk(host.start()), with_ledger, told)

    with ThreadPoolExecutor(2) as side_by_side:
        findings = [*side_by_side.map(restored, world.backups)]
    assert set().union(*findings) >= {"unrecorded", "contradiction"}


def restore(world: World, backup: Path, data: Path) -> dict[str, set[str]]:
    """Restore a backup where only the reports and the key are left; returns what is named as what.

    The keys are findings, the values ids of operations.
    """
    shutil.copytree(world.data / "reports", data / "reports")
    shutil.copy(world.data / proof_key.NAME, data)
    done = subprocess.run(
        [sys.executable, "-m", "local.restore", str(backup), "--data", str(data)],
        env=environment(1, data, {}),
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    print(backup.name, done.stdout, done.stderr)  # noqa: T201 - beside a test that failed
    told = re.findall(r"^(?:home: )?(\S+): (?:home: )?(\S+): ", done.stderr, re.MULTILINE)
    named: dict[str, set[str]] = {"unrecorded": set(), "contradiction": set(), "confirmed": set()}
    for pair in told:
        # What no ledger knows is named by its finding first.
        finding, operation = pair if pair[0] in named else reversed(pair)
        named[finding].add(operation)
    assert done.returncode == (1 if named["unrecorded"] or named["contradiction"] else 0)
    return named


def known(data: Path) -> set[str]:
    """The operations that have a ledger."""
    with closing(sqlite3.connect(data / LEDGERS)) as database:
        return {row[0] for row in database.execute("SELECT DISTINCT operation_id FROM ledger")}


def came_of(world: World, desk: Desk, operations: set[str], told: dict[str, set[str]]) -> set[str]:
    """Drive all operations to their end, and see that each is right; returns what was found."""
    out = world.reports()
    for operation in operations:
        ended = desk.host.until(lambda o=operation: end_of(desk, o), f"{operation} is closed")
        denied = operation in told["contradiction"]
        assert ended["state"] == ("write_unknown" if denied else "published")
        if not denied and operation in out:
            assert ended["receipt"]["sha256"] == sha256(out[operation])
    after = reports_in(desk.host.data)
    assert after.keys() == out.keys() | operations
    assert {name: after[name] for name in out} == out
    return {finding for finding, named in told.items() if named}


def end_of(desk: Desk, operation: str) -> dict[str, Any] | None:
    """The operation once it is closed; approved before, if it waits for that."""
    shown = desk.operation(operation)
    if shown["stage"] == "closed":
        return shown
    if shown["state"] == "awaiting_approval" and shown["proposal"]["status"] == "pending":
        # Another version may be open by the time that this is read.
        desk.decide(operation, shown["proposal"], token=desk.second)
    desk.reconcile()
    return None
