"""Commands on the app's services begin with its settings, and tell a fault in one line."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from countersign.services import Services
from countersign.stores.account import SETTING as STORAGE
from countersign.wiring import services
from local import anchor, backup, erase, hold, rebuild, reconcile, takeover
from local.interruptible import UNHEARD
from local.service_command import FAILED, parser_of, run_with_services
from local.settings import APP
from local.unsigned import SETTING as UNSIGNED

COMMANDS: dict[str, tuple[Callable[[Sequence[str]], int], Sequence[str]]] = {
    "anchor": (anchor.main, ["anchors.jsonl", "--tenant", "home"]),
    "backup": (backup.main, ["copy"]),
    "erase": (erase.main, ["id-rita", "--rule", "asked", "--tenant", "home"]),
    "hold": (hold.main, ["research-1", "--reason", "a lawsuit", "--tenant", "home"]),
    "rebuild": (rebuild.main, []),
    "reconcile": (reconcile.main, ["--after-restore"]),
    "takeover": (takeover.main, ["blue"]),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_tells_a_fault_of_the_settings_in_one_line(
    name: str,
    app: Services,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    services.cache_clear()
    monkeypatch.setenv(STORAGE, "neither=this")
    main, words = COMMANDS[name]
    assert main([*words, "--data", str(tmp_path)]) == FAILED
    shown = capsys.readouterr()
    assert shown.out == ""
    [line] = shown.err.splitlines()
    assert line.startswith(f"{name}: ")
    assert STORAGE in line


def test_a_command_works_with_an_older_folder_as_the_app_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "environ", {})
    services.cache_clear()
    (tmp_path / "countersign.db").touch()

    async def begin(app: Services) -> int:
        assert app.settings.unsigned_until
        return 0

    assert run_with_services("hold", tmp_path, begin) == 0
    assert UNSIGNED in os.environ
    services.cache_clear()


@pytest.mark.parametrize("name", COMMANDS)
def test_a_folder_without_a_ledger_is_a_slip_and_is_left_as_it_is(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(os, "environ", {})
    main, words = COMMANDS[name]
    slip = tmp_path / "slip"
    assert main([*words, "--data", str(slip)]) == FAILED
    assert capsys.readouterr().err == f"{name}: there is no ledger in {slip}\n"
    assert not slip.exists()


@pytest.mark.parametrize("name", sorted({*COMMANDS} - {"backup"}))
def test_a_folder_that_is_not_there_is_a_slip_wherever_the_ledgers_are(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(os, "environ", {STORAGE: "UseDevelopmentStorage=true"})
    main, words = COMMANDS[name]
    slip = tmp_path / "slip"
    assert main([*words, "--data", str(slip)]) == FAILED
    assert capsys.readouterr().err.startswith(f"{name}: the folder {slip} does not exist")
    assert not slip.exists()


@pytest.mark.parametrize("ending", ["| true", "| head -n 1"])
def test_whoever_has_read_enough_of_the_output_sees_no_fault(ending: str, tmp_path: Path) -> None:
    """More is printed than a pipe holds, by a command that tells its faults in a line."""
    (tmp_path / "talkative.py").write_text(
        "import sys\n"
        "from local.service_command import run\n"
        "sys.exit(run('talkative', lambda: print('a line\\n' * 100_000) or 0))\n"
    )
    script = f'"$0" -m local.interruptible talkative {ending}; echo ${{PIPESTATUS[0]}}'
    done = subprocess.run(
        ["/bin/bash", "-c", script, sys.executable],
        cwd=APP,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ""
    assert done.stdout.splitlines()[-1] == f"{UNHEARD}"


@pytest.mark.parametrize(("options", "chosen"), [([], "named"), (["--data", "given"], "given")])
def test_the_folder_that_is_given_counts_and_else_the_one_that_is_named(
    options: list[str], chosen: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("named", "given"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "countersign.db").touch()
    monkeypatch.setattr(os, "environ", {"COUNTERSIGN_DATA": "named"})
    services.cache_clear()
    args = parser_of("hold", None).parse_args(options)
    folders: list[Path] = []

    async def begin(app: Services) -> int:
        folders.append(app.settings.data)
        return 0

    assert run_with_services("hold", args.data, begin) == 0
    assert folders == [Path(chosen)]
    services.cache_clear()


def test_a_hub_has_a_name_that_an_option_can_carry(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        takeover.main(["../blue"])
    assert ended.value.code == FAILED
    assert "use letters, digits, - and _ only" in capsys.readouterr().err
