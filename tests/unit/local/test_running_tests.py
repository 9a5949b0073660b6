"""How the tests themselves run: against another host, and where something is missing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from local.settings import APP

TESTS = "tests/e2e/test_restart.py"


def run_tests(path: str, *options: str, require: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", *options],
        cwd=APP,
        env={**os.environ, "PATH": path, "COUNTERSIGN_REQUIRE_AZURITE": require},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_same_tests_pass_at_a_host_that_func_starts(azurite: str, path_with_func: str) -> None:
    assert azurite
    done = run_tests(
        path_with_func,
        "--host=func",
        f"{TESTS}::test_a_decision_recorded_just_before_a_kill_is_carried_out",
        "tests/e2e/test_virtual_day.py::test_a_token_expires_by_the_time_of_the_host",
        "tests/e2e/devhost/test_triggers.py::test_a_text_is_an_answer",
        "tests/unit/test_imports.py",
    )
    assert done.returncode == 0, done.stdout
    assert "1 passed, 2 skipped" in done.stdout
    assert "only devhost: it has a virtual clock" in done.stdout
    assert "only devhost: it is what is tested here" in done.stdout


def test_without_func_the_run_ends_at_once_with_how_to_get_it(tmp_path: Path) -> None:
    done = run_tests(str(tmp_path), "--host", "func", TESTS)
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert "`func` is not on the PATH: install it with `npm i -g" in done.stderr


@pytest.mark.parametrize(
    ("require", "outcome"),
    [
        ("", "1 skipped"),
        # As in CI, where nothing may be left out without a word.
        ("1", "1 error"),
    ],
)
def test_without_node_what_needs_azurite_says_how_to_get_it(
    tmp_path: Path, require: str, outcome: str
) -> None:
    test = "tests/unit/local/test_azurite.py::test_two_of_them_share_nothing"
    done = run_tests(str(tmp_path), test, require=require)
    assert outcome in done.stdout
    assert "get it from https://nodejs.org" in done.stdout


@pytest.mark.parametrize(
    ("test", "code"),
    [
        ("def test_it(): pass", pytest.ExitCode.OK),
        ("def test_it(): assert not 1", pytest.ExitCode.TESTS_FAILED),
        ("import os\ndef test_it(): os._exit(1)", pytest.ExitCode.INTERRUPTED),
        ("import nothing_of_this_name", pytest.ExitCode.INTERRUPTED),
    ],
)
def test_only_a_run_in_which_each_test_was_tried_ends_as_one_that_passed_or_failed(
    tmp_path: Path, test: str, code: pytest.ExitCode
) -> None:
    (tmp_path / "test_it.py").write_text(f"{test}\n", "utf-8")
    options = ["-p", "xdist", "-n", "1", "-p", "testbed.whole_run", "-c", os.devnull]
    command = [sys.executable, "-m", "pytest", *options, "--rootdir", str(tmp_path), str(tmp_path)]
    plugins = {"PYTHONPATH": str(APP / "tests" / "lib"), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    environment = {**os.environ, **plugins}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stdout
