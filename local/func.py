"""Run the app in Azure Functions Core Tools, whose `func start` is the host that Azure runs."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import IO

from devhost.process import ServerProcess
from local.backend import Backend
from local.errors import Missing
from local.func_console import FuncConsole
from local.settings import APP

# As in infra/modules/function-app.bicep: the host reads no more of a body, whoever sends it.
MOST_BODY_BYTES = "21000000"

# Its first start downloads the extension bundle.
PATIENCE_SECONDS = 300.0

OLDEST = (4, 14)
"""The first version that listens on this machine's loopback address alone:
https://github.com/Azure/azure-functions-core-tools/pull/5484"""


class FuncProcess(ServerProcess):
    """The app under `func start`, which can be stopped, or killed with everything it started.

    Args:
        port: The loopback port to listen on.
        environment: All of the process's environment variables. Those that are not empty go before
            what the app's local.settings.json says.
        output: The open file its log goes to; by default the terminal, with one line for each call.
        app: The folder of the app.

    Raises:
        Missing: Core Tools are not installed, or too old.
    """

    def __init__(
        self,
        *,
        port: int,
        environment: Mapping[str, str],
        output: IO[str] | None = None,
        app: Path = APP,
    ) -> None:
        super().__init__(
            name="`func start`",
            command=[find_func(), "start", "--port", str(port)],
            port=port,
            environment=environment,
            output=output,
            health="/api/health",
            folder=app,
        )
        self._to_terminal = output is None
        self._console: FuncConsole | None = None

    def start(self, patience: float = PATIENCE_SECONDS) -> None:
        """Start it and return once the app is healthy.

        Args:
            patience: Seconds that this may take.

        Raises:
            HostFailed: It ended, or took longer; nothing of it is left running.
        """
        if not self._to_terminal:
            super().start(patience)
            return
        self._console = FuncConsole()
        self._output = self._console.stream
        super().start(patience)
        # From here on only `func` and what it starts hold it open.
        self._output.close()

    def kill(self) -> None:
        """End it and its children at once, and show what they have said."""
        super().kill()
        if self._console is not None:
            self._console.close()


def find_func() -> str:
    """Return the path of Core Tools' program.

    Raises:
        Missing: It is not on the PATH, or its version is too old.
    """
    # On Windows it is a command file, which only the whole path can start.
    found = shutil.which("func")
    if found is None:
        raise _missing("`func` is not on the PATH")
    version = _version_of(found)
    numbers = re.search(r"^(\d+)\.(\d+)\.\d", version, re.MULTILINE)
    if numbers is None or (int(numbers[1]), int(numbers[2])) < OLDEST:
        raise _missing(
            f"{found} is {version or 'of an unknown version'} (older ones accept everyone who can"
            " reach this machine over the network)"
        )
    return found


@cache
def _version_of(func: str) -> str:
    try:
        answer = subprocess.run(
            [func, "--version"], capture_output=True, text=True, timeout=60, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise _missing(f"{func} cannot be run: {error}") from error
    return answer.stdout.strip()


def _missing(found: str) -> Missing:
    least = ".".join(map(str, OLDEST))
    return Missing(
        f"Azure Functions Core Tools {least} or later is required, but {found}: install it with"
        " `npm i -g azure-functions-core-tools@4 --unsafe-perm true`, or as"
        " described at https://learn.microsoft.com/azure/azure-functions/functions-run-local."
    )


def func_environment(
    given: Mapping[str, str], *, storage: str, hub: str, backend: Backend
) -> dict[str, str]:
    """Return what `func` needs in its environment to run the app from this virtual environment.

    Args:
        given: What is set already: the app's own settings above all.
        storage: The connection string of the storage account of the host itself.
        hub: The task hub: a letter, then letters and digits, 45 at most.
        backend: What keeps the orchestrations.
    """
    # Both would lead the worker's Python away from the virtual environment.
    rest = {name: given[name] for name in given if name not in ("PYTHONHOME", "PYTHONPATH")}
    programs = Path(sys.executable).parent
    return {
        **rest,
        **backend.settings,
        "AzureWebJobsDisableHomepage": "true",
        "AzureWebJobsStorage": storage,
        "FUNCTIONS_CORE_TOOLS_TELEMETRY_OPTOUT": "1",
        "FUNCTIONS_REQUEST_BODY_SIZE_LIMIT": MOST_BODY_BYTES,
        "FUNCTIONS_WORKER_RUNTIME": "python",
        "PATH": f"{programs}{os.pathsep}{rest.get('PATH', os.defpath)}",
        # Core Tools would let every library log all that it does, to be thrown away by the host.
        "PYTHON_ENABLE_DEBUG_LOGGING": "0",
        "PYTHON_ISOLATE_WORKER_DEPENDENCIES": "1",
        "TASKHUB_NAME": hub,
        "VIRTUAL_ENV": sys.prefix,
    }
