"""Bring a Python to a machine that has none to use, through uv (https://docs.astral.sh/uv/)."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

from local.setup import locks, pip
from local.setup.advice import how_to_install_python
from local.setup.failure import Failure, say
from local.setup.pythons import BROUGHT, SUPPORTED

FOLDER = BROUGHT.parent
VERSION = SUPPORTED[0]


def bring_python() -> None:
    """Put a Python into a folder of this checkout, and nothing anywhere else.

    Raises:
        Failure: It could not be had; the message says how to install one.
    """
    *preferred, last = SUPPORTED
    say(
        f"This machine has no Python {', '.join(preferred)} or {last} with venv and pip.\n"
        f"uv downloads {VERSION} (about 35 MB) to {BROUGHT}; `--no-download` forbids it."
    )
    command = [*_uv(), "python", "install", VERSION]
    if subprocess.call(command, env=_environment(), cwd=FOLDER, stdout=sys.stderr):
        raise NoPython(f"uv could not install Python {VERSION} (see above)")


class NoPython(Failure):
    """There is no Python to use, and none can be brought."""

    def __init__(self, why: str) -> None:
        super().__init__(f"{why}; install it with `{how_to_install_python()}`")


def _uv() -> list[str]:
    FOLDER.mkdir(parents=True, exist_ok=True)
    on_path = shutil.which("uv")
    if on_path:
        return [on_path]
    program = FOLDER / "uv" / "bin" / ("uv.exe" if os.name == "nt" else "uv")
    if not program.exists():
        _install_uv(program.parent.parent)
    return [str(program)]


def _install_uv(target: Path) -> None:
    say("Installing uv from PyPI, about 20 MB.")
    file, log = FOLDER / "uv.txt", FOLDER / "pip.log"
    file.write_text(locks.part(locks.TOOLS, "uv"), "utf-8")
    try:
        pip.install(
            _python_with_pip(), file, log=log, options=["--no-deps", "--target", str(target)]
        )
    except Failure as failure:
        shutil.rmtree(target, ignore_errors=True)
        raise NoPython(f"uv cannot be installed: {failure}") from failure


def _python_with_pip() -> Path:
    if importlib.util.find_spec("pip"):
        return Path(sys.executable)
    folder = FOLDER / "pip"
    if subprocess.call([sys.executable, "-m", "venv", str(folder)], stdout=sys.stderr):
        raise NoPython(f"{sys.executable}, has neither pip nor venv, so it cannot install one")
    return folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def _environment() -> dict[str, str]:
    """Return an environment in which uv leaves the home, the PATH and the registry alone."""
    return {
        **os.environ,
        "UV_CACHE_DIR": str(FOLDER / "cache"),
        "UV_PYTHON_INSTALL_BIN": "0",
        "UV_PYTHON_INSTALL_DIR": str(BROUGHT),
        "UV_PYTHON_INSTALL_REGISTRY": "0",
    }
