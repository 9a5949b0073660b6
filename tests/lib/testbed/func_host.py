"""The same app in the host that Azure runs, as Azure Functions Core Tools start it."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from devhost.process import ServerProcess, free_port
from local.backend import AZURE_STORAGE
from local.func import FuncProcess, func_environment
from local.issuer import IssuerProcess
from testbed.host import ROOT, Host, environment


class FuncHost(Host):
    """The app under `func start`, with a task hub and a sign-in of its own.

    Args:
        data: The folder of the app's state and of the sign-in's key.
        storage: The connection string of the storage account that keeps the orchestrations.
        more: What `Host` takes besides; the test is skipped if that can't be had here.
    """

    patience = 240.0

    def __init__(self, data: Path, *, storage: str, **more: Any) -> None:
        if more.get("app", ROOT) != ROOT:
            pytest.skip("only devhost: it runs an app of the test's own")
        if more.get("clock", "system") != "system":
            pytest.skip("only devhost: it has a virtual clock")
        if more.get("options"):
            pytest.skip("only devhost: it has these options")
        self._storage = storage
        super().__init__(data, **more)

    def _new_process(
        self, app: Path, options: Sequence[str], settings: dict[str, str]
    ) -> ServerProcess:
        self._signin = IssuerProcess(data=self.data, port=free_port(), output=self._output)
        self._signin.start()
        hub = f"t{uuid.uuid4().hex[:20]}"
        given = environment(self._signin.port, self.data, settings)
        # Hosts of one name would share keys, and take turns with their timers.
        given["AzureFunctionsWebHost__hostid"] = hub
        return FuncProcess(
            port=free_port(),
            environment=func_environment(
                given, storage=self._storage, hub=hub, backend=AZURE_STORAGE
            ),
            output=self._output,
        )

    def close(self) -> None:
        super().close()
        self._signin.kill()
