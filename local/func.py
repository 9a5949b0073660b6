"""Run the app in Azure Functions Core Tools, whose `func start` is the host that Azure runs."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import IO

from devhost.process import ServerProcess
from local.backend import Backend
from local.errors import Missing

# As in infra/modules/function-app.bicep: the host reads no more of a body, whoever sends it.
MOST_BODY_BYTES = "21000000"

# Its first start downloads the extension bundle.
PATIENCE_SECONDS = 300.0


class FuncProcess(ServerProcess):
    """The app under `func start`, which can be stopped, or killed with everything it started.

    Args:
        port: The loopback port to listen on.
        environment: All of the process's environment variables. Core Tools lets them go before
            those of local.settings.json, and needs no such file.
        output: The open file its log goes to; by default the terminal.

    Raises:
        Missing: Core Tools are not installed.
    """

    def __init__(
        self, *, port: int, environment: Mapping[str, str], output: IO[str] | None = None
    ) -> None:
        super().__init__(
            name="`func start`",
            command=[find_func(), "start", "--port", str(port)],
            port=port,
            environment=environment,
            output=output,
            health="/api/health",
        )

    def start(self, patience: float = PATIENCE_SECONDS) -> None:
        """Start it and return once the app is healthy; see `ServerProcess.start`."""
        super().start(patience)


def find_func() -> str:
    """Return the path of Core Tools' program.

    Raises:
        Missing: It is not on the PATH.
    """
    # On Windows it is a command file, which only the whole path can start.
    found = shutil.which("func")
    if found is None:
        raise Missing(
            "Azure Functions Core Tools 4 are needed, and `func` is not on the PATH: install them"
            " with `npm i -g azure-functions-core-tools@4 --unsafe-perm true`, or as"
            " https://learn.microsoft.com/azure/azure-functions/functions-run-local says."
        )
    return found


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
        "PYTHON_ISOLATE_WORKER_DEPENDENCIES": "1",
        "TASKHUB_NAME": hub,
        "VIRTUAL_ENV": sys.prefix,
    }
