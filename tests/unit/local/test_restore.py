"""`dev.py restore`: complete or repeatable, and never without the texts that its ledgers need."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from countersign.approvals.events import OperationStarted
from countersign.approvals.person import Person
from countersign.approvals.policy import Policy
from countersign.services import Services
from countersign.wiring import services
from local import backup, reconcile, restore
from local.data_folder import MARK, RESTORED, RestoredFolder, claim
from local.service_command import FAILED
from local.settings import complete

ROOT = Path(__file__).parents[3]

RITA = Person(id="rita", name="Rita", tenant="home", roles=frozenset())

KILLED = """
import importlib, json, shutil, sys
from contextlib import suppress
from pathlib import Path
from local import reconcile, restore
from testbed.dying import die_at, in_a_copy

backup, base = Path(sys.argv[1]), Path(sys.argv[2])

def put_back(data):
    return restore.main([str(backup), "--data", str(data)])

def dies(number, data):
    die_at(number, data)
    return put_back(data)

def lists_modules():
    put_back(base.with_name("once"))
    base.with_name("modules").write_text(" ".join(sys.modules))
    return 0

# So that they are not imported by each process again.
assert in_a_copy(lists_modules) == 0
for name in base.with_name("modules").read_text().split():
    with suppress(ImportError):
        importlib.import_module(name)

codes, number = [], 0
while True:
    data = base.with_name(f"killed-{number}")
    shutil.copytree(base, data)
    first = in_a_copy(lambda: dies(number, data))
    if first >= 0:
        break
    codes.append(in_a_copy(lambda: put_back(data)))
    number += 1
print(json.dumps(codes))
"""


async def have_asked(app: Services, operation_id: str) -> None:
    event = OperationStarted(
        at=app.clock(),
        actor=RITA.actor,
        kind="research",
        title="Otters",
        request=await app.artifacts.put("home", operation_id.encode()),
        policy=Policy(reviewer_role="Report.Reviewer"),
    )
    await app.operations.start("home", operation_id, event, by=RITA)


@pytest.fixture
async def copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where a backup goes of an app with two operations and a report."""
    data = tmp_path / "data"
    for name, value in complete({}, port=1, data=data).items():
        monkeypatch.setenv(name, value)
    services.cache_clear()
    for each in ("research-1", "research-2"):
        await have_asked(services(), each)
    (data / "reports" / "home").mkdir(parents=True)
    (data / "reports" / "home" / "Old report.md").write_text("Old.", "utf-8")
    services.cache_clear()
    return tmp_path / "backup"


@pytest.fixture
def made(copy: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    data = copy.with_name("data")
    assert backup.main([str(copy), "--data", str(data)]) == backup.MADE
    monkeypatch.setenv("COUNTERSIGN_DATA", str(copy.with_name("elsewhere")))
    return copy


@pytest.fixture
def elsewhere(made: Path) -> Path:
    """A new folder with the key of before and a report that was published since."""
    folder = made.with_name("elsewhere")
    (folder / "reports" / "home").mkdir(parents=True)
    (folder / "reports" / "home" / "New report.md").write_text("New.", "utf-8")
    return folder


def put_back(folder: Path, data: Path, *options: str) -> int:
    services.cache_clear()
    return restore.main([str(folder), "--data", str(data), *options])


def rows_in(data: Path) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(data / "countersign.db")) as file:
        return file.execute("SELECT * FROM ledger ORDER BY operation_id, sequence").fetchall()


def files_in(folder: Path) -> dict[str, bytes]:
    return {
        file.relative_to(folder).as_posix(): file.read_bytes()
        for file in folder.rglob("*")
        if file.is_file() and ".incoming" not in file.parts
    }


