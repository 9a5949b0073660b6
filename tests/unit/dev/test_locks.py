"""The lock files name all that the requirements files ask for, as they ask for it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from local.setup import locks

INPUTS = {
    locks.APP: ["requirements.txt", "requirements-graph.txt", "requirements-dev.txt"],
    locks.TOOLS: ["requirements-tools.txt"],
}
SYSTEMS = [
    {"python_version": python, "python_full_version": f"{python}.9", "sys_platform": system}
    for python in ("3.10", "3.11", "3.12")
    for system in ("linux", "darwin", "win32")
]


def asked(file: str) -> list[Requirement]:
    lines = (locks.ROOT / file).read_text("utf-8").splitlines()
    return [Requirement(line) for line in lines if line and line[0] not in "#-"]


def locked(lock: Path) -> list[Requirement]:
    pins = re.findall(r"^(\S+==.*?) \\$", lock.read_text("utf-8"), re.M)
    return [Requirement(pin) for pin in pins]


def name_of(requirement: Requirement) -> str:
    return re.sub(r"[-_.]+", "-", requirement.name).lower()


def versions(requirements: list[Requirement], system: dict[str, str]) -> dict[str, str]:
    return {
        name_of(each): str(each.specifier)
        for each in requirements
        if each.marker is None or each.marker.evaluate(system)
    }


@pytest.mark.parametrize("system", SYSTEMS, ids=lambda system: "-".join(system.values()))
@pytest.mark.parametrize("lock", INPUTS, ids=lambda lock: lock.name)
def test_a_lock_file_has_what_is_asked_for_in_that_version_on_each_system(
    lock: Path, system: dict[str, str]
) -> None:
    wanted = versions([each for file in INPUTS[lock] for each in asked(file)], system)
    assert wanted.items() <= versions(locked(lock), system).items(), "run `python3 dev.py lock`"


@pytest.mark.parametrize("lock", INPUTS, ids=lambda lock: lock.name)
def test_a_lock_file_has_nothing_that_is_asked_for_no_more(lock: Path) -> None:
    wanted = {name_of(each) for file in INPUTS[lock] for each in asked(file)}
    asked_for = {name for name in map(name_of, locked(lock)) if "-r req" in locks.part(lock, name)}
    assert asked_for == wanted, "run `python3 dev.py lock`"


@pytest.mark.parametrize("lock", INPUTS, ids=lambda lock: lock.name)
def test_every_locked_package_has_hashes_and_pip_is_among_them(lock: Path) -> None:
    text = lock.read_text("utf-8")
    pins = re.findall(r"^\S+==.*\n((?:    --hash=sha256:[0-9a-f]{64}.*\n)+)", text, re.M)
    assert len(pins) == len(re.findall(r"^\S+==", text, re.M)) > 20
    assert "--hash=" in locks.part(lock, "pip")


def test_a_part_of_a_lock_file_is_one_package_whole() -> None:
    uv = locks.part(locks.TOOLS, "uv")
    assert uv.startswith("uv==")
    assert uv.count("==") == 1
    assert uv.count("--hash=") > 10
