"""What sets the task hub of this deployment apart from all others."""

from __future__ import annotations

import re
from collections.abc import Mapping

_ENDPOINT = re.compile(r"(?:^|;)\s*endpoint=https?://([^;/]+)", re.IGNORECASE)
_ACCOUNT = re.compile(r"(?:^|;)\s*accountname=([^;]+)", re.IGNORECASE)


PLACE = "COUNTERSIGN_HUB_PLACE"
"""The setting that says on which machine, and in which of its folders, a local host's hub is."""


def hub_of(environment: Mapping[str, str], *, shared: bool = False) -> str:
    """Return the name of the task hub, with the backend that it is in where settings name one.

    Nothing of it is secret. A backend on this machine is not named, as its address may be another
    one each time, unless others use the same storage: hubs of local hosts are all called "default".

    Args:
        environment: the settings.
        shared: whether other machines can reach the storage.
    """
    name = environment.get("TASKHUB_NAME") or "default"
    backend = _backend(environment) or (environment.get(PLACE) if shared else None)
    return f"{name} in {backend}" if backend else name


def _backend(environment: Mapping[str, str]) -> str | None:
    scheduler = environment.get("DURABLE_TASK_SCHEDULER_CONNECTION_STRING", "")
    if found := _ENDPOINT.search(scheduler):
        host = found[1]
        return None if host.startswith(("localhost", "127.0.0.1")) else host
    if account := environment.get("AzureWebJobsStorage__accountName"):
        return account
    found = _ACCOUNT.search(environment.get("AzureWebJobsStorage", ""))
    return found[1].strip() if found else None
