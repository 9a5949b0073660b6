"""What keeps orchestrations when the app runs in the Functions host."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass

from local.settings import APP

# A setting of this form goes before its namesake in host.json:
# https://learn.microsoft.com/azure/azure-functions/functions-host-json#override-hostjson-values
PROVIDER = "AzureFunctionsJobHost__extensions__durableTask__storageProvider__"


@dataclass(frozen=True, kw_only=True, slots=True)
class Backend:
    """A storage provider of Durable Functions.

    Attributes:
        name: What to call it.
        settings: What makes the host use it, whatever host.json says.
    """

    name: str
    settings: Mapping[str, str]


SCHEDULER = Backend(
    name="the emulator of the Durable Task Scheduler",
    settings={
        f"{PROVIDER}type": "azureManaged",
        f"{PROVIDER}connectionStringName": "DURABLE_TASK_SCHEDULER_CONNECTION_STRING",
        "DURABLE_TASK_SCHEDULER_CONNECTION_STRING": (
            "Endpoint=http://localhost:8080;Authentication=None"
        ),
    },
)
AZURE_STORAGE = Backend(
    name="Azure Storage",
    settings={
        f"{PROVIDER}type": "AzureStorage",
        f"{PROVIDER}connectionStringName": "AzureWebJobsStorage",
        # An idle queue would be looked at every 30 seconds only, and so would a decision.
        f"{PROVIDER}maxQueuePollingInterval": "00:00:01",
        # What a killed host had in hand stays hidden for five minutes otherwise, and what waits for
        # it stands still; less than a minute is not allowed.
        f"{PROVIDER}controlQueueVisibilityTimeout": "00:01:00",
        f"{PROVIDER}workItemQueueVisibilityTimeout": "00:01:00",
    },
)


def start_backend() -> tuple[Backend, str]:
    """Start the scheduler's emulator if Docker can, and return what to use and a word about it.

    The emulator answers by then; that may take a minute.
    """
    docker = shutil.which("docker")
    if docker is None:
        return AZURE_STORAGE, _instead(
            "Docker is not installed (https://docs.docker.com/get-docker/)"
        )
    print("Starting the scheduler's emulator in Docker.", file=sys.stderr, flush=True)
    command = [docker, "compose", "--file", str(APP / "compose.yaml"), "up", "--wait"]
    if subprocess.call([*command, "scheduler-ready"], stdin=subprocess.DEVNULL, stdout=sys.stderr):
        return AZURE_STORAGE, _instead("`docker compose` could not start it (see above)")
    return SCHEDULER, (
        f"Orchestrations are kept by {SCHEDULER.name} (http://localhost:8082), in memory,"
        " until `docker compose down`."
    )


def _instead(reason: str) -> str:
    return (
        "Orchestrations are kept in Azurite by the Azure Storage provider instead of"
        f" {SCHEDULER.name}: {reason}."
    )
