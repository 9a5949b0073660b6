"""Keep a virtual environment that holds what a lock file says."""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from local.setup import locks, pip, uv
from local.setup.failure import Failure, say
from local.setup.progress import Progress
from local.setup.pythons import find_python, suitable

_PATIENCE_SECONDS = 900.0


class Virtualenv:
    """A virtual environment.

    Args:
        folder: Where it is, or is going to be.
        locked: The lock file of all that is in it, pip among it.

    Attributes:
        folder: As above.
        python: Its interpreter.
    """

    def __init__(self, folder: Path, locked: Path) -> None:
        self.folder = folder
        self.python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
        self._locked = locked
        self._stamp = folder / "installed.sha256"

    def make_ready(self, *, download: bool = True) -> None:
        """Create and fill the folder unless that is done; processes that both try take turns.

        Args:
            download: Whether a Python may be brought where none is found.

        Raises:
            Failure: There is no suitable Python, or a package could not be installed.
        """
        if self.is_ready():
            return
        with self._alone():
            if not self.is_ready():
                self._install(download)

    def is_ready(self) -> bool:
        """Tell whether it was filled by the lock file as it is now."""
        return (
            self.python.exists()
            and self._stamp.exists()
            and self._stamp.read_text("utf-8") == self._fingerprint()
        )

    def _fingerprint(self) -> str:
        return hashlib.sha256(self._locked.read_bytes()).hexdigest()

    @contextlib.contextmanager
    def _alone(self) -> Iterator[None]:
        # Imported where it is used: every command would wait for it.
        from devhost.file_lock import Taken, holding

        lock = self.folder / "dev.lock"
        with contextlib.ExitStack() as stack:
            try:
                stack.enter_context(holding(lock, patience=1.0))
            except Taken:
                say("Waiting for another command that is setting up.")
                try:
                    stack.enter_context(holding(lock, _PATIENCE_SECONDS))
                except Taken as taken:
                    raise Failure(f"another command is still setting up: {taken.holder}") from taken
            yield

    def _install(self, download: bool) -> None:
        wanted = self._fingerprint()
        if self._stamp.exists() and suitable([str(self.python)]):
            self._stamp.unlink()
        else:
            self._create(self._base(download))
        # The pip that comes with a Python may be too old to read the rest.
        newer_pip = self.folder / "pip.txt"
        newer_pip.write_text(locks.part(self._locked, "pip"), "utf-8")
        log = self.folder / "pip.log"
        say(f"Installing the packages of {self._locked.name}.")
        try:
            with Progress() as progress:
                pip.install(self.python, newer_pip, log=log)
                pip.install(self.python, self._locked, log=log, show=progress.show)
        except Failure as failure:
            raise Failure(f"{failure}; fix that") from failure
        self._drop_setuptools()
        self._stamp.write_text(wanted, "utf-8")

    def _base(self, download: bool) -> str:
        found = find_python(besides=self.folder)
        if found:
            return found
        if not download:
            raise uv.NoPython("this machine has no suitable Python, and --no-download forbids uv")
        uv.bring_python()
        return find_python(besides=self.folder)

    def _create(self, python: str) -> None:
        say(f"Creating {self.folder} with {python}")
        # What an interrupted run left behind is not worth trusting.
        for entry in self.folder.iterdir():
            if entry.is_dir() and not entry.is_symlink():
                shutil.rmtree(entry)
            elif not entry.name.startswith("dev."):
                entry.unlink()
        if subprocess.call([python, "-m", "venv", str(self.folder)], stdout=sys.stderr):
            raise Failure(f"{python} could not create {self.folder} (see above); fix that")

    def _drop_setuptools(self) -> None:
        """Take out the old one that Pythons before 3.12 bring, and that nothing here needs."""
        if not locks.part(self._locked, "setuptools"):
            uninstall = [str(self.python), "-m", "pip", "uninstall", "-yqq", "setuptools"]
            subprocess.call(uninstall, stdout=sys.stderr)
