"""Install an npm package into a folder of the repository."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
from pathlib import Path

from devhost.file_lock import Taken, holding
from local.errors import Missing
from local.node import find_npm

_PATIENCE_SECONDS = 900.0


class NpmPackage:
    """A package that is run by Node.js, in a folder of its own.

    Args:
        name: What to call it.
        manifests: The folder of `package.json`, which names the version, and of npm's lock of all
            that it is made of.
        folder: Where it is, or is going to be.
    """

    def __init__(self, name: str, manifests: Path, folder: Path) -> None:
        self.folder = folder
        self._name = name
        self._manifests = [manifests / "package.json", manifests / "package-lock.json"]
        # Whoever deletes what was installed deletes this too.
        self._stamp = folder / "node_modules" / "installed.txt"

    def make_ready(self) -> None:
        """Install it unless that is done; processes that both try take turns.

        Raises:
            Missing: There is no Node.js to run it, or npm could not install it.
        """
        if self.is_ready():
            return
        npm = find_npm()
        try:
            with holding(self.folder / "install.lock", _PATIENCE_SECONDS):
                if not self.is_ready():
                    self._install(npm)
        except Taken as error:
            raise Missing(f"another process is still installing {self._name}: {error}") from error

    def is_ready(self) -> bool:
        """Tell whether it is installed as the manifests are now."""
        return self._stamp.exists() and self._stamp.read_text("utf-8") == self._fingerprint()

    def _install(self, npm: str) -> None:
        print(f"Installing {self._name} into {self.folder}", file=sys.stderr, flush=True)
        # What an interrupted run left behind is not worth trusting.
        self._stamp.unlink(missing_ok=True)
        shutil.rmtree(self.folder / "node_modules", ignore_errors=True)
        wanted = self._fingerprint()
        for manifest in self._manifests:
            shutil.copy(manifest, self.folder)
        done = subprocess.run(
            # No package of it needs a script of its own to be installed, and none gets to run one.
            [npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"],
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            check=False,
        )
        if done.returncode:
            raise Missing(f"npm could not install {self._name} ({_reason(done.stdout)})")
        self._stamp.write_text(wanted, "utf-8")

    def _fingerprint(self) -> str:
        return hashlib.sha256(b"".join(file.read_bytes() for file in self._manifests)).hexdigest()


def _reason(output: str) -> str:
    """Return what npm gives as its error, in one line."""
    said = [line.removeprefix("npm error ").strip() for line in output.splitlines()]
    return "; ".join([line for line in said if line][:3]) or "no reason given"
