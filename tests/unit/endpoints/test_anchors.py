"""The app anchors its ledgers once a day, and tells of what is lost."""

from __future__ import annotations

import asyncio
import json
import logging
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

from countersign.platform.clock import CLOCK_FILE
from countersign.proof.anchors import key_of
from countersign.services import Services
from countersign.wiring import services
from endpoints.anchors import anchor_ledgers
from local.settings import complete
from testbed.begun import begin

MONDAY = datetime(2026, 11, 30, 12, tzinfo=timezone.utc)
NOBODY: Any = None
"""The client of the durable runtime, which has no part in this."""


@pytest.fixture
def anchors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    file = tmp_path / "anchors.jsonl"
    monkeypatch.setenv("COUNTERSIGN_ANCHORS", str(file))
    return file


@pytest.fixture
def clock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    file = tmp_path / "clock"
    file.write_text(MONDAY.isoformat(), "utf-8")
    monkeypatch.setenv(CLOCK_FILE, str(file))
    return file


@pytest.fixture
def app(tmp_path: Path, clock: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Services]:
    del clock
    for name, value in complete({}, port=0, data=tmp_path / "data").items():
        monkeypatch.setenv(name, value)
    services.cache_clear()
    yield services()
    services.cache_clear()


def anchor(app: Services) -> None:
    async def timer() -> None:
        await anchor_ledgers(app, NOBODY)

    asyncio.run(timer())


def test_every_tenant_has_one_anchor_a_day(anchors: Path, app: Services) -> None:
    for tenant in ("here", "there"):
        begin(app, tenant)
    for _ in range(2):
        anchor(app)
    lines = [json.loads(line) for line in anchors.read_text("utf-8").splitlines()]
    assert [(line["tenant"], line["size"]) for line in lines] == [("here", 1), ("there", 1)]


def test_without_a_place_none_is_written(app: Services, tmp_path: Path) -> None:
    begin(app, "here")
    anchor(app)
    assert {file.name for file in tmp_path.iterdir()} == {"clock", "data"}


def test_what_is_lost_is_an_error_in_the_log_and_stops_no_other_tenant(
    anchors: Path,
    app: Services,
    clock: Path,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
) -> None:
    for tenant in ("here", "there"):
        begin(app, tenant)
    anchor(app)
    before = anchors.read_text("utf-8")
    with closing(sqlite3.connect(tmp_path / "data" / "countersign.db")) as database:
        database.execute("DROP TRIGGER no_delete")
        database.execute("DELETE FROM ledger WHERE tenant = 'here'")
        database.commit()
    clock.write_text((MONDAY + timedelta(days=1)).isoformat(), "utf-8")
    with caplog.at_level(logging.ERROR):
        anchor(app)
    assert "research-1 is gone: its last row was row 1." in caplog.text
    added = anchors.read_text("utf-8").removeprefix(before)
    assert [json.loads(line)["tenant"] for line in added.splitlines()] == ["there"]


def test_a_ledger_that_cannot_be_read_stops_no_other_tenant(
    anchors: Path, app: Services, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    for tenant in ("here", "there"):
        begin(app, tenant)
    with closing(sqlite3.connect(tmp_path / "data" / "countersign.db")) as database:
        database.execute("DROP TRIGGER no_update")
        database.execute("UPDATE ledger SET data = '{' WHERE tenant = 'here'")
        database.commit()
    with caplog.at_level(logging.ERROR):
        anchor(app)
    assert "The ledgers of here were not anchored" in caplog.text
    [line] = anchors.read_text("utf-8").splitlines()
    assert json.loads(line)["tenant"] == "there"


def test_a_run_that_takes_too_long_is_told_of_and_the_next_one_continues(
    anchors: Path, app: Services, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    begin(app, "here")
    with monkeypatch.context() as short, caplog.at_level(logging.ERROR):
        short.setattr("endpoints.anchors.LONGEST_RUN_SECONDS", 0.0)
        anchor(app)
    [record] = caplog.records
    assert record.getMessage() == (
        "Not all tenants were anchored within 0 seconds; the next run continues."
    )
    assert not anchors.exists()
    anchor(app)
    assert len(anchors.read_text("utf-8").splitlines()) == 1


def head(app: Services, tenant: str) -> dict[str, Any]:
    """Return the head of the tenant's operation, as whoever writes the storage would put it."""
    rows = asyncio.run(app.operations.ledger.read(tenant, "research-1"))
    return {"operation": "research-1", "rows": len(rows), "hash": rows[-1].hash}


def plant(app: Services, tenant: str, day: datetime, stored: bytes) -> None:
    """Keep something as the heads of a tenant's day, before the app does."""

    async def kept() -> None:
        reference = await app.artifacts.put(tenant, stored)
        await app.artifacts.remember(tenant, key_of(day.date()), reference)

    asyncio.run(kept())


@pytest.mark.parametrize(
    "change",
    [
        {"tenant": "there"},
        {"day": "2030-01-01"},
        {"day": "tomorrow"},
        {"heads": [7]},
        {"heads": None},
    ],
)
def test_heads_that_somebody_kept_in_the_app_s_place_are_not_anchored_and_stop_no_other_tenant(
    anchors: Path, app: Services, caplog: pytest.LogCaptureFixture, change: dict[str, Any]
) -> None:
    for tenant in ("here", "there"):
        begin(app, tenant)
    heads = {"tenant": "here", "day": "2026-11-30", "heads": [head(app, "here")], **change}
    plant(app, "here", MONDAY, json.dumps(heads).encode())
    with caplog.at_level(logging.ERROR):
        anchor(app)
    assert "of here is lost" in caplog.text
    lines = [json.loads(line) for line in anchors.read_text("utf-8").splitlines()]
    assert [(line["tenant"], line["day"]) for line in lines] == [("there", "2026-11-30")]


def test_heads_that_are_no_json_stop_no_other_tenant(anchors: Path, app: Services) -> None:
    for tenant in ("here", "there"):
        begin(app, tenant)
    plant(app, "here", MONDAY, b"\xff{")
    anchor(app)
    assert [json.loads(line)["tenant"] for line in anchors.read_text("utf-8").splitlines()] == [
        "there"
    ]


@pytest.mark.parametrize(
    "written",
    [
        b"\xff\n",
        b'{"day":"2026-13-01","format":"countersign-anchor 1","root":"%s","size":1,"tenant":"a"}\n'
        % (b"0" * 64),
    ],
)
def test_an_anchors_file_with_something_else_in_it_is_named_in_the_log(
    anchors: Path, app: Services, caplog: pytest.LogCaptureFixture, written: bytes
) -> None:
    begin(app, "here")
    anchors.write_bytes(written)
    with caplog.at_level(logging.ERROR):
        anchor(app)
    assert "No ledger was anchored: line 1 of the anchors is no anchor" in caplog.text


def test_an_anchor_of_a_day_to_come_is_named_and_not_taken_for_today_s(
    anchors: Path, app: Services, clock: Path, caplog: pytest.LogCaptureFixture
) -> None:
    begin(app, "here")
    clock.write_text((MONDAY + timedelta(days=400)).isoformat(), "utf-8")
    anchor(app)
    before = anchors.read_text("utf-8")
    clock.write_text(MONDAY.isoformat(), "utf-8")
    with caplog.at_level(logging.ERROR):
        anchor(app)
    assert "There is an anchor of 2028-01-04 for here already" in caplog.text
    assert anchors.read_text("utf-8") == before
