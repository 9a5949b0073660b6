from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from devhost.config.settings import read_settings
from devhost.errors import UsageError


def app(folder: Path, host: Any = None, local: Any = None) -> Path:
    (folder / "function_app.py").touch()
    (folder / "host.json").write_text(json.dumps({"version": "2.0", **(host or {})}))
    if local is not None:
        (folder / "local.settings.json").write_text(json.dumps(local))
    return folder


def test_an_app_needs_no_settings_of_its_own(tmp_path: Path) -> None:
    settings = read_settings(app(tmp_path), {})
    assert (settings.prefix, settings.durable.hub, settings.durable.version) == (
        "api",
        "TestHubName",
        None,
    )
    assert settings.environment["FUNCTIONS_WORKER_RUNTIME"] == "python"
    assert settings.environment["AZURE_FUNCTIONS_ENVIRONMENT"] == "Development"
    assert settings.environment["AzureWebJobsScriptRoot"] == str(tmp_path.resolve())
    assert settings.port == 7071


def test_an_app_needs_a_host_json(tmp_path: Path) -> None:
    (app(tmp_path) / "host.json").unlink()
    with pytest.raises(UsageError, match=r"no host\.json"):
        read_settings(tmp_path, {})


@pytest.mark.parametrize("version", [None, "", "3.0", 2.0])
def test_host_json_must_be_of_version_2(tmp_path: Path, version: Any) -> None:
    with pytest.raises(UsageError, match=r'must say "version": "2\.0"'):
        read_settings(app(tmp_path, {"version": version}), {})


@pytest.mark.parametrize("where", ["environment", "local"])
def test_a_setting_goes_before_host_json(tmp_path: Path, where: str) -> None:
    given = {"AzureFunctionsJobHost__Extensions__http__routeprefix": "v2"}
    host = {"extensions": {"http": {"routePrefix": "v1"}}}
    local = {"Values": given if where == "local" else {}}
    settings = read_settings(app(tmp_path, host, local), given if where == "environment" else {})
    assert settings.prefix == "v2"


def test_the_app_may_have_another_name(tmp_path: Path) -> None:
    (app(tmp_path) / "function_app.py").rename(tmp_path / "main.py")
    settings = read_settings(tmp_path, {"PYTHON_SCRIPT_FILE_NAME": "main.py"})
    assert settings.environment["PYTHON_SCRIPT_FILE_NAME"] == "main.py"


@pytest.mark.parametrize(
    ("setting", "disabled"),
    [
        ({"AzureWebJobs.words.Disabled": "true"}, True),
        ({"AzureWebJobs_Words_Disabled": "1"}, True),
        ({"AzureWebJobs.words.Disabled": "false"}, False),
        ({"AzureWebJobs.word.Disabled": "true"}, False),
        ({}, False),
    ],
)
def test_a_setting_disables_a_function(
    tmp_path: Path, setting: dict[str, str], disabled: bool
) -> None:
    assert read_settings(app(tmp_path), setting).disables("words") is disabled


def test_host_json_limits_what_runs_at_a_time(tmp_path: Path) -> None:
    durable = {"maxConcurrentActivityFunctions": 3, "maxConcurrentOrchestratorFunctions": "2"}
    http = {"maxOutstandingRequests": 5, "maxConcurrentRequests": -1}
    settings = read_settings(
        app(tmp_path, {"extensions": {"durableTask": durable, "http": http}}), {}
    )
    assert settings.durable.at_a_time == {"activities": 3, "episodes": 2}
    assert (settings.http.outstanding, settings.http.concurrent) == (5, None)


@pytest.mark.parametrize("count", [0, "many", -1])
def test_a_limit_that_is_none_is_told(tmp_path: Path, count: object) -> None:
    host = {"extensions": {"durableTask": {"maxConcurrentActivityFunctions": count}}}
    with pytest.raises(UsageError, match=r"maxConcurrentActivityFunctions of host\.json"):
        read_settings(app(tmp_path, host), {})


