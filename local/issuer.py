"""Run the local sign-in beside a host that has none."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import IO

from devhost.process import ServerProcess
from local.settings import SUGGESTED

USUAL_PORT = 7072


class IssuerProcess(ServerProcess):
    """The sign-in in a process of its own, started and stopped like a host.

    Args:
        data: The folder that keeps the signing key; `devhost token` finds it there.
        port: The loopback port to listen on.
        output: The open file its log goes to; by default the terminal.
    """

    def __init__(self, *, data: Path, port: int, output: IO[str] | None = None) -> None:
        command = [sys.executable, "-m", "devhost", "signin", "--port", str(port)]
        command += ["--data", str(data.resolve())]
        super().__init__(
            name="the sign-in",
            command=command,
            port=port,
            environment={**SUGGESTED, **os.environ},
            output=output,
            health="/.auth/dev/jwks",
        )
