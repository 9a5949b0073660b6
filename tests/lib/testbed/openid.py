"""A certified OpenID provider that is not ours, for what the page does with one."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from devhost.process import free_port
from local.npm_package import NpmPackage
from testbed.host import ROOT
from testbed.npm_server import NpmServer

AUDIENCE = "urn:countersign:tests"
_MANIFESTS = Path(__file__).with_name("provider")


def provider_package() -> NpmPackage:
    """The npm package `oidc-provider`."""
    return NpmPackage("oidc-provider", _MANIFESTS, ROOT / ".provider")


class Provider(NpmServer):
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
        port = free_port()
        told = {
            "port": port,
            "audience": audience,
            "seconds": seconds,
            "people": people,
        }
        super().__init__(
            "the provider",
            provider_package(),
            _MANIFESTS / "serve.mjs",
            [json.dumps(told)],
            port=port,
            health="/.well-known/openid-configuration",
            log=log,
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