@pytest.mark.parametrize(("limit", "most"), [("21000000", 21_000_000), ("much", 104_857_600)])
def test_a_setting_limits_the_bodies_of_requests(tmp_path: Path, limit: str, most: int) -> None:
    settings = read_settings(app(tmp_path), {"FUNCTIONS_REQUEST_BODY_SIZE_LIMIT": limit})
    assert settings.http.most_bytes == most


def test_local_settings_name_the_port_and_who_else_may_call(tmp_path: Path) -> None:
    own = {"LocalHttpPort": 7075, "CORS": "https://a.example, http://b:1/", "CORSCredentials": True}
    settings = read_settings(app(tmp_path, local={"Host": own}), {})
    assert (settings.port, settings.with_credentials) == (7075, True)
    assert settings.origins == ("https://a.example", "http://b:1")


@pytest.mark.parametrize("local", [{"IsEncrypted": True}, {"Host": {"LocalHttpPort": "x"}}])
def test_local_settings_that_are_of_no_use_are_told(tmp_path: Path, local: Any) -> None:
    with pytest.raises(UsageError, match=r"local\.settings\.json"):
        read_settings(app(tmp_path, local=local), {})


def test_what_has_no_effect_is_known(tmp_path: Path) -> None:
    host = {
        "extensionBundle": {"id": "B", "version": "[4.*, 5.0.0)"},
        "telemetryMode": "OpenTelemetry",
        "logging": {"logLevel": {"default": "Error"}, "fileLoggingMode": "always"},
        "extensions": {
            "durableTask": {"storageProvider": {"type": "azureManaged"}},
            "queues": {"a": 1},
        },
    }
    settings = read_settings(app(tmp_path, host), {"PYTHON_ISOLATE_WORKER_DEPENDENCIES": "1"})
    assert settings.without_effect == (
        "extensions.queues",
        "logging.fileLoggingMode",
        "PYTHON_ISOLATE_WORKER_DEPENDENCIES",
    )
    assert settings.levels == {"default": "Error"}


def test_an_empty_variable_is_none_beside_the_local_settings(tmp_path: Path) -> None:
    folder = app(tmp_path, local={"Values": {"A": "file", "B": ""}})
    settings = read_settings(folder, {"A": "", "B": "", "C": ""})
    assert [settings.environment[name] for name in "ABC"] == ["file", "", ""]


def test_the_local_settings_can_be_left_alone(tmp_path: Path) -> None:
    folder = app(tmp_path, local={"IsEncrypted": True, "Values": {"A": "file"}})
    assert "A" not in read_settings(folder, {}, local=False).environment


def test_the_environment_goes_before_the_local_settings(tmp_path: Path) -> None:
    local = {"Values": {"A": "file", "B": "file", "N": 3}}
    settings = read_settings(app(tmp_path, local=local), {"A": "environment"})
    assert [settings.environment[name] for name in "ABN"] == ["environment", "file", "3"]


def test_host_json_names_prefix_hub_and_version(tmp_path: Path) -> None:
    durable = {"hubName": "%WHERE%Hub", "defaultVersion": "2"}
    host = {"extensions": {"http": {"routePrefix": "/v1/"}, "durableTask": durable}}
    settings = read_settings(app(tmp_path, host), {"WHERE": "Local"})
    assert (settings.prefix, settings.durable.hub, settings.durable.version) == (
        "v1",
        "LocalHub",
        "2",
    )


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
    assert (settings.durable.hub, settings.durable.version, settings.seconds) == ("Said", "1", 7.0)


def test_host_json_says_how_many_functions_run_at_a_time(tmp_path: Path) -> None:
    durable = {"maxConcurrentOrchestratorFunctions": 3}
    given = {f"{DURABLE}maxConcurrentActivityFunctions": "7"}
    host = {"extensions": {"durableTask": durable}}
    read = read_settings(app(tmp_path, host), given).durable
    assert read.at_a_time == {"episodes": 3, "activities": 7}


def test_host_json_says_how_long_a_killed_host_s_messages_are_hidden(tmp_path: Path) -> None:
    provider = {"controlQueueVisibilityTimeout": "00:01:00"}
    host = {"extensions": {"durableTask": {"storageProvider": provider}}}
    hidden = read_settings(app(tmp_path, host), {}).durable.hidden
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
