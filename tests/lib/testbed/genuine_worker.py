"""The genuine library of the Functions' Python worker, in a virtual environment of its own.

The library is published for Python 3.13 and later alone; that of older versions isn't published by
itself. With it are the app's own packages. One of them, `azure-functions`, says that it isn't for
3.13 in the version that the app pins; it runs there all the same.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from devhost.file_lock import Taken, holding
from local.errors import Missing
from local.setup.pythons import pythons, suitable
from testbed.host import ROOT

VERSIONS = ("3.13", "3.14")
LIBRARY = "azure-functions-runtime==1.3.0"
SDK = "azure-functions=="

_REQUIREMENTS = ROOT / "requirements.txt"
_PATIENCE_SECONDS = 900.0


class GenuineWorker:
    """The environment.

    Args:
        folder: Where it is, or is going to be.

    Attributes:
        python: Its interpreter.
    """

    def __init__(self, folder: Path = ROOT / ".worker") -> None:
        self._folder = folder
        self._stamp = folder / "installed.sha256"
        program = "Scripts/python.exe" if sys.platform == "win32" else "bin/python"
        self.python = folder / "venv" / program

    def make_ready(self) -> None:
        """Install it unless that is done; processes that both try take turns.

        Raises:
            Missing: There is no suitable Python, or pip could not install the packages.
        """
        if self._is_ready():
            return
        base = _find_python()
        try:
            with holding(self._folder / "install.lock", _PATIENCE_SECONDS):
                if not self._is_ready():
                    self._install(base)
        except Taken as error:
            raise Missing(f"another process is still installing {LIBRARY}: {error}") from error

    def _is_ready(self) -> bool:
        return self._stamp.exists() and self._stamp.read_text("utf-8") == _fingerprint()

    def _install(self, base: str) -> None:
        self._stamp.unlink(missing_ok=True)
        shutil.rmtree(self._folder / "venv", ignore_errors=True)
        _carry_out([base, "-m", "venv", str(self._folder / "venv")])
        pip = [str(self.python), "-m", "pip", "install", "--disable-pip-version-check", "-q"]
        # By itself, so that only it is spared the question whether it is for this Python.
        _carry_out([*pip, "--no-deps", "--ignore-requires-python", _pinned_sdk()])
        _carry_out([*pip, "-r", str(_REQUIREMENTS), LIBRARY])
        self._stamp.write_text(_fingerprint(), "utf-8")


def _find_python() -> str:
    for command in pythons(VERSIONS):
        if path := suitable(command, VERSIONS):
            return path
    raise Missing(
        "the genuine library of the Functions worker needs Python 3.13 with venv and pip: get it"
        " from https://www.python.org/downloads/, or by `pyenv install 3.13`."
    )


def _pinned_sdk() -> str:
    lines = _REQUIREMENTS.read_text("utf-8").splitlines()
    return next(line for line in lines if line.startswith(SDK))


def _carry_out(command: Sequence[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    if done.returncode:
        said = [line for line in done.stderr.splitlines() if line.startswith("ERROR")]
        raise Missing(f"{LIBRARY} could not be installed: {'; '.join(said) or done.stderr[-500:]}")


def _fingerprint() -> str:
    return hashlib.sha256(_REQUIREMENTS.read_bytes() + LIBRARY.encode()).hexdigest()
