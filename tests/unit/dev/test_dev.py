import ast
import contextlib
import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

from local.setup.failure import DEV
from local.setup.locks import ROOT
from local.setup.pythons import suitable

BEFORE_THE_VENV = [
    "local/__init__.py",
    "local/commands.py",
    *(str(file.relative_to(ROOT)) for file in sorted((ROOT / "local" / "setup").glob("*.py"))),
    "devhost/__init__.py",
    "devhost/file_lock.py",
]


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """What runs before there is a `.venv`, and nothing else."""
    for name in ["dev.py", *BEFORE_THE_VENV]:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    for name in ("requirements.lock", "requirements-tools.lock"):
        (tmp_path / name).touch()
    return tmp_path


def run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_no_command_that_is_not_a_supported_python_is_taken_for_one(tmp_path: Path) -> None:
    assert suitable(["no-such-python"]) == ""
    assert suitable([str(tmp_path)]) == ""
    assert suitable([sys.executable, "-c", "raise SystemExit(127)"]) == ""
    assert Path(suitable([sys.executable])).samefile(sys.executable)


@pytest.mark.parametrize("name", BEFORE_THE_VENV)
def test_python_3_8_can_read_what_runs_before_the_venv_and_has_all_that_it_imports(
    name: str,
) -> None:
    nodes = [*ast.walk(ast.parse((ROOT / name).read_text("utf-8"), feature_version=(3, 8)))]
    modules = {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)}
    modules |= {each.name for node in nodes if isinstance(node, ast.Import) for each in node.names}
    foreign = {each for each in modules if each.partition(".")[0] not in sys.stdlib_module_names}
    assert all(each.startswith(("local.setup", "devhost.file_lock")) for each in foreign)


@pytest.mark.parametrize("version", ["2.7", "3.6", "3.7"])
def test_a_python_that_is_too_old_says_what_to_install(version: str) -> None:
    python = next((ROOT.home() / ".pyenv" / "versions").glob(f"{version}.*/bin/python"), None)
    if python is None:
        pytest.skip(f"there is no Python {version}")
    answer = run(str(python), str(ROOT / "dev.py"), "start")
    assert answer.returncode == 2
    assert "install 3.12" in answer.stderr
    assert answer.stderr.count("\n") == 1


@pytest.mark.parametrize(("arguments", "code"), [([], 2), (["dance"], 2), (["--help"], 0)])
def test_help_needs_no_set_up(checkout: Path, arguments: list[str], code: int) -> None:
    answer = run(sys.executable, str(checkout / "dev.py"), *arguments)
    assert answer.returncode == code
    assert "dev.py start" in answer.stderr
    assert not (checkout / ".venv").exists()


def test_a_command_that_there_is_not_is_named(checkout: Path) -> None:
    answer = run(sys.executable, str(checkout / "dev.py"), "dance")
    assert answer.stderr.splitlines()[-1] == "dev.py: there is no command 'dance'"


LISTENS = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
"""What a shell's background job, which a test run may be, has to do to hear Ctrl-C at all."""
WAITS = "import time\nprint('waiting', flush=True)\ntime.sleep(600)\n"
TIDIES_UP = f"try:\n  raise KeyboardInterrupt\nfinally:\n{textwrap.indent(WAITS, '  ')}"


@pytest.mark.skipif(os.name == "nt", reason="Windows sends Ctrl-C to all of a console")
@pytest.mark.parametrize("code", [WAITS, TIDIES_UP], ids=["imports", "tidies up"])
def test_ctrl_c_ends_a_command_without_a_trace_while_it(code: str, tmp_path: Path) -> None:
    (tmp_path / "endless.py").write_text(code, "utf-8")
    with subprocess.Popen(
        [
            sys.executable,
            "-c",
            f"{LISTENS}; from local.commands import _become; _become('endless')",
        ],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout
        assert process.stdout.readline() == "waiting\n"
        process.send_signal(signal.SIGINT)
        assert process.communicate(timeout=60) == ("", "")
    assert process.returncode == 130


def test_a_set_up_that_fails_is_not_taken_for_the_answer_of_a_command(checkout: Path) -> None:
    (checkout / ".venv").touch()
    answer = run(sys.executable, str(checkout / "dev.py"), "verify", "a.json")
    assert answer.returncode == 2
    assert answer.stderr.startswith("dev.py: ")
    assert answer.stderr.count("\n") == 1


def test_verify_passes_on_what_it_is_given_and_answers_as_the_check_does() -> None:
    code = "import sys; from local.commands import verify; sys.exit(verify(*sys.argv[1:]))"
    proof = ROOT / "tests/unit/proof/recorded/3-ordered.proof.json"
    for options, code_of_it in (([], 3), (["--report", str(proof)], 1), (["--key", "none"], 2)):
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
    assert told == f"dev.py: port {port} is in use; `{DEV} start` chooses a free one\n"


def test_a_library_that_is_no_folder_is_refused_before_anything_starts(tmp_path: Path) -> None:
    code, told = start("--library", str(tmp_path / "missing"))
    assert code == 2
    assert "is not a folder" in told


@pytest.mark.parametrize(
    ("options", "settings"),
    [
        (["--data", __file__], {}),
        ([], {"COUNTERSIGN_MODEL_PROVIDER": "openai"}),
        ([], {"COUNTERSIGN_LIBRARY": "no/such/folder"}),
        (["--model", "no-such-model"], {}),
        (["--func"], {"PATH": ""}),
    ],
    ids=[
        "a data folder that is a file",
        "a setting that is missing",
        "a library that is missing",
        "a model that is missing",
        "no Core Tools",
    ],
)
def test_every_failure_of_start_ends_in_a_sentence_with_a_command(
    options: list[str], settings: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    data = [] if "--data" in options else ["--data", str(tmp_path)]
    code, told = start(*options, *data)
    assert code == 1, told
    assert told.startswith("dev.py: ")
    commands = re.findall(r"`([a-z]+[^`]+)`", told.splitlines()[-1])
    assert commands, told
    if commands[-1].startswith(f"{DEV} doctor"):
        words = shlex.split(commands[-1])[2:]
        found = run(sys.executable, "-m", "local.doctor", *words[1:])
        assert "broken" in found.stdout, "it says that nothing is wrong"
