"""The same app in the host that Azure runs, as Azure Functions Core Tools start it."""

from __future__ import annotations

import contextlib
import json
import shutil
import uuid
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from azure.core.exceptions import ResourceExistsError
from azure.storage.blob import BlobServiceClient

from devhost.process import ServerProcess, free_port
from local.backend import AZURE_STORAGE
from local.func import FuncProcess, func_environment
from local.issuer import IssuerProcess
from testbed.host import MASTER_KEY, ROOT, Host, environment


class FuncHost(Host):
    """The app under `func start`, with a task hub and a sign-in of its own.

    It is a copy of the app as it is deployed: `func` would read a local.settings.json.

    Args:
        data: The folder of the app's state and of the sign-in's key.
        storage: The connection string of the storage account that keeps the orchestrations.
        more: What `Host` takes besides; the test is skipped if that can't be had here.
    """

    # What a killed host had in hand is hidden for five minutes, unless the settings are heeded.
    patience = 420.0

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
        self._issuer = IssuerProcess(data=self.data, port=free_port(), output=self._output)
        self._issuer.start()
        hub = f"t{uuid.uuid4().hex[:20]}"
        port = free_port()
        given = environment(port, self.data, settings, signin=self._issuer.port)
        # Hosts of one name would share keys, and take turns with their timers.
        given["AzureFunctionsWebHost__hostid"] = hub
        set_master_key(self._storage, hub)
        return FuncProcess(
            port=port,
            environment=func_environment(
                given, storage=self._storage, hub=hub, backend=AZURE_STORAGE
            ),
            output=self._output,
            app=deployed(self.data.with_name(f"{self.data.name}-app")),
        )

    def close(self) -> None:
        super().close()
        self._issuer.kill()


def deployed(folder: Path) -> Path:
    """Copy to a folder what is sent to Azure of the app, and return the folder."""
    lines = (ROOT / ".funcignore").read_text("utf-8").splitlines()
    left_out = [line for line in lines if line and not line.startswith("#")]
    ignore = shutil.ignore_patterns(*left_out)
    return shutil.copytree(ROOT, folder, ignore=ignore, dirs_exist_ok=True)


def set_master_key(storage: str, host_id: str) -> None:
    """Give a host its key beforehand, where it keeps keys if it asks for any.

    `BlobStorageSecretsRepository` in https://github.com/Azure/azure-functions-host says where that
    is, and `HostSecrets` how it is written.
    """
    key = {"name": "master", "value": MASTER_KEY, "encrypted": False}
    secrets = {"masterKey": key, "functionKeys": [], "systemKeys": []}
    with BlobServiceClient.from_connection_string(storage) as service:
        container = service.get_container_client("azure-webjobs-secrets")
        if not container.exists():
            with contextlib.suppress(ResourceExistsError):
                container.create_container()
        container.upload_blob(f"{host_id}/host.json", json.dumps(secrets), overwrite=True)
