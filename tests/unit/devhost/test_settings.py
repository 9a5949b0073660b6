from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from devhost.errors import UsageError
from devhost.settings import read_settings


def app(folder: Path, host: Any = None, local: Any = None) -> Path:
    (folder / "function_app.py").touch()
    for name, content in (("host.json", host), ("local.settings.json", local)):
        if content is not None:
            (folder / name).write_text(json.dumps(content))
    return folder


def test_an_app_needs_no_files_of_settings(tmp_path: Path) -> None:
    settings = read_settings(app(tmp_path), {})
    assert (settings.prefix, settings.hub, settings.version) == ("api", "TestHubName", None)
    assert settings.environment["FUNCTIONS_WORKER_RUNTIME"] == "python"
    assert settings.environment["AzureWebJobsScriptRoot"] == str(tmp_path.resolve())


def test_the_environment_goes_before_the_local_settings(tmp_path: Path) -> None:
    local = {"Values": {"A": "file", "B": "file", "N": 3}}
    settings = read_settings(app(tmp_path, local=local), {"A": "environment"})
    assert [settings.environment[name] for name in "ABN"] == ["environment", "file", "3"]


def test_host_json_names_prefix_hub_and_version(tmp_path: Path) -> None:
    durable = {"hubName": "%WHERE%Hub", "defaultVersion": "2"}
    host = {"extensions": {"http": {"routePrefix": "/v1/"}, "durableTask": durable}}
    settings = read_settings(app(tmp_path, host), {"WHERE": "Local"})
    assert (settings.prefix, settings.hub, settings.version) == ("v1", "LocalHub", "2")


def test_a_setting_that_is_missing_is_named(tmp_path: Path) -> None:
    host = {"extensions": {"durableTask": {"hubName": "%NOWHERE%"}}}
    with pytest.raises(UsageError, match="NOWHERE"):
        read_settings(app(tmp_path, host), {})


@pytest.mark.parametrize("text", ["{", "[]"])
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, text: str) -> None:
    (app(tmp_path) / "host.json").write_text(text)
    with pytest.raises(UsageError, match=r"host\.json"):
        read_settings(tmp_path, {})


def test_a_folder_without_an_app_is_told(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"no function_app\.py"):
        read_settings(tmp_path, {})


@pytest.mark.parametrize(
    ("timeout", "seconds"),
    [(None, 1800.0), ("00:05:00", 300.0), ("1.00:00:01", 86401.0), ("-1", None)],
)
def test_functions_may_run_as_long_as_host_json_says(
    tmp_path: Path, timeout: str | None, seconds: float | None
) -> None:
    host = {"functionTimeout": timeout} if timeout else {}
    assert read_settings(app(tmp_path, host), {}).seconds == seconds


@pytest.mark.parametrize("timeout", ["", "5", "00:00:00", 300, "5 minutes"])
def test_a_timeout_that_cannot_be_read_is_told(tmp_path: Path, timeout: object) -> None:
    with pytest.raises(UsageError, match="functionTimeout"):
        read_settings(app(tmp_path, {"functionTimeout": timeout}), {})


DURABLE = "AzureFunctionsJobHost__extensions__durableTask__"


def test_settings_of_the_host_go_before_host_json_in_any_case(tmp_path: Path) -> None:
    host = {"extensions": {"durableTask": {"hubName": "File", "defaultVersion": "1"}}}
    given = {f"{DURABLE}HUBNAME": "Said", "azurefunctionsjobhost__functionTimeout": "00:00:07"}
    settings = read_settings(app(tmp_path, host), given)
    assert (settings.hub, settings.version, settings.seconds) == ("Said", "1", 7.0)


def test_host_json_says_how_many_functions_run_at_a_time(tmp_path: Path) -> None:
    durable = {"maxConcurrentOrchestratorFunctions": 3}
    given = {f"{DURABLE}maxConcurrentActivityFunctions": "7"}
    host = {"extensions": {"durableTask": durable}}
    assert read_settings(app(tmp_path, host), given).at_a_time == {"episodes": 3, "activities": 7}


def test_host_json_says_how_long_a_killed_host_s_messages_are_hidden(tmp_path: Path) -> None:
    provider = {"controlQueueVisibilityTimeout": "00:01:00"}
    host = {"extensions": {"durableTask": {"storageProvider": provider}}}
    hidden = read_settings(app(tmp_path, host), {}).hidden
    assert (hidden.messages, hidden.activities) == (60.0, 300.0)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("maxConcurrentActivityFunctions", "many"),
        ("maxConcurrentOrchestratorFunctions", "0"),
        ("storageProvider__workItemQueueVisibilityTimeout", "a minute"),
    ],
)
def test_a_setting_of_durable_functions_that_cannot_be_read_is_named(
    tmp_path: Path, name: str, value: str
) -> None:
    with pytest.raises(UsageError, match=name.rpartition("__")[2]):
        read_settings(app(tmp_path), {f"{DURABLE}{name}": value})
