"""An emulator of Azure Cosmos DB that is not ours, for checkpoints."""

from __future__ import annotations

from pathlib import Path

from devhost.process import free_port
from local.npm_package import NpmPackage
from testbed.host import ROOT
from testbed.npm_server import NpmServer

KEY = "C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DEt2n/XbIJWXeG=="
"""The emulator takes any key of this form."""

_MANIFESTS = Path(__file__).with_name("emulator")


def cosmos_package() -> NpmPackage:
    """The npm package `@vercel/cosmosdb-server`."""
    return NpmPackage("an emulator of Cosmos DB", _MANIFESTS, ROOT / ".cosmos")


class CosmosEmulator(NpmServer):
    """One emulator, with nothing in it; it runs within a `with`.

    Args:
        log: The file of what it says.

    Attributes:
        endpoint: Where clients find it; they do not check the certificate of a loopback address.

    Raises:
        Missing: There is no Node.js, or npm could not install the package.
    """

    def __init__(self, log: Path) -> None:
        port, other = free_port(), free_port()
        self.endpoint = f"https://127.0.0.1:{port}"
        super().__init__(
            "the emulator",
            cosmos_package(),
            _MANIFESTS / "serve.cjs",
            [str(port), str(other)],
            port=other,
            health="/",
            log=log,
        )

    @property
    def settings(self) -> dict[str, str]:
        """What the framework's storage is configured by."""
        return {
            "AZURE_COSMOS_ENDPOINT": self.endpoint,
            "AZURE_COSMOS_DATABASE_NAME": "countersign",
            "AZURE_COSMOS_CONTAINER_NAME": "checkpoints",
            "AZURE_COSMOS_KEY": KEY,
        }
