"""The check at a terminal: exit codes, sentences, and nothing needed but the file."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from countersign.proof.keys import ProofKey
from countersign.proof.verify import PROVEN, UNCHECKED, USAGE, WRONG, main

ROOT = Path(__file__).parents[3]

BARE = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ}

WITHOUT = (
    "import sys; sys.modules[sys.argv.pop(1)] = None; from countersign.proof.verify import main;"
    "sys.exit(main(sys.argv[1:]))"
)
"""The check in a Python that lacks the package that is named first."""

NOT_NEEDED = (
    "countersign.settings",
    "countersign.wiring",
    "countersign.stores.sqlite",
    "countersign.team.chat",
    "agent_framework",
    "openai",
    "azure",
    "httpx",
    "jwt",
    "sqlite3",
    "ssl",
)


@pytest.fixture
def file_of(bundles: Mapping[str, bytes], tmp_path: Path) -> Callable[[str], str]:
    """Writes the bundle of an outcome to a file; returns its name."""

    def write(outcome: str) -> str:
        file = tmp_path / f"{outcome}.proof.json"
        file.write_bytes(bundles[outcome])
        return str(file)

    return write


def test_a_whole_bundle_is_proven(
    file_of: Callable[[str], str], key: ProofKey, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([file_of("ordered"), "--key", key.public.text]) == PROVEN
    told = capsys.readouterr()
    assert "approved by Ann (id id-Ann) as Purchase.Approver" in told.out
    assert "given key" in told.out
    assert told.err == ""


def test_without_a_key_nothing_is_called_proven(
    file_of: Callable[[str], str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([file_of("ordered")]) == UNCHECKED
    last = capsys.readouterr().out.splitlines()[-1]
    assert last.startswith("THE SIGNATURE WAS NOT CHECKED")
    assert "consistent" in last
    assert len({PROVEN, WRONG, USAGE, UNCHECKED}) == 4


def test_one_of_several_keys_is_enough(file_of: Callable[[str], str], key: ProofKey) -> None:
    older = ProofKey(seed=bytes(32)).public.text
    keys = ["--key", older, "--key", key.public.text]
    assert main([file_of("running"), *keys]) == PROVEN
    assert main([file_of("running"), *keys[:2]]) == WRONG


def test_what_is_wrong_is_one_sentence(
    file_of: Callable[[str], str], capsys: pytest.CaptureFixture[str]
) -> None:
    file = file_of("ordered")
    Path(file).write_bytes(Path(file).read_bytes().replace(b"Chair", b"Throne", 1))
    assert main([file]) == WRONG
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith(f"{file} proves nothing: its signature does not match")
    assert told.err.count("\n") == 1


def test_the_report_is_checked_with_it(
    file_of: Callable[[str], str],
    key: ProofKey,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    report = tmp_path / "report.md"
    arguments = [file_of("published"), "--key", key.public.text, "--report", str(report)]
    report.write_bytes(b"# My own words\n")
    assert main(arguments) == PROVEN
    assert "is what was written" in capsys.readouterr().out
    report.write_bytes(b"# My other words\n")
    assert main(arguments) == WRONG


def test_what_cant_be_read_is_said_without_a_traceback(
    file_of: Callable[[str], str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for arguments in (
        [str(tmp_path / "none")],
        [str(tmp_path)],
        [file_of("running"), "--report", str(tmp_path / "none")],
    ):
        assert main(arguments) == USAGE
        assert "cannot be read" in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [[], ["a", "b"], ["a", "--key", "b"], ["a", "--nothing"]])
def test_wrong_usage_has_a_code_of_its_own(arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as exit_:
        main(arguments)
    assert exit_.value.code == USAGE


def test_it_needs_no_settings_no_network_no_store_and_no_model(
    file_of: Callable[[str], str],
) -> None:
    code = (
        "import json, sys; from countersign.proof.verify import main; code = main(sys.argv[1:]);"
        "print(json.dumps([code, sorted(sys.modules)]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, file_of("ordered")],
        cwd=ROOT,
        env=BARE,
        capture_output=True,
        text=True,
        check=True,
    )
    exit_code, modules = json.loads(done.stdout.splitlines()[-1])
    assert exit_code == UNCHECKED
    assert [name for name in NOT_NEEDED if name in modules] == []


def test_it_runs_as_a_module_on_any_terminal(file_of: Callable[[str], str], tmp_path: Path) -> None:
    file = Path(file_of("running"))
    named = file.rename(tmp_path / "bündel ☂.json")
    done = subprocess.run(
        [sys.executable, "-m", "countersign.proof.verify", str(named), "--report", str(named)],
        cwd=ROOT,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == WRONG
    assert "Traceback" not in done.stderr
    assert done.stderr.endswith(
        "there is no receipt, so the file was not written by this operation.\n"
    )


@pytest.mark.parametrize(
    "python",
    [["-S", "-m", "countersign.proof.verify"]]
    + [["-c", WITHOUT, package] for package in ("pydantic", "rfc8785", "cryptography")],
    ids=["none", "no pydantic", "no rfc8785", "no cryptography"],
)
@pytest.mark.parametrize("with_key", [False, True])
def test_a_missing_package_is_said_in_a_sentence_and_is_no_verdict(
    file_of: Callable[[str], str], key: ProofKey, python: list[str], with_key: bool
) -> None:
    keys = ["--key", key.public.text] if with_key else []
    done = subprocess.run(
        [sys.executable, *python, file_of("ordered"), *keys],
        cwd=ROOT,
        env=BARE,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == USAGE
    assert done.stdout == ""
    assert done.stderr.startswith("A package is missing (")
    assert "requirements.txt" in done.stderr
    assert done.stderr.count("\n") == 1
