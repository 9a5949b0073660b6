"""What host.json and local.settings.json say."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from devhost.errors import UsageError
from devhost.weather import Hidden

# What the platform grants on all plans but the oldest.
_USUAL_SECONDS = 1800.0
_OVERRIDE = "azurefunctionsjobhost"
_AT_A_TIME = {
    "episodes": "maxConcurrentOrchestratorFunctions",
    "activities": "maxConcurrentActivityFunctions",
    "entities": "maxConcurrentEntityFunctions",
}
_HIDDEN = {
    "messages": "controlQueueVisibilityTimeout",
    "activities": "workItemQueueVisibilityTimeout",
}
_TIME_SPAN = re.compile(r"(?:(\d{1,5})\.)?(\d\d):(\d\d):(\d\d)", re.ASCII)


@dataclass(frozen=True, kw_only=True, slots=True)
class Settings:
    """The app's settings.

    Attributes:
        app: The folder with the app.
        environment: The variables that the app sees.
        prefix: The first part of every HTTP function's path, without slashes.
        hub: The name of the task hub.
        version: The version of orchestrations that are started without one, if there is any.
        replaces: Whether a start may take the place of an instance that hasn't ended.
        seconds: How long a function may run; None for ever.
        at_a_time: How many run at a time of the orchestrators, the activities and the entities,
            where host.json says so, by the names of `turns.Limits`.
        hidden: How long what a killed host had in hand stays hidden on Azure Storage.
    """

    app: Path
    environment: Mapping[str, str]
    prefix: str
    hub: str
    version: str | None
    replaces: bool = False
    seconds: float | None = _USUAL_SECONDS
    at_a_time: Mapping[str, int] = field(default_factory=dict)
    hidden: Hidden = field(default_factory=Hidden)

    def expand(self, text: str) -> str:
        """Put the app's settings in the place of each `%NAME%`.

        Raises:
            UsageError: There is no such setting.
        """
        return re.sub("%([^%]+)%", lambda name: self._value(name[1]), text)

    def _value(self, name: str) -> str:
        value = self.environment.get(name)
        if value is None:
            raise UsageError(f"'%{name}%' does not resolve to a value: no setting has that name")
        return value


def read_settings(app: Path, environment: Mapping[str, str] = os.environ) -> Settings:
    """Read the settings of the app in the folder `app`; `environment` goes before its own.

    Raises:
        UsageError: There is no app, or one of its files can't be read.
    """
    folder = app.resolve()
    if not (folder / "function_app.py").is_file():
        raise UsageError(f"{folder} has no function_app.py")
    values = _section(_read(folder / "local.settings.json"), "Values")
    host = overridden(_read(folder / "host.json"), environment)
    extensions = _section(host, "extensions")
    durable = _section(extensions, "durableTask")
    settings = Settings(
        app=folder,
        environment={
            **{name: str(value) for name, value in values.items()},
            **environment,
            "AzureWebJobsScriptRoot": str(folder),
            "FUNCTIONS_WORKER_RUNTIME": "python",
        },
        prefix=str(_section(extensions, "http").get("routePrefix", "api")).strip("/"),
        hub=str(durable.get("hubName", "TestHubName")),
        version=durable.get("defaultVersion"),
        replaces=durable.get("overridableExistingInstanceStates") == "AnyState",
        seconds=_function_timeout(host.get("functionTimeout")),
        at_a_time=_at_a_time(durable),
        hidden=_hidden(_section(durable, "storageProvider")),
    )
    return replace(settings, hub=settings.expand(settings.hub))


def overridden(host: Mapping[str, Any], environment: Mapping[str, str]) -> dict[str, Any]:
    """Return host.json with what `AzureFunctionsJobHost__section__name` settings put in its place.

    Names are in any case:
    https://learn.microsoft.com/azure/azure-functions/functions-host-json#override-hostjson-values
    """
    result = dict(host)
    for setting, value in environment.items():
        prefix, *path = setting.split("__")
        if path and prefix.lower() == _OVERRIDE:
            _put(result, path, value)
    return result


def _put(content: dict[str, Any], path: Sequence[str], value: str) -> None:
    first, *rest = path
    name = next((known for known in content if known.lower() == first.lower()), first)
    if not rest:
        content[name] = value
        return
    content[name] = dict(_section(content, name))
    _put(content[name], rest, value)


def _at_a_time(durable: Mapping[str, Any]) -> dict[str, int]:
    found = {name: durable[said] for name, said in _AT_A_TIME.items() if said in durable}
    try:
        limits = {name: int(value) for name, value in found.items()}
    except (TypeError, ValueError):
        limits = {"": 0}
    if any(limit < 1 for limit in limits.values()):
        raise UsageError(f"{', '.join(_AT_A_TIME.values())} of host.json must be numbers from 1")
    return limits


def _hidden(provider: Mapping[str, Any]) -> Hidden:
    said = {name: provider.get(key) for name, key in _HIDDEN.items()}
    spans = {name: _seconds(span) for name, span in said.items() if span is not None}
    if None in spans.values():
        raise UsageError(f"{', '.join(_HIDDEN.values())} of host.json must be [d.]hh:mm:ss")
    return Hidden(**{name: span for name, span in spans.items() if span is not None})


def _seconds(span: object) -> float | None:
    match = _TIME_SPAN.fullmatch(str(span))
    if match is None:
        return None
    days, hours, minutes, rest = (int(part or 0) for part in match.groups())
    return float(((days * 24 + hours) * 60 + minutes) * 60 + rest)


def _function_timeout(span: object) -> float | None:
    if span is None:
        return _USUAL_SECONDS
    if span == "-1":
        return None
    if not (seconds := _seconds(span)):
        raise UsageError(f"functionTimeout of host.json must be [d.]hh:mm:ss or -1, not {span!r}")
    return seconds


def _read(path: Path) -> dict[str, Any]:
    if not path.is_file():
        return {}
    try:
        content = json.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise UsageError(f"{path} can't be read: {error.strerror}") from error
    except ValueError as error:
        raise UsageError(f"{path} is not JSON: {error}") from error
    if not isinstance(content, dict):
        raise UsageError(f"{path} must hold a JSON object")
    return content


def _section(content: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    section = content.get(name)
    return section if isinstance(section, dict) else {}
