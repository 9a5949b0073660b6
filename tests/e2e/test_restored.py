"""A backup of a running app, restored after more has happened, and worked with to the end."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from testbed.host import ROOT, environment


def run(module: str, *options: str | Path, data: Path) -> subprocess.CompletedProcess[str]:
    """Run a command of `dev.py` on a folder of data."""
    command = [sys.executable, "-m", f"local.{module}", *map(str, options), "--data", str(data)]
    return subprocess.run(
        command,
        cwd=ROOT,
        env=environment(0, data, {"COUNTERSIGN_PROOF_KEY": key_of(data)}),
        capture_output=True,
        text=True,
        check=False,
    )


def key_of(data: Path) -> str:
    return (data / "proof-key").read_text("ascii").strip()


def test_what_was_published_since_the_backup_is_neither_published_again_nor_denied(
    make_host: Callable[..., Any], desk_at: Callable[..., Any], tmp_path: Path
) -> None:
    first = desk_at(make_host().start())
    data = first.host.data
    asked = [first.ask(), first.ask()]
    proposals = {each: first.until_version(each) for each in asked}
    early, late = tmp_path / "early", tmp_path / "late"
    assert run("backup", early, data=data).returncode == 0
    for each in asked:
        assert first.decide(each, proposals[each]).status_code == 200
        first.until_state(each, "published")
    assert run("backup", late, data=data).returncode == 0
    first.host.process.kill()

    for backup, states in ((early, {"write_unknown"}), (late, {"published"})):
        host = make_host(COUNTERSIGN_PROOF_KEY=key_of(data))
        shutil.copytree(data / "reports", host.data / "reports")
        shutil.copy(data / "proof-key", host.data / "proof-key")
        told = run("restore", backup, data=host.data)
        assert told.returncode == (1 if backup == early else 0), told.stderr
        desk = desk_at(host.start())
        for each in asked:
            desk.until_state(each, *states)
            denied = desk.decide(each, proposals[each], "reject")
            assert denied.status_code == 409, denied.text
        reports = {file.name for file in (host.data / "reports").rglob("*.md")}
        assert reports == {f"{each}.md" for each in asked}
        for report in (data / "reports").rglob("*.md"):
            there = host.data / "reports" / report.relative_to(data / "reports")
            assert there.read_bytes() == report.read_bytes()
        host.process.kill()


def test_what_was_open_at_the_backup_is_carried_to_its_end(
    make_host: Callable[..., Any], desk_at: Callable[..., Any], tmp_path: Path
) -> None:
    first = desk_at(make_host().start())
    data = first.host.data
    operation = first.ask()
    proposal = first.until_version(operation)
    assert run("backup", tmp_path / "backup", data=data).returncode == 0
    first.host.process.kill()
    host = make_host(COUNTERSIGN_PROOF_KEY=key_of(data))
    shutil.copy(data / "proof-key", host.data / "proof-key")
    told = run("restore", tmp_path / "backup", data=host.data)
    assert told.returncode == 0, told.stderr
    desk = desk_at(host.start())
    decided = desk.decide(operation, proposal)
    assert decided.json()["delivery"] == "delivered"
    desk.until_state(operation, "published")
