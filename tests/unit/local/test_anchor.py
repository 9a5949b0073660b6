"""`dev.py anchor`: one line a day and tenant, or what was lost since the last one."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from countersign.proof.anchoring import keep_heads, take_heads
from countersign.services import Services
from local.anchor import ANCHORED, LOST, main
from local.service_command import FAILED
from testbed.begun import begin

TENANT = "home"


@pytest.fixture
def app_data(tmp_path: Path) -> Path:
    return tmp_path / "data"


def run(file: Path) -> int:
    return main([str(file), "--tenant", TENANT, "--data", str(file.parent / "data")])


def test_a_day_has_one_line(
    app: Services, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    begin(app, TENANT)
    file = tmp_path / "anchors.jsonl"
    assert run(file) == ANCHORED
    [line] = file.read_text("utf-8").splitlines()
    assert capsys.readouterr().out == f"{line}\n"
    anchor = json.loads(line)
    assert (anchor["tenant"], anchor["size"]) == (TENANT, 1)
    assert run(file) == ANCHORED
    assert file.read_text("utf-8") == f"{line}\n"


def test_what_is_lost_is_named_and_nothing_is_written(
    app: Services, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    begin(app, TENANT)

    async def yesterday() -> str:
        day = app.clock().date() - timedelta(days=1)
        heads, _ = await take_heads(app.operations.ledger, ["research-1"], TENANT, day, None)
        assert await keep_heads(app.artifacts, heads)
        return heads.anchor.line

    file = tmp_path / "anchors.jsonl"
    file.write_text(asyncio.run(yesterday()), "utf-8")
    before = file.read_text("utf-8")
    with closing(sqlite3.connect(tmp_path / "data" / "countersign.db")) as database:
        database.execute("DROP TRIGGER no_delete")
        database.execute("DELETE FROM ledger")
        database.commit()
    assert run(file) == LOST
    assert capsys.readouterr().err == "research-1 is gone: its last row was row 1.\n"
    assert file.read_text("utf-8") == before


def test_a_tenant_without_operations_has_no_anchor(
    app: Services, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    del app
    file = tmp_path / "anchors.jsonl"
    assert run(file) == FAILED
    assert "home has no operation, so nothing was anchored" in capsys.readouterr().err
    assert not file.exists()


def test_a_file_of_something_else_is_left_alone(
    app: Services, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    del app
    file = tmp_path / "notes.txt"
    file.write_text("Buy milk\r\n", "utf-8")
    assert run(file) == FAILED
    assert capsys.readouterr().err == "anchor: line 1 of the anchors is no anchor\n"
    assert file.read_text("utf-8") == "Buy milk\n"
