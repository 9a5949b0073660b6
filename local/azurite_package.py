"""Install Azurite, Microsoft's storage emulator, into a folder of the repository."""

from __future__ import annotations

from pathlib import Path

from local.npm_package import NpmPackage
from local.settings import APP

MANIFESTS = Path(__file__).with_name("npm") / "azurite"


class AzuritePackage(NpmPackage):
    """The npm package `azurite`.

    Args:
        folder: Where it is, or is going to be.

    Attributes:
        program: The script that Node.js runs.
    """

    def __init__(self, folder: Path = APP / ".azurite") -> None:
        super().__init__("Azurite", MANIFESTS, folder)
        self.program = folder / "node_modules" / "azurite" / "dist" / "src" / "azurite.js"
