"""The graph on a developer's machine: the local sign-in's people, and a folder of its own."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path

from countersign.graph.cli import main
from devhost.signing_key import SigningKey
from local.settings import DATA, complete


def settings(environment: Mapping[str, str], data: Path) -> dict[str, str]:
    """An environment completed for a graph that trusts the local sign-in without its server.

    The graph's data lie apart from the app's: two engines would both take up what is unfinished.

    Args:
        environment: What is set already, and stays.
        data: The folder of the app's data, with the sign-in's key in it.
    """
    keys = data / "devhost" / "keys.json"
    public = SigningKey(data / "devhost" / "signin.pem").public
    keys.write_text(json.dumps({"keys": [public]}), "utf-8")
    keys.chmod(0o644)
    given = {"COUNTERSIGN_TOKEN_JWKS": keys.resolve().as_uri(), **environment}
    return complete(given, port=0, data=data / "graph-engine")


if __name__ == "__main__":
    os.environ.update(settings(os.environ, DATA))
    sys.exit(main(sys.argv[1:]))
