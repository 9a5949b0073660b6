from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from local.backend import AZURE_STORAGE, PROVIDER, SCHEDULER, Backend, start_backend
from local.settings import APP


def provider_of(host_json: dict[str, Any], backend: Backend) -> dict[str, str]:
    """The storage provider after the settings went before host.json, as the host lets them."""
    path = PROVIDER.split("__")[1:-1]
    for part in path:
        host_json = host_json[part]
    overrides = {
        name.removeprefix(PROVIDER): value
        for name, value in backend.settings.items()
        if name.startswith(PROVIDER)
    }
    return {**host_json, **overrides}


@pytest.fixture
def host_json() -> dict[str, Any]:
    return json.loads((APP / "host.json").read_text("utf-8"))


def test_the_scheduler_is_what_host_json_says_anyway(host_json: dict[str, Any]) -> None:
    provider = host_json["extensions"]["durableTask"]["storageProvider"]
    assert provider_of(host_json, SCHEDULER) == provider
    sample = json.loads((APP / "local.settings.sample.json").read_text("utf-8"))["Values"]
    connection = provider["connectionStringName"]
    assert SCHEDULER.settings[connection] == sample[connection]


def test_azure_storage_takes_the_place_of_the_scheduler(host_json: dict[str, Any]) -> None:
    assert provider_of(host_json, AZURE_STORAGE) == {
        "type": "AzureStorage",
        "connectionStringName": "AzureWebJobsStorage",
        "maxQueuePollingInterval": "00:00:01",
        "controlQueueVisibilityTimeout": "00:01:00",
        "workItemQueueVisibilityTimeout": "00:01:00",
    }


def test_docker_starts_the_scheduler_s_emulator(
    stand_in: Callable[[str, str], Path], tmp_path: Path
) -> None:
    record = tmp_path / "record"
    stand_in("docker", f"import sys\nopen({str(record)!r}, 'w').write(' '.join(sys.argv[1:]))")
    backend, told = start_backend()
    assert backend is SCHEDULER
    assert "in memory" in told
    compose = APP / "compose.yaml"
    assert record.read_text() == f"compose --file {compose} up --wait scheduler-ready"


def test_docker_waits_until_each_part_answers() -> None:
    services = yaml.safe_load((APP / "compose.yaml").read_text("utf-8"))["services"]
    asked = {
        services[name].get("network_mode", f"service:{name}")
        for name in services
        if "healthcheck" in services[name]
    }
    assert asked == {"service:scheduler", "service:storage"}


def test_without_docker_azure_storage_is_used_and_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    backend, told = start_backend()
    assert backend is AZURE_STORAGE
    assert "Docker is not installed (https://docs.docker.com/get-docker/)" in told


def test_a_docker_that_cannot_is_said(
    stand_in: Callable[[str, str], Path], capfd: pytest.CaptureFixture[str]
) -> None:
    stand_in("docker", "import sys\nsys.exit('unknown command: docker compose')")
    backend, told = start_backend()
    assert backend is AZURE_STORAGE
    assert "see above" in told
    assert "unknown command" in capfd.readouterr().err