@pytest.mark.skipif(os.name == "nt", reason="no copies of processes there")
def test_wherever_it_is_killed_the_same_command_completes_it(made: Path, elsewhere: Path) -> None:
    before = files_in(made)
    environment = {name: each for name, each in os.environ.items() if name != "COUNTERSIGN_DATA"}
    run = subprocess.run(
        [sys.executable, "-c", KILLED, str(made), str(elsewhere)],
        cwd=ROOT,
        env={**environment, "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'tests' / 'lib'}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    codes = json.loads(run.stdout.splitlines()[-1])
    assert len(codes) > 20
    finished = [number for number, code in enumerate(codes) if code == FAILED]
    # The last change of all takes the mark away: whoever dies after it has it all in place.
    assert all(number >= len(codes) - 3 for number in finished), (codes, run.stderr)
    for number in range(len(codes)):
        data = made.with_name(f"killed-{number}")
        assert rows_in(data) == rows_in(made)
        assert files_in(made / "artifacts") == files_in(data / "artifacts")
        assert (data / "reports" / "home" / "New report.md").read_text("utf-8") == "New."
        assert (data / "reports" / "home" / "Old report.md").read_text("utf-8") == "Old."
        assert not (data / ".restoring").exists()
        assert not (data / RESTORED).exists()
    assert files_in(made) == before


def broken_off(made: Path, elsewhere: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def dies(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(restore, "copy_database", dies)
        with pytest.raises(KeyboardInterrupt):
            put_back(made, elsewhere)


def test_nothing_starts_on_a_part_of_a_backup_and_it_is_said_how_to_complete_it(
    made: Path,
    elsewhere: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    broken_off(made, elsewhere, monkeypatch)
    with pytest.raises(RestoredFolder, match="was not restored to the end"):
        claim(elsewhere, "--storage embedded")
    assert reconcile.main(["--after-restore", "--data", str(elsewhere)]) == FAILED
    assert "was not restored to the end" in capsys.readouterr().err
    assert (elsewhere / RESTORED).exists()
    assert put_back(made, elsewhere) == reconcile.AGREED


def test_another_backup_is_not_mixed_into_one_that_was_not_restored_to_the_end(
    made: Path,
    elsewhere: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    broken_off(made, elsewhere, monkeypatch)
    other = made.with_name("other")
    monkeypatch.setenv("COUNTERSIGN_DATA", str(made.with_name("data")))
    assert backup.main([str(other), "--data", str(made.with_name("data"))]) == backup.MADE
    monkeypatch.setenv("COUNTERSIGN_DATA", str(elsewhere))
    assert put_back(other, elsewhere) == FAILED
    assert "a restore of another backup broke off there" in capsys.readouterr().err
    assert put_back(made, elsewhere) == reconcile.AGREED


@pytest.mark.parametrize("harm", ["gone", "altered"])
def test_a_backup_without_its_texts_is_restored_if_somebody_wants_that_alone(
    made: Path, elsewhere: Path, harm: str, capsys: pytest.CaptureFixture[str]
) -> None:
    [lost, *_] = (made / "artifacts").glob("*/artifacts/*/*")
    kept = lost.read_bytes()
    lost.unlink() if harm == "gone" else lost.write_bytes(b"Other text.")
    assert put_back(made, elsewhere) == FAILED
    told = capsys.readouterr().err
    assert "lacks the request: " in told
    assert lost.name in told
    assert "--without-lost-texts" in told
    assert not (elsewhere / "countersign.db").exists()
    claim(elsewhere, "--storage embedded")
    assert put_back(made, elsewhere, "--without-lost-texts") == reconcile.NAMED
    assert "lacks the request: " in capsys.readouterr().err
    shutil.rmtree(elsewhere)
    lost.write_bytes(kept)
    assert put_back(made, elsewhere) == reconcile.AGREED


def test_a_backup_of_an_app_that_lacks_texts_says_so(
    copy: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = copy.with_name("data")
    shutil.rmtree(data / "artifacts")
    assert backup.main([str(copy), "--data", str(data)]) == backup.LACKING
    told = capsys.readouterr().err
    for each in ("research-1", "research-2"):
        assert f"home: {each} lacks the request: there is no artifact" in told


@pytest.mark.parametrize("name", ["reports/home/research-2.md", "artifacts/home/a", MARK])
def test_a_link_in_a_backup_is_not_followed(made: Path, elsewhere: Path, name: str) -> None:
    secret = made.with_name("secret")
    secret.write_text("Nobody's business.", "utf-8")
    link = made / name
    link.parent.mkdir(parents=True, exist_ok=True)
    link.unlink(missing_ok=True)
    link.symlink_to(secret)
    assert put_back(made, elsewhere) == FAILED
    assert secret.read_bytes() not in files_in(elsewhere).values()


def test_altered_rows_of_the_index_are_put_right(made: Path, elsewhere: Path) -> None:
    shown = "SELECT summary FROM operations ORDER BY operation_id"
    with closing(sqlite3.connect(made / "countersign.db")) as file, file:
        right = file.execute(shown).fetchall()
        file.execute("UPDATE operations SET summary = replace(summary, 'Otters', 'Beavers')")
        assert file.execute(shown).fetchall() != right
    assert put_back(made, elsewhere) == reconcile.AGREED
    with closing(sqlite3.connect(elsewhere / "countersign.db")) as file:
        assert file.execute(shown).fetchall() == right
