"""Say how a Python is installed on this system."""

from __future__ import annotations

import shutil
import subprocess
import sys

from local.setup.pythons import SUPPORTED

_BY_PACKAGE_MANAGER = {
    "brew": "brew install python@3.12",
    "dnf": "sudo dnf install python3.12",
    "zypper": "sudo zypper install python312",
}
_ANYWHERE = "curl -LsSf https://astral.sh/uv/install.sh | sh && ~/.local/bin/uv python install 3.12"


def how_to_install_python(system: str = sys.platform) -> str:
    """Return the command that installs a Python to use, with venv and pip.

    Args:
        system: As in `sys.platform`.
    """
    if system == "win32":
        return "winget install Python.Python.3.12"
    packages = [f"python{version}-venv" for version in SUPPORTED] if shutil.which("apt") else []
    there = next(filter(_is_known_to_apt, packages), "")
    if there:
        return f"sudo apt install {there}"
    return next(
        (command for program, command in _BY_PACKAGE_MANAGER.items() if shutil.which(program)),
        _ANYWHERE,
    )


def _is_known_to_apt(package: str) -> bool:
    try:
        answer = subprocess.run(["apt-cache", "show", package], capture_output=True, check=False)
    except OSError:
        return False
    return answer.returncode == 0
