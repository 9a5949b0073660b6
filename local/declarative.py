"""The package that reads `flow.yaml`, in a folder of its own.

It asks for `powerfx`, which pins another `cffi` than `requirements.lock` does and is of use only
with .NET. So it is installed without what it asks for: all else of that is there.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from devhost.file_lock import Taken, holding
from local.errors import Missing
from local.setup.locks import ROOT

FOLDER = ROOT / ".declarative"
_PATIENCE_SECONDS = 300.0


def bring(package: str, folder: Path = FOLDER) -> Path:
    """Return a folder to import the package from; it is installed there unless it is already.

    Args:
        package: Its name and version, as pip takes them.
        folder: Where it is, or is going to be.

    Raises:
        Missing: pip could not install it.
    """
    wanted = folder / package.replace("==", "-")
    if wanted.exists():
        return wanted
    try:
        with holding(folder / "install.lock", _PATIENCE_SECONDS):
            if not wanted.exists():
                _install(package, wanted)
    except Taken as error:
        raise Missing(f"another process is still installing {package}: {error}") from error
    return wanted


def _install(package: str, folder: Path) -> None:
    # Whole or not at all: pip fills another folder first.
    draft = folder.with_name("draft")
    command = [sys.executable, "-m", "pip", "install", "--disable-pip-version-check", "-q"]
    command += ["--no-deps", "--upgrade", "--target", str(draft), package]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    if done.returncode:
        said = [line for line in done.stderr.splitlines() if line.startswith("ERROR")]
        raise Missing(f"{package} could not be installed: {'; '.join(said) or done.stderr[-500:]}")
    draft.rename(folder)
