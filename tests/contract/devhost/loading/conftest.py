"""What becomes of the small apps of the corpus, as the genuine library and devhost see it."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from local.errors import Missing
from testbed.genuine_worker import GenuineWorker

from .corpus import small_apps

Verdicts = Mapping[str, Mapping[str, Any]]
"""What is said about apps: `refused` with a sentence, or their `functions`."""

JUDGE = Path(__file__).with_name("judge.py")


def pytest_collection_finish(session: pytest.Session) -> None:
    """Install the library if a test needs it, here where no test's time is running."""
    needed = any("genuine_worker" in getattr(item, "fixturenames", ()) for item in session.items)
    if needed and not session.config.getoption("collectonly"):
        # Without it the tests themselves say why, or fail where they must not be skipped.
        with contextlib.suppress(Missing):
            GenuineWorker().make_ready()


@pytest.fixture(scope="session")
def genuine_worker() -> GenuineWorker:
    """The environment with the genuine library."""
    worker = GenuineWorker()
    try:
        worker.make_ready()
    except Missing as missing:
        if os.environ.get("COUNTERSIGN_REQUIRE_GENUINE_WORKER"):
            raise
        pytest.skip(str(missing))
    return worker


@pytest.fixture(scope="session")
def folders(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, str]:
    """The folders of the small apps by their titles."""
    made: dict[str, str] = {}
    for app in small_apps():
        folder = tmp_path_factory.mktemp("app")
        (folder / "function_app.py").write_text(app.source, "utf-8")
        made[app.title] = str(folder)
    return made


@pytest.fixture(scope="session")
def genuine(genuine_worker: GenuineWorker, folders: Mapping[str, str]) -> Verdicts:
    """What the genuine library says about the small apps."""
    return judged(folders, genuine_worker.python, "genuine")


@pytest.fixture(scope="session")
def beside_the_genuine(genuine_worker: GenuineWorker, folders: Mapping[str, str]) -> Verdicts:
    """What devhost says about the small apps in the same environment."""
    return judged(folders, genuine_worker.python, "devhost")


@pytest.fixture(scope="session")
def for_python(folders: Mapping[str, str]) -> Callable[[str], Verdicts]:
    """Has devhost, in the tests' own environment, judge them for a version of Python."""
    known: dict[str, Verdicts] = {}

    def judge(python: str) -> Verdicts:
        if python not in known:
            known[python] = judged(folders, sys.executable, "devhost", python)
        return known[python]

    return judge


def judged(folders: Mapping[str, str], python: Path | str, *options: str) -> Verdicts:
    """Have a judge in a process of its own judge the apps in these folders."""
    done = subprocess.run(
        [str(python), str(JUDGE), *options],
        input=json.dumps(list(folders.values())),
        stdout=subprocess.PIPE,
        text=True,
        timeout=100,
        check=True,
    )
    return dict(zip(folders, json.loads(done.stdout), strict=True))
