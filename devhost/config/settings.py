"""What host.json and local.settings.json say."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

from devhost.config.durable_section import DurableSection, read_durable_section
from devhost.config.host_json import HostJson
from devhost.config.http_section import HttpSection, read_http_section
from devhost.config.json_files import read_object
from devhost.errors import UsageError

# What the platform grants on all plans but the oldest.
_USUAL_SECONDS = 1800.0
_USUAL_PORT = 7071
# What the platform reads and nothing here does, although whoever sets it could expect it.
_WITHOUT_EFFECT = (
    "AzureWebJobsDisableHomepage",
    "FUNCTIONS_WORKER_PROCESS_COUNT",
    "PYTHON_ENABLE_DEBUG_LOGGING",
    "PYTHON_ISOLATE_WORKER_DEPENDENCIES",
)
# The extensions that a bundle would bring are built in.
_OF_NO_MATTER = ("$schema", "extensionBundle:id", "extensionBundle:version", "isDefaultHostConfig")
# Where state and telemetry go in Azure; that it isn't there is what this host is for.
_OF_AZURE = (
    "extensions:durableTask:storageProvider",
    "extensions:durableTask:tracing",
    "logging:applicationInsights",
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Settings:
    """The app's settings.

    Attributes:
        app: The folder with the app.
        environment: The variables that the app sees.
        prefix: The first part of every HTTP function's path, without slashes.
        seconds: How long a function may run; None for ever.
        durable: What host.json says about orchestrations and entities.
        http: What else it says about HTTP functions.
        levels: From which level on what is logged shows, by category.
        port: The port to listen on, if the command line names none.
        origins: The origins whose pages may call the host; `*` for any.
        with_credentials: Whether they may send cookies.
        without_effect: What is set and not heeded here.
    """

    app: Path
    environment: Mapping[str, str]
    prefix: str
    seconds: float | None = _USUAL_SECONDS
    durable: DurableSection = field(default_factory=DurableSection)
    http: HttpSection = field(default_factory=HttpSection)
    levels: Mapping[str, str] = field(default_factory=dict)
    port: int = _USUAL_PORT
    origins: tuple[str, ...] = ()
    with_credentials: bool = False
    without_effect: tuple[str, ...] = ()

    def expand(self, text: str) -> str:
        """Put the app's settings in the place of each `%NAME%`.

        Raises:
            UsageError: There is no such setting.
        """
        return re.sub("%([^%]+)%", lambda name: self._value(name[1]), text)

    def disables(self, function: str) -> bool:
        """Tell whether a function must not run, by its name."""
        names = {f"AzureWebJobs{dot}{function}{dot}Disabled".lower() for dot in "._"}
        return any(
            name.lower() in names and value.strip().lower() in ("1", "true")
            for name, value in self.environment.items()
        )

    def _value(self, name: str) -> str:
        value = self.environment.get(name)
        if value is None:
            raise UsageError(f"'%{name}%' does not resolve to a value: no setting has that name")
        return value


def read_settings(
    app: Path, environment: Mapping[str, str] = os.environ, *, local: bool = True
) -> Settings:
    """Read the settings of the app in a folder.

    Args:
        app: The folder.
        environment: What goes before the app's own settings, but for empty variables: Core Tools
            take those for unset (`UpdateEnvironmentVariables` of `StartHostAction`, in
            https://github.com/Azure/azure-functions-core-tools).
        local: Whether local.settings.json is read.

    Raises:
        UsageError: There is no app, or one of its files can't be read or says what can't be.
    """
    folder = app.resolve()
    file = _local_settings(folder / "local.settings.json") if local else {}
    own = {name: str(value) for name, value in _section(file, "Values").items()}
    variables = {
        **own,
        **{name: value for name, value in environment.items() if value or not own.get(name)},
        "AZURE_FUNCTIONS_ENVIRONMENT": "Development",
        "AzureWebJobsScriptRoot": str(folder),
        "FUNCTIONS_WORKER_RUNTIME": "python",
    }
    script = variables.get("PYTHON_SCRIPT_FILE_NAME") or "function_app.py"
    if not (folder / script).is_file():
        raise UsageError(f"{folder} has no {script}")
    host = _host_json(folder / "host.json", variables)
    return replace(_settings(folder, variables, host), **_ours(_section(file, "Host")))


def _settings(folder: Path, environment: Mapping[str, str], host: HostJson) -> Settings:
    prefix = host.get("extensions:http:routePrefix")
    settings = Settings(
        app=folder,
        environment=environment,
        prefix="api" if prefix is None else str(prefix).strip("/"),
        seconds=_function_timeout(host),
        http=read_http_section(host, environment),
        levels={name: str(level) for name, level in host.section("logging:logLevel").items()},
    )
    durable = read_durable_section(host)
    durable = replace(durable, hub=settings.expand(durable.hub))
    unheeded = [path.replace(":", ".") for path in host.unasked()]
    unheeded += [name for name in _WITHOUT_EFFECT if environment.get(name)]
    return replace(settings, durable=durable, without_effect=tuple(unheeded))


def _local_settings(path: Path) -> dict[str, Any]:
    content = read_object(path)
    if content.get("IsEncrypted") is True:
        raise UsageError(f"{path} is encrypted; `func settings decrypt` makes it readable")
    return content


def _host_json(path: Path, settings: Mapping[str, str]) -> HostJson:
    if not path.is_file():
        raise UsageError(f"{path.parent} has no host.json")
    content = read_object(path)
    if content.get("version") != "2.0":
        raise UsageError(f'{path} must say "version": "2.0", not {content.get("version")!r}')
    host = HostJson(content, settings)
    for name in ("version", "telemetryMode", *_OF_NO_MATTER):
        host.get(name)
    for name in _OF_AZURE:
        host.section(name)
    return host


def _ours(host: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the section `Host` of local.settings.json says."""
    port = host.get("LocalHttpPort", _USUAL_PORT)
    if not isinstance(port, int):
        raise UsageError(f"Host.LocalHttpPort of local.settings.json is no port: {port!r}")
    origins = (origin.strip().rstrip("/") for origin in str(host.get("CORS", "")).split(","))
    return {
        "port": port,
        "origins": tuple(filter(None, origins)),
        "with_credentials": host.get("CORSCredentials") is True,
    }


def _function_timeout(host: HostJson) -> float | None:
    if host.get("functionTimeout") == "-1":
        return None
    span = host.span("functionTimeout")
    if span == timedelta():
        raise UsageError("functionTimeout of host.json must be longer than nothing, or -1 for ever")
    return _USUAL_SECONDS if span is None else span.total_seconds()


def _section(content: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    section = content.get(name)
    return section if isinstance(section, dict) else {}
