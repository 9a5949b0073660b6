"""After a restore: what is erased stays erased, and what a person looked up is settled."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from countersign.approvals import rules
from countersign.approvals.events import OperationStarted
from countersign.approvals.operation import shelf_of
from countersign.approvals.person import Person
from countersign.approvals.policy import Policy
from countersign.services import Services
from countersign.wiring import services
from local import backup, erase, reconcile, restore
from local.data_folder import RESTORED
from local.proof_key import development_key
from local.settings import complete

RITA = Person(id="id-rita", name="Rita", tenant="home", roles=frozenset())


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    key = development_key(tmp_path / "keys")
    given = {"COUNTERSIGN_PURCHASING_URL": "http://127.0.0.1:1", "COUNTERSIGN_PROOF_KEY": key}
    given |= {"COUNTERSIGN_PURCHASING_GUARDS": "none"}
    for name, value in complete(given, port=1, data=tmp_path / "data").items():
        monkeypatch.setenv(name, value)
    services.cache_clear()
    yield tmp_path / "data"
    services.cache_clear()


async def begin(app: Services, operation_id: str, kind: str) -> None:
    event = OperationStarted(
        at=app.clock(),
        actor=RITA.actor,
        kind=kind,
        title="Otters",
        request=await app.artifacts.put(shelf_of("home", operation_id), b"{}"),
        policy=Policy(reviewer_role="Report.Reviewer"),
        erasable=True,
    )
    await app.operations.start("home", operation_id, event, by=RITA)


async def end(app: Services, operation_id: str) -> None:
    change = app.operations.change
    await change("home", operation_id, lambda state, now: rules.withdraw(state, RITA, "", now))
    await change(
        "home",
        operation_id,
        lambda state, now: rules.close(state, None, "", now, written="published"),
    )


def at(folder: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    services.cache_clear()
    monkeypatch.setenv("COUNTERSIGN_DATA", str(folder))
    return ["--data", str(folder)]


def texts_in(folder: Path) -> set[str]:
    return {file.name for file in (folder / "artifacts").glob("*/artifacts/*/*")}


def test_what_was_erased_after_a_restore_is_not_put_back_by_the_same_restore(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for each in ("research-1", "research-2"):
        asyncio.run(begin(services(), each, "research"))
    asyncio.run(end(services(), "research-1"))
    copy, elsewhere = data.with_name("backup"), data.with_name("elsewhere")
    assert backup.main([str(copy), *at(data, monkeypatch)]) == backup.MADE

    def dies(*_: object) -> int:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(restore, "ask_all", dies)
        with pytest.raises(KeyboardInterrupt):
            restore.main([str(copy), *at(elsewhere, monkeypatch)])
    monkeypatch.setenv("COUNTERSIGN_RETENTION_DAYS", "research/withdrawn=0")
    there = at(elsewhere, monkeypatch)
    assert erase.main(["--due", "--tenant", "home", *there]) == erase.ERASED
    shelves = {each.name for each in (elsewhere / "artifacts").iterdir()}
    assert restore.main([str(copy), *at(elsewhere, monkeypatch)]) == reconcile.AGREED
    assert {each.name for each in (elsewhere / "artifacts").iterdir()} == shelves
    operation = asyncio.run(services().operations.load("home", "research-1"))
    assert operation
    assert operation.erased
    assert texts_in(elsewhere)  # those of the other operation


def test_what_was_looked_up_by_a_person_keeps_no_app_from_starting(
    data: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asyncio.run(begin(services(), "purchase-1", "purchase"))
    note = data / RESTORED
    note.write_text("a backup", "utf-8")
    asked = ["--after-restore", *at(data, monkeypatch)]
    assert reconcile.main(asked) == reconcile.NAMED
    assert "home: purchase-1: unasked: " in capsys.readouterr().err
    assert note.exists()
    services.cache_clear()
    # Of one tenant alone, nothing follows for the others.
    assert reconcile.main([*asked, "--looked-up", "--tenant", "home"]) == reconcile.AGREED
    assert note.exists()
    services.cache_clear()
    assert reconcile.main([*asked, "--looked-up"]) == reconcile.AGREED
    assert not note.exists()


def test_to_have_looked_does_not_settle_what_the_destination_says(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asyncio.run(begin(services(), "research-1", "research"))
    report = data / "reports" / "home" / "research-1.md"
    report.parent.mkdir(parents=True)
    report.write_text("Something that nobody approved here.", "utf-8")
    (data / RESTORED).write_text("a backup", "utf-8")
    asked = ["--after-restore", "--looked-up", *at(data, monkeypatch)]
    assert reconcile.main(asked) == reconcile.NAMED
    services.cache_clear()
    operation = asyncio.run(services().operations.load("home", "research-1"))
    assert operation
    assert operation.closed


def test_a_report_that_no_ledger_knows_is_named_and_keeps_no_app_from_starting(
    data: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asyncio.run(begin(services(), "research-1", "research"))
    asyncio.run(end(services(), "research-1"))
    for operation in ("research-1", "research-2"):
        asyncio.run(services().reports.write(tenant="home", operation_id=operation, data=b"Out."))
    (data / "reports" / "notes.md").write_text("No report of an operation.", "utf-8")
    (data / RESTORED).write_text("a backup", "utf-8")
    asked = ["--after-restore", *at(data, monkeypatch)]
    assert reconcile.main([*asked, "--tenant", "home"]) == reconcile.AGREED
    services.cache_clear()
    assert reconcile.main(asked) == reconcile.NAMED
    told = capsys.readouterr().err.splitlines()
    assert [line for line in told if line.startswith("unrecorded")] == [
        "unrecorded: home: research-2: no ledger knows it, and the report folder has"
        " home/research-2.md."
    ]
    # It names no order, and does not list them.
    assert [line.partition(":")[0] for line in told] == ["unrecorded", "unlisted"]
    assert not (data / RESTORED).exists()


def test_an_app_does_not_start_before_each_destination_has_said_what_it_has(
    data: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asyncio.run(begin(services(), "research-1", "research"))
    asyncio.run(end(services(), "research-1"))
    (data / RESTORED).write_text("a backup", "utf-8")
    (data / "reports").write_text("No folder.", "utf-8")
    assert reconcile.main(["--after-restore", *at(data, monkeypatch)]) == reconcile.NAMED
    assert "unknown: the report folder: " in capsys.readouterr().err
    assert (data / RESTORED).exists()
