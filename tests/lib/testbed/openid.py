"""A certified OpenID provider that is not ours, for what the page does with one."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from typing_extensions import Self

from devhost.process import ServerProcess, free_port
from local.node import find_node
from local.npm_package import NpmPackage
from testbed.host import ROOT

AUDIENCE = "urn:countersign:tests"
_MANIFESTS = Path(__file__).with_name("provider")


def provider_package() -> NpmPackage:
    """The npm package `oidc-provider`."""
    return NpmPackage("oidc-provider", _MANIFESTS, ROOT / ".provider")


class Provider(ServerProcess):
    """One provider, for pages of this machine; it runs within a `with`.

    Args:
        log: The file of what it says.
        people: The roles of each person by their name.
        seconds: How long access tokens are good.
        audience: Whom they are for.

    Raises:
        Missing: There is no Node.js, or npm could not install the package.
    """

    def __init__(
        self,
        log: Path,
        people: Mapping[str, Sequence[str]],
        *,
        seconds: int = 3600,
        audience: str = AUDIENCE,
    ) -> None:
        package = provider_package()
        package.make_ready()
        port = free_port()
        told = {
            "port": port,
            "audience": audience,
            "seconds": seconds,
            "people": people,
        }
        script = str(_MANIFESTS / "serve.mjs")
        self._log = log.open("w", encoding="utf-8")
        super().__init__(
            name="the provider",
            command=[find_node(), script, str(package.folder), json.dumps(told)],
            port=port,
            environment=os.environ,
            output=self._log,
            health="/.well-known/openid-configuration",
        )

    @property
    def settings(self) -> dict[str, str]:
        """The app's settings with which its page signs people in here."""
        return {
            "COUNTERSIGN_SIGN_IN": "page",
            "COUNTERSIGN_SIGN_IN_AUTHORITY": self.url,
            "COUNTERSIGN_SIGN_IN_CLIENT_ID": "page",
            "COUNTERSIGN_SIGN_IN_SCOPE": "decide",
            "COUNTERSIGN_TOKEN_ISSUER": self.url,
            "COUNTERSIGN_TOKEN_AUDIENCE": AUDIENCE,
            "COUNTERSIGN_TOKEN_SCOPE": "decide",
            "COUNTERSIGN_TOKEN_JWKS": f"{self.url}/jwks",
        }

    def __enter__(self) -> Self:
        try:
            self.start()
        except BaseException:
            self._log.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()
        self._log.close()
