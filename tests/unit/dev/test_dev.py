import ast
import contextlib
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from dev import ROOT, Failure, Virtualenv, suitable

SET_UP = "import sys, dev, pathlib; dev.Virtualenv(pathlib.Path(sys.argv[1])).make_ready()"


def require(root: Path, line: str) -> None:
    (root / "requirements-dev.txt").write_text(f"-r requirements.txt\n{line}\n")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "requirements.txt").write_text("# nothing\n")
    require(tmp_path, "")
    return tmp_path


def set_up(root: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", SET_UP, str(root)]
    return subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True)


def test_runs_at_the_same_time_set_up_once_and_distrust_what_was_left_over(root: Path) -> None:
    left_over = root / ".venv" / "lib" / "half.py"
    left_over.parent.mkdir(parents=True)
    left_over.touch()
    runs = [set_up(root) for _ in range(2)]
    told = [run.communicate(timeout=120)[1] for run in runs]
    assert [run.returncode for run in runs] == [0, 0]
    assert sum("Installing" in text for text in told) == 1
    assert not left_over.exists()
    assert suitable([str(Virtualenv(root).python)])


def test_a_failed_installation_is_never_believed(
    root: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    require(root, "./no-such-package.whl")
    with pytest.raises(Failure, match="could not be installed"):
        Virtualenv(root).make_ready()
    require(root, "")
    Virtualenv(root).make_ready()
    capfd.readouterr()
    Virtualenv(root).make_ready()
    assert capfd.readouterr().err == ""


def test_no_command_that_is_not_a_supported_python_is_taken_for_one(tmp_path: Path) -> None:
    assert suitable(["no-such-python"]) == ""
    assert suitable([str(tmp_path)]) == ""
    assert suitable([sys.executable, "-c", "raise SystemExit(127)"]) == ""
    assert Path(suitable([sys.executable])).samefile(sys.executable)


def test_an_old_python_can_read_it_and_say_what_is_missing() -> None:
    ast.parse((ROOT / "dev.py").read_text("utf-8"), feature_version=(3, 8))


@pytest.mark.parametrize(("arguments", "code"), [([], 2), (["dance"], 2), (["--help"], 0)])
def test_help_needs_no_set_up(tmp_path: Path, arguments: list[str], code: int) -> None:
    script = shutil.copy(ROOT / "dev.py", tmp_path)
    answer = subprocess.run(
        [sys.executable, script, *arguments], capture_output=True, text=True, check=False
    )
    assert answer.returncode == code
    assert "dev.py start" in answer.stderr
    assert not (tmp_path / ".venv").exists()


def test_a_set_up_that_fails_is_not_taken_for_the_answer_of_a_command(tmp_path: Path) -> None:
    script = shutil.copy(ROOT / "dev.py", tmp_path)
    (tmp_path / ".venv").touch()
    answer = subprocess.run(
        [sys.executable, script, "verify", "a.json"], capture_output=True, text=True, check=False
    )
    assert answer.returncode == 2
    assert answer.stderr.startswith("dev.py: ")
    assert answer.stderr.count("\n") == 1


def test_verify_passes_on_what_it_is_given_and_answers_as_the_check_does() -> None:
    code = "import dev, sys; sys.exit(dev.COMMANDS['verify'](*sys.argv[1:]))"
    proof = ROOT / "tests/unit/proof/recorded/ordered.proof.json"
    for options, code_of_it in (([], 0), (["--report", str(proof)], 1), (["--key", "none"], 2)):
        answer = subprocess.run(
            [sys.executable, "-c", code, str(proof), *options],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
        assert answer.returncode == code_of_it, answer.stderr


@contextlib.contextmanager
def taken_port() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


def start(*arguments: str) -> tuple[int, str]:
    answer = subprocess.run(
        [sys.executable, "-m", "local.start", *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    return answer.returncode, answer.stderr


def test_a_taken_port_that_was_asked_for_is_said_in_one_sentence() -> None:
    with taken_port() as port:
        code, told = start("--port", str(port))
    assert code == 1
    assert told == f"dev.py: port {port} is taken; name another, or none to get a free one\n"


def test_a_library_that_is_no_folder_is_refused_before_anything_starts(tmp_path: Path) -> None:
    code, told = start("--library", str(tmp_path / "missing"))
    assert code == 2
    assert "is not a folder" in told
