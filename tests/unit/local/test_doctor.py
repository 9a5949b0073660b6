"""`dev.py doctor` says on one screen what is here, what is missing, and what mends it."""

from __future__ import annotations

import os
import platform
import re
import subprocess
import sys
from pathlib import Path

import pytest

from devhost.file_lock import holding
from local.doctor.environment import examine_packages, examine_python
from local.doctor.machine import examine_data
from local.doctor.programs import examine_scheduler
from local.doctor.settings import examine_settings
from local.settings import APP
from local.setup.failure import DEV

REFUSED = """
from typing import Optional
import azure.durable_functions as df

app = df.DFApp()

@app.activity_trigger(input_name="order")
def publish(order: Optional[dict]):
    return order
"""


def examine(app: Path, *options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "local.doctor", *options],
        cwd=app,
        env={**os.environ, "PYTHONPATH": str(APP)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_this_app_is_loaded_on_every_python_and_all_is_told_on_one_screen() -> None:
    done = examine(APP)
    assert (done.returncode, done.stderr) == (0, "")
    assert "the Functions worker loads it: " in done.stdout
    for name in ("Python", "packages", "data", "ports", "model", "storage", "Azurite", "func"):
        assert re.search(rf"^(ok|without) +{name} ", done.stdout, re.MULTILINE)
    assert done.stdout.count("\n") <= 24


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        (
            REFUSED,
            "cannot load the publish function: binding order has invalid",
        ),
        ("import no_such_module", "ModuleNotFoundError: No module named 'no_such_module'"),
    ],
)
def test_an_app_that_no_host_can_load_is_told_with_the_reason_and_where_hosts_tell_it(
    tmp_path: Path, code: str, reason: str
) -> None:
    (tmp_path / "function_app.py").write_text(code)
    done = examine(tmp_path)
    assert done.returncode == 1
    assert reason in done.stdout
    assert "/admin/functions" in done.stdout
    assert "Fix app before you run `dev.py start`." in done.stdout


def test_a_python_that_azure_has_left_is_said_and_one_that_none_has_is_broken() -> None:
    assert examine_python("3.12.1").told.startswith("3.12.1, ")
    assert "Azure no longer supports" in examine_python("3.10.13").told
    assert examine_python("3.13.0").state == "broken"


def test_packages_that_are_not_as_locked_are_named_with_the_command(tmp_path: Path) -> None:
    lock = tmp_path / "requirements.lock"
    lock.write_text(
        "pytest==1.0 \\\n    --hash=sha256:0\nno-such-package==2.0 \\\n"
        f"other==3.0 ; python_version < '{platform.python_version()[:3]}' \\\n"
    )
    found = examine_packages(lock)
    assert found.state == "broken"
    assert f"pytest is {pytest.__version__}, not 1.0; no-such-package is missing" in found.told
    assert "other" not in found.told
    assert found.mend.startswith("rm -r .venv; ")


def test_a_data_folder_that_another_process_has_is_told_with_how_to_end_it(tmp_path: Path) -> None:
    with holding(tmp_path / "devhost" / "lock.db"):
        told = examine_data(tmp_path).told
    assert f"kill {os.getpid()}" in told
    assert "--data DIR" in told
    assert "not in use" in examine_data(tmp_path).told


def test_a_data_folder_that_cannot_be_made_is_broken(tmp_path: Path) -> None:
    assert "the first start creates " in examine_data(tmp_path / "none" / "at all").told
    (tmp_path / "file").touch()
    for folder in (tmp_path / "file", tmp_path / "file" / "inside"):
        found = examine_data(folder)
        assert (found.state, found.mend) == ("broken", f"{DEV} start --data DIR")


@pytest.mark.skipif(hasattr(os, "geteuid") and os.geteuid() == 0, reason="root may write anywhere")
def test_a_data_folder_that_may_not_be_written_to_is_broken(tmp_path: Path) -> None:
    (tmp_path / "closed").mkdir(mode=0o500)
    assert examine_data(tmp_path / "closed").state == "broken"
    assert examine_data(tmp_path / "closed" / "inside").state == "broken"


@pytest.mark.skipif(os.name == "nt", reason="the stand-in for Docker is a shell script")
@pytest.mark.parametrize(
    ("engine", "state", "told"),
    [("exit 0", "ok", "started by --func"), ("exit 1", "without", "Docker is not running")],
)
def test_docker_is_there_only_if_its_engine_runs(
    engine: str, state: str, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    docker = tmp_path / "docker"
    docker.write_text(f"#!/bin/sh\n{engine}\n")
    docker.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    monkeypatch.setattr("local.doctor.programs.is_free", lambda _port: True)
    finding = examine_scheduler()
    assert (finding.state, told in finding.told) == (state, True)


def test_an_option_that_there_is_not_is_refused() -> None:
    done = examine(APP, "--dat", "x", "--dance")
    assert done.returncode == 2
    assert "--dance" in done.stderr


def test_settings_that_the_first_request_would_fail_with_are_broken_and_nothing_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COUNTERSIGN_MODEL_PROVIDER", "openai")
    (found,) = examine_settings(tmp_path / "data")
    assert found.state == "broken"
    assert "COUNTERSIGN_MODEL_KEY is missing" in found.told
    monkeypatch.setenv("COUNTERSIGN_MODEL_PROVIDER", "extractive")
    assert [found.state for found in examine_settings(tmp_path / "data")] == ["ok", "ok"]
    monkeypatch.setenv("COUNTERSIGN_LIBRARY", str(tmp_path / "none"))
    (found,) = examine_settings(tmp_path / "data")
    assert (found.state, found.told) == (
        "broken",
        f"the library {tmp_path / 'none'} is not a folder",
    )
    assert not (tmp_path / "data").exists()
