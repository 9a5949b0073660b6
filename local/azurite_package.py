"""Install Azurite, Microsoft's storage emulator, into a folder of the repository."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

from local.errors import Missing
from local.file_lock import Taken, holding
from local.node import find_npm
from local.settings import APP

VERSION = "3.35.0"
_PATIENCE_SECONDS = 900.0


class AzuritePackage:
    """The npm package `azurite` in a folder of its own.

    Args:
        folder: Where it is, or is going to be.

    Attributes:
        program: The script that Node.js runs.
    """

    def __init__(self, folder: Path = APP / ".azurite") -> None:
        self._folder = folder
        self._stamp = folder / "installed.txt"
        self.program = folder / "node_modules" / "azurite" / "dist" / "src" / "azurite.js"

    def make_ready(self) -> None:
        """Install it unless that is done; processes that both try take turns.

        Raises:
            Missing: There is no Node.js to run it, or npm could not install it.
        """
        if self._is_ready():
            return
        npm = find_npm()
        try:
            with holding(self._folder / "install.lock", _PATIENCE_SECONDS):
                if not self._is_ready():
                    self._install(npm)
        except Taken as error:
            raise Missing(f"another process is still installing Azurite: {error}") from error

    def _is_ready(self) -> bool:
        return self._stamp.exists() and self._stamp.read_text("utf-8") == VERSION

    def _install(self, npm: str) -> None:
        print(f"Installing Azurite {VERSION} into {self._folder}", file=sys.stderr, flush=True)
        # What an interrupted run left behind is not worth trusting.
        self._stamp.unlink(missing_ok=True)
        shutil.rmtree(self._folder / "node_modules", ignore_errors=True)
        # Without a file of its own npm would look for one in the folders above.
        manifest = {"private": True, "dependencies": {"azurite": VERSION}}
        (self._folder / "package.json").write_text(json.dumps(manifest), "utf-8")
        command = [npm, "install", "--no-audit", "--no-fund", "--no-package-lock"]
        done = subprocess.run(
            [*command, "--loglevel=error"],
            cwd=self._folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            check=False,
        )
        if done.returncode:
            raise Missing(
                f"npm could not install Azurite {VERSION} ({_reason(done.stdout)});"
                " run the command again once that is mended."
            )
        self._stamp.write_text(VERSION, "utf-8")


def _reason(output: str) -> str:
    """Return what npm gives as its error, in one line."""
    said = [line.removeprefix("npm error ").strip() for line in output.splitlines()]
    return "; ".join([line for line in said if line][:3]) or "it does not say why"


def main() -> int:
    """Install it, and return 1 after saying why if that is impossible."""
    try:
        AzuritePackage().make_ready()
    except Missing as missing:
        print(f"dev.py: {missing}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
