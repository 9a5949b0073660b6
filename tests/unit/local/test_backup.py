"""`dev.py backup` and `restore`: whole copies, made while others write, put where none is."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from countersign.approvals.events import OperationStarted
from countersign.approvals.ledger import verify
from countersign.approvals.person import Person
from countersign.approvals.policy import Policy
from countersign.services import Services
from countersign.stores.folder import FolderArtifacts
from countersign.stores.sqlite import SqliteLedger
from countersign.wiring import services
from local import backup, reconcile, restore
from local.data_folder import RESTORED, RestoredFolder, claim
from local.proof_key import development_key
from local.service_command import FAILED
from local.settings import complete
from local.unsigned import RECORD, SETTING
from testbed.rows import ids

RITA = Person(id="rita", name="Rita", tenant="home", roles=frozenset())


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of an app whose settings are in the environment, all but where it is."""
    data = tmp_path / "data"
    given = {"COUNTERSIGN_PROOF_KEY": development_key(tmp_path / "keys")}
    for name, value in complete(given, port=0, data=data).items():
        monkeypatch.setenv(name, value)
    services.cache_clear()
    yield data
    services.cache_clear()


@pytest.fixture
def elsewhere(data: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where it is restored: the settings don't name a folder any more."""
    folder = data.with_name("elsewhere")
    monkeypatch.setenv("COUNTERSIGN_DATA", str(folder))
    return folder


async def start(app: Services, operation_id: str) -> None:
    event = OperationStarted(
        at=app.clock(),
        actor=RITA.actor,
        kind="research",
        title="Otters",
        request=await app.artifacts.put("home", b"{}"),
        policy=Policy(reviewer_role="Report.Reviewer"),
    )
    await app.operations.start("home", operation_id, event, by=RITA)


def back_up(folder: Path, data: Path) -> int:
    return backup.main([str(folder), "--data", str(data)])


def put_back(folder: Path, data: Path) -> int:
    services.cache_clear()
    return restore.main([str(folder), "--data", str(data)])


@pytest.fixture
def copy(data: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A backup with one operation, and a report that was published."""
    asyncio.run(start(services(), "research-1"))
    (data / "reports" / "home").mkdir(parents=True)
    (data / "reports" / "home" / "Old report.md").write_text("Old.", "utf-8")
    folder = data.with_name("backup")
    assert back_up(folder, data) == backup.MADE
    return folder


def test_what_is_restored_is_what_was_there(copy: Path, elsewhere: Path) -> None:
    assert put_back(copy, elsewhere) == reconcile.AGREED
    app = services()
    rows = asyncio.run(app.operations.ledger.read("home", "research-1"))
    assert verify("home", "research-1", rows) is None
    assert asyncio.run(app.operations.trusted("home", "research-1"))
    assert asyncio.run(ids(app.operations.index)) == ["research-1"]
    request = rows[0].data["request"]
    assert asyncio.run(FolderArtifacts(elsewhere / "artifacts").get("home", request)) == b"{}"
    assert (elsewhere / "reports" / "home" / "Old report.md").read_text("utf-8") == "Old."
    claim(elsewhere, "--storage embedded")


def test_a_backup_holds_no_secret_and_names_the_keys(copy: Path) -> None:
    seed = services().settings.proof_key
    assert seed
    manifest = json.loads((copy / "backup.json").read_text("utf-8"))
    assert manifest["public_keys"] == [seed.public.text]
    assert not (copy / "proof-key").exists()
    assert not (copy / "devhost").exists()


def test_a_backup_is_whole_though_others_write_meanwhile(data: Path) -> None:
    app, done = services(), threading.Event()

    def write() -> None:
        async def all_the_time() -> None:
            number = 0
            while not done.is_set():
                await start(app, f"research-{number}")
                number += 1

        asyncio.run(all_the_time())

    asyncio.run(start(app, "research-first"))
    writer = threading.Thread(target=write)
    writer.start()
    try:
        for number in range(3):
            assert back_up(data.with_name(f"backup-{number}"), data) == backup.MADE
    finally:
        done.set()
        writer.join()
    for number in range(3):
        folder = data.with_name(f"backup-{number}")
        asyncio.run(assert_whole(folder))


async def assert_whole(folder: Path) -> None:
    ledger, artifacts = (
        SqliteLedger(folder / "countersign.db"),
        FolderArtifacts(folder / "artifacts"),
    )
    async for each in ledger.operations("home"):
        rows = await ledger.read("home", each)
        assert verify("home", each, rows) is None
        assert await artifacts.get("home", rows[0].data["request"]) == b"{}"


def test_a_backup_that_broke_off_is_not_restored(
    copy: Path, elsewhere: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (copy / "backup.json").unlink()
    assert put_back(copy, elsewhere) == FAILED
    assert "is no complete backup" in capsys.readouterr().err
    assert not elsewhere.exists()


def test_nothing_is_restored_over_a_ledger(
    copy: Path, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert put_back(copy, data) == FAILED
    told = capsys.readouterr().err
    assert f"an app has worked in {data}" in told
    for each in ("countersign.db", "artifacts"):
        assert f"{data / each}" in told


def test_nothing_is_restored_beside_the_log_of_another_database(
    copy: Path, elsewhere: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    elsewhere.mkdir()
    (elsewhere / "countersign.db-wal").touch()
    assert put_back(copy, elsewhere) == FAILED
    assert f"{elsewhere / 'countersign.db-wal'}" in capsys.readouterr().err


def test_once_what_it_names_is_moved_away_it_restores(
    copy: Path, data: Path, tmp_path: Path
) -> None:
    (tmp_path / "away").mkdir()
    for each in (*data.glob("countersign.db*"), data / "artifacts"):
        each.rename(tmp_path / "away" / each.name)
    assert put_back(copy, data) == reconcile.AGREED


def test_a_backup_is_not_made_over_another(copy: Path, data: Path) -> None:
    assert back_up(copy, data) == FAILED


@pytest.mark.parametrize("key", [None, "another"])
def test_without_the_key_nothing_is_restored_and_the_key_is_named(
    copy: Path,
    elsewhere: Path,
    key: str | None,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    needed = json.loads((copy / "backup.json").read_text("utf-8"))["public_keys"][0]
    if key is None:
        monkeypatch.delenv("COUNTERSIGN_PROOF_KEY")
    else:
        monkeypatch.setenv("COUNTERSIGN_PROOF_KEY", development_key(tmp_path / key))
    assert put_back(copy, elsewhere) == FAILED
    told = capsys.readouterr().err
    assert needed in told
    assert ("is not the one that the ledgers are signed with: put that one there" in told) == (
        key is not None
    )
    assert not (elsewhere / "countersign.db").exists()


def test_a_lost_key_s_public_half_is_enough(
    copy: Path, elsewhere: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    needed = json.loads((copy / "backup.json").read_text("utf-8"))["public_keys"][0]
    monkeypatch.setenv("COUNTERSIGN_PROOF_KEY", development_key(tmp_path / "new"))
    monkeypatch.setenv("COUNTERSIGN_PROOF_PUBLIC_KEYS", needed)
    assert put_back(copy, elsewhere) == reconcile.AGREED


def test_a_report_that_is_there_stays_as_it_is(copy: Path, elsewhere: Path) -> None:
    report = elsewhere / "reports" / "home" / "Old report.md"
    report.parent.mkdir(parents=True)
    report.write_text("Newer.", "utf-8")
    assert put_back(copy, elsewhere) == reconcile.AGREED
    assert report.read_text("utf-8") == "Newer."


def test_what_is_out_is_named_and_marked(
    copy: Path, elsewhere: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = elsewhere / "reports" / "home" / "research-1.md"
    report.parent.mkdir(parents=True)
    report.write_text("It was published after the backup.", "utf-8")
    assert put_back(copy, elsewhere) == reconcile.NAMED
    shown = capsys.readouterr()
    assert "home: research-1: contradiction: " in shown.err
    assert shown.out.endswith("1 open operation: 1 found though nobody approved it.\n")
    operation = asyncio.run(services().operations.load("home", "research-1"))
    assert operation
    assert operation.closed
    assert operation.closed.outcome == "write_unknown"


def test_no_app_starts_on_a_folder_whose_destinations_were_not_asked(
    copy: Path, elsewhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def dies(*_: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(restore, "ask_all", dies)
    with pytest.raises(KeyboardInterrupt):
        put_back(copy, elsewhere)
    assert (elsewhere / RESTORED).exists()
    with pytest.raises(RestoredFolder, match="reconcile --after-restore"):
        claim(elsewhere, "--storage embedded")
    assert reconcile.main(["--after-restore", "--data", str(elsewhere)]) == reconcile.AGREED
    claim(elsewhere, "--storage embedded")


@pytest.mark.parametrize("seconds", [3600, -3600])
def test_what_nobody_signed_is_asked_about_until_its_moment_and_keeps_no_app_from_starting(
    data: Path, monkeypatch: pytest.MonkeyPatch, seconds: int
) -> None:
    monkeypatch.setenv("COUNTERSIGN_PROOF_KEY", "")
    asyncio.run(start(services(), "research-1"))
    until = datetime.now(timezone.utc) + timedelta(seconds=seconds)
    (data / RECORD).write_text(f"{until:%Y-%m-%dT%H:%M:%SZ}\n", "ascii")
    folder = data.with_name("backup")
    assert back_up(folder, data) == backup.MADE
    monkeypatch.setenv("COUNTERSIGN_PROOF_KEY", development_key(data.with_name("keys")))
    elsewhere = data.with_name("elsewhere")
    monkeypatch.setenv("COUNTERSIGN_DATA", str(elsewhere))
    # Unset again after the test, as what a process sets is gone with it.
    monkeypatch.setenv(SETTING, "")
    monkeypatch.delenv(SETTING)
    assert put_back(folder, elsewhere) == (reconcile.AGREED if seconds > 0 else reconcile.NAMED)
    claim(elsewhere, "--storage embedded")
