"""Run the sample of a purchasing system beside the app: nothing is bought there."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import IO

from devhost.process import ServerProcess

USUAL_PORT = 7080


class PurchasingProcess(ServerProcess):
    """The sample in a process of its own, started and stopped like a host.

    Args:
        data: The folder of its books.
        port: The loopback port to listen on.
        output: The open file its log goes to; by default the terminal.
        options: More of its command line.
    """

    def __init__(
        self,
        *,
        data: Path,
        port: int,
        output: IO[str] | None = None,
        options: Sequence[str] = (),
    ) -> None:
        command = [sys.executable, "-m", "samples.purchasing", "--port", str(port)]
        command += ["--data", str(data.resolve()), *options]
        super().__init__(
            name="the purchasing service",
            command=command,
            port=port,
            environment=os.environ,
            output=output,
            health="/health",
        )
