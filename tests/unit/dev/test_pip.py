"""What pip refuses is refused, and said in one sentence."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from local.setup import pip
from local.setup.failure import Failure
from testbed.wheels import Pin


def would_install(lock: Path, pinned: str) -> None:
    lock.write_text(lock.read_text("utf-8") + pinned, "utf-8")
    log = lock.with_name("pip.log")
    pip.install(Path(sys.executable), lock, log=log, options=["--dry-run"])


def test_what_is_locked_is_installed_in_the_version_and_with_the_content_that_are_locked(
    lock: Path, pin: Pin
) -> None:
    would_install(lock, pin("plan"))
    assert "Would install plan-1.0" in lock.with_name("pip.log").read_text("utf-8")


def test_another_content_than_the_locked_one_is_refused(lock: Path, pin: Pin) -> None:
    with pytest.raises(Failure, match="DO NOT MATCH THE HASHES"):
        would_install(lock, pin("plan")[:-9] + "00000000\n")


def test_a_package_without_a_hash_is_refused(lock: Path, pin: Pin) -> None:
    with pytest.raises(Failure, match="Hashes are required"):
        would_install(lock, pin("plan").splitlines()[0].rstrip(" \\"))


def test_nothing_is_built_for_want_of_a_wheel(lock: Path) -> None:
    lock.with_name("plan-1.0.tar.gz").touch()
    with pytest.raises(Failure, match=r"No matching distribution found|find a version"):
        would_install(lock, f"plan==1.0 --hash=sha256:{'0' * 64}\n")


def test_an_index_that_can_t_be_reached_is_given_as_the_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("PIP_RETRIES", "1")
    lock = tmp_path / "requirements.lock"
    lock.touch()
    with pytest.raises(Failure, match=r"index cannot be reached: .* refused"):
        would_install(lock, f"plan==1.0 --hash=sha256:{'0' * 64}\n")


def test_it_is_said_which_package_of_how_many_is_fetched_and_how_many_are_in_place() -> None:
    said = "Looking in links: x\nIgnoring tzdata: markers 'sys_platform == \"win32\"' don't match\n"
    assert pip.how_far(said, 3, 1) == "  fetching packages"
    said += "Collecting openai==3.57.0 (from -r requirements.lock (line 7))\n  Downloading x\n"
    assert pip.how_far(said, 3, 1) == "  fetching packages: 1 of 2 openai"
    said += "Processing /mirror/files/six-1.17.0-py2.py3-none-any.whl (from -r x (line 9))\n"
    assert pip.how_far(said, 3, 1) == "  fetching packages: 2 of 2 six"
    said += "Installing collected packages: openai, six\n"
    assert pip.how_far(said, 3, 1) == "  putting packages in place: 1 of 2"
