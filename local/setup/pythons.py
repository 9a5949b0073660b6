"""Find a Python that Countersign runs on."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from local.setup.locks import ROOT

SUPPORTED = ("3.12", "3.11", "3.10")
"""In the order of preference: the last one has left Azure's support in October 2026."""

BROUGHT = ROOT / ".uv" / "python"
"""Where `uv` puts the Pythons that it brings."""

# A Debian Python without its venv package lacks ensurepip, and a pyenv shim may lead nowhere.
_PROBE = """
import ensurepip, sys
print(sys.executable if "%d.%d" % sys.version_info[:2] in sys.argv[1:] else "")
"""


def find_python(besides: Path) -> str:
    """Return the path of a supported Python that does not live in a folder, or "".

    Args:
        besides: The folder, whose own Python is no base for it.
    """
    own = [] if Path(sys.prefix) == besides else [[sys.executable]]
    for version in SUPPORTED:
        for command in [*own, *pythons([version])]:
            path = suitable(command, [version])
            if path:
                return path
    return ""


def pythons(versions: Sequence[str]) -> list[list[str]]:
    """Return the commands that may lead to Pythons of these versions, on this machine."""
    launcher = [["py", f"-{version}"] for version in versions] if os.name == "nt" else []
    on_path = [[f"python{version}"] for version in versions]
    installed = [[str(path)] for version in versions for path in _installed(version)]
    return [*launcher, *on_path, *installed]


def suitable(command: Sequence[str], versions: Sequence[str] = SUPPORTED) -> str:
    """Return the interpreter's path that the command leads to, or "" if it is none to use."""
    try:
        answer = subprocess.run(
            [*command, "-c", _PROBE, *versions],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return answer.stdout.strip() if answer.returncode == 0 else ""


def _installed(version: str) -> list[Path]:
    """Return what pyenv and uv have installed of a version, which need not be on the PATH."""
    home = os.path.expanduser("~")  # noqa: PTH111 - Path.home() fails where there is none
    pyenv = Path(os.environ.get("PYENV_ROOT") or f"{home}/.pyenv")
    data = Path(os.environ.get("XDG_DATA_HOME") or f"{home}/.local/share")
    roaming = Path(os.environ.get("APPDATA") or data)
    unix, windows = f"cpython-{version}.*/bin/python3", f"cpython-{version}.*/python.exe"
    places = (
        (pyenv, f"versions/{version}.*/bin/python"),
        (pyenv, f"pyenv-win/versions/{version}.*/python.exe"),
        (BROUGHT, unix),
        (BROUGHT, windows),
        (data / "uv" / "python", unix),
        (roaming / "uv" / "python", windows),
    )
    return [path for folder, pattern in places for path in sorted(folder.glob(pattern))]
