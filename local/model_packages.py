"""Fetch the packages of a model or of its server, which have no place in `.venv`."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from local.errors import Missing
from local.setup import pip
from local.setup.failure import Failure, say
from local.setup.progress import Progress


def download(wanted: Path, folder: Path, told: str) -> None:
    """Download packages as they are.

    Args:
        wanted: The requirements file, with the digest of each.
        folder: Where they go. What pip says is beside it, in `install.log`.
        told: What to say before.

    Raises:
        Missing: They can't be had.
    """
    _fetch(pip.download, wanted, folder, told, "--no-cache-dir", "--dest")


def install(wanted: Path, folder: Path, told: str) -> None:
    """Install packages into a folder of their own; as `download` otherwise."""
    _fetch(pip.install, wanted, folder, told, "--no-cache-dir", "--upgrade", "--target")


def _fetch(run: Callable[..., None], wanted: Path, folder: Path, told: str, *options: str) -> None:
    say(told)
    folder.parent.mkdir(parents=True, exist_ok=True)
    log = folder.with_name("install.log")
    try:
        with Progress() as progress:
            run(
                Path(sys.executable),
                wanted,
                log=log,
                options=["--no-deps", *options, str(folder)],
                show=progress.show,
            )
    except Failure as failure:
        raise Missing(
            f"{failure}; without the packages of {wanted.name}, use your own model server"
            " (COUNTERSIGN_MODEL_URL in docs/settings.md)"
        ) from failure
