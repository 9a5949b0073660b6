"""What host.json and local.settings.json say."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from devhost.errors import UsageError

# What the platform grants on all plans but the oldest.
_USUAL_SECONDS = 1800.0
_TIME_SPAN = re.compile(r"(?:(\d{1,5})\.)?(\d\d):(\d\d):(\d\d)", re.ASCII)


@dataclass(frozen=True, kw_only=True, slots=True)
class Settings:
    """The app's settings.

    Attributes:
        app: The folder with the app.
        environment: The variables that the app sees.
        prefix: The first part of every HTTP function's path, without slashes.
        hub: The name of the task hub.
        version: The version of orchestrations that are started without one.
        seconds: How long a function may run; None for ever.
    """

    app: Path
    environment: Mapping[str, str]
    prefix: str
    hub: str
    version: str
    seconds: float | None = _USUAL_SECONDS

    def expand(self, text: str) -> str:
        """Put the app's settings in the place of each `%NAME%`.

        Raises:
            UsageError: There is no such setting.
        """
        return re.sub("%([^%]+)%", lambda name: self._value(name[1]), text)

    def _value(self, name: str) -> str:
        value = self.environment.get(name)
        if value is None:
            raise UsageError(f"the setting {name} is used as %{name}% but isn't defined")
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
    host = _read(folder / "host.json")
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
        version=str(durable.get("defaultVersion", "")),
        seconds=_function_timeout(host.get("functionTimeout")),
    )
    return replace(settings, hub=settings.expand(settings.hub))


def _function_timeout(span: object) -> float | None:
    if span is None:
        return _USUAL_SECONDS
    if span == "-1":
        return None
    match = _TIME_SPAN.fullmatch(str(span))
    seconds = 0
    if match:
        days, hours, minutes, rest = (int(part or 0) for part in match.groups())
        seconds = ((days * 24 + hours) * 60 + minutes) * 60 + rest
    if seconds == 0:
        raise UsageError(f"functionTimeout of host.json must be [d.]hh:mm:ss or -1, not {span!r}")
    return float(seconds)


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
