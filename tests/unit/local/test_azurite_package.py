from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from local.azurite_package import MANIFESTS, AzuritePackage
from local.errors import Missing
from local.settings import APP

StandIn = Callable[[str, str], Path]

NODE = "print('v20.1.0')"
# It leaves something behind and fails while a file says so.
NPM = """
import os, pathlib, sys
pathlib.Path("node_modules/half").mkdir(parents=True)
with open("runs.txt", "a") as runs:
    print(*sys.argv[1:], file=runs)
if os.path.exists("fail"):
    sys.exit("npm error code E404\\nnpm error 404 no such package")
os.rename("node_modules/half", "node_modules/whole")
"""
INSTALL = """
import pathlib, sys
from local.azurite_package import AzuritePackage
AzuritePackage(pathlib.Path(sys.argv[1])).make_ready()
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "azurite").mkdir()
    return tmp_path / "azurite"


def test_without_node_it_says_how_to_get_it(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(folder))
    with pytest.raises(Missing, match=r"`node` is not on the PATH.*https://nodejs\.org"):
        AzuritePackage(folder).make_ready()


def test_an_old_node_is_not_enough(folder: Path, stand_in: StandIn) -> None:
    stand_in("node", "print('v16.20.2')")
    with pytest.raises(Missing, match=r"Node\.js 18 or later.*is v16\.20\.2"):
        AzuritePackage(folder).make_ready()


def test_node_without_npm_is_not_enough(folder: Path, stand_in: StandIn) -> None:
    stand_in("node", NODE)
    with pytest.raises(Missing, match="`npm` is not on the PATH"):
        AzuritePackage(folder).make_ready()


def test_a_failed_installation_says_why_and_is_made_anew(folder: Path, stand_in: StandIn) -> None:
    stand_in("node", NODE)
    stand_in("npm", NPM)
    (folder / "fail").touch()
    with pytest.raises(Missing, match=r"Azurite \(code E404; 404 no such package\)"):
        AzuritePackage(folder).make_ready()
    (folder / "fail").unlink()
    AzuritePackage(folder).make_ready()
    left = {path.name for path in (folder / "node_modules").iterdir() if path.is_dir()}
    assert left == {"whole"}


def test_what_was_deleted_is_installed_again(folder: Path, stand_in: StandIn) -> None:
    stand_in("node", NODE)
    stand_in("npm", NPM)
    for _ in range(2):
        AzuritePackage(folder).make_ready()
        shutil.rmtree(folder / "node_modules")
    assert len((folder / "runs.txt").read_text("utf-8").splitlines()) == 2


def test_runs_at_the_same_time_install_what_the_lock_names_once(
    folder: Path, stand_in: StandIn
) -> None:
    stand_in("node", NODE)
    stand_in("npm", NPM)
    command = [sys.executable, "-c", INSTALL, str(folder)]
    runs = [subprocess.Popen(command, cwd=APP) for _ in range(2)]
    assert [run.wait(60) for run in runs] == [0, 0]
    [command_line] = (folder / "runs.txt").read_text("utf-8").splitlines()
    assert command_line.startswith("ci --ignore-scripts ")
    for manifest in MANIFESTS.iterdir():
        assert (folder / manifest.name).read_bytes() == manifest.read_bytes()


def test_another_lock_is_another_installation(
    folder: Path, stand_in: StandIn, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_in("node", NODE)
    stand_in("npm", NPM)
    monkeypatch.setattr("local.azurite_package.MANIFESTS", tmp_path / "npm")
    shutil.copytree(MANIFESTS, tmp_path / "npm")
    for change in ("", "", " "):
        with (tmp_path / "npm" / "package-lock.json").open("a") as lock:
            lock.write(change)
        AzuritePackage(folder).make_ready()
    assert len((folder / "runs.txt").read_text("utf-8").splitlines()) == 2


@pytest.mark.parametrize("manifests", [*MANIFESTS.parent.iterdir()], ids=lambda each: each.name)
def test_every_part_is_known_by_its_digest_wherever_it_comes_from(manifests: Path) -> None:
    lock = json.loads((manifests / "package-lock.json").read_text("utf-8"))["packages"]
    asked = json.loads((manifests / "package.json").read_text("utf-8"))
    root = lock.pop("")
    assert root["dependencies"] == asked["dependencies"]
    assert all(part["integrity"].startswith("sha512-") for part in lock.values())
    assert not any("resolved" in part for part in lock.values())
    # No script of a package is run; the one of this makes its command start faster, and is no loss.
    with_script = {name for name, part in lock.items() if part.get("hasInstallScript")}
    assert with_script <= {"node_modules/esbuild"}


def test_docker_runs_the_same_version() -> None:
    compose = yaml.safe_load((APP / "compose.yaml").read_text("utf-8"))["services"]
    version = json.loads((MANIFESTS / "package.json").read_text("utf-8"))["dependencies"]["azurite"]
    assert compose["storage"]["image"].endswith(f"/azurite:{version}")
