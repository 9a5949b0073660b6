"""What host.json's `extensions.http` asks for besides the prefix: limits, and headers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from devhost.config.host_json import HostJson

_MOST_BYTES = 104_857_600
_UNLIMITED = -1
_BODY_LIMIT = "FUNCTIONS_REQUEST_BODY_SIZE_LIMIT"


@dataclass(frozen=True, kw_only=True, slots=True)
class HttpSection:
    """How HTTP functions are served.

    Attributes:
        outstanding: How many requests may wait or be answered at a time; None for any number.
        concurrent: How many may be answered at a time.
        headers: What every answer gets that hasn't a header of that name.
        most_bytes: The longest body that a function is given.
    """

    outstanding: int | None = None
    concurrent: int | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    most_bytes: int = _MOST_BYTES


def read_http_section(host: HostJson, environment: Mapping[str, str]) -> HttpSection:
    """Read the section; the limit of bodies is a setting.

    Raises:
        UsageError: A limit is no number.
    """
    http = "extensions:http"
    limit = environment.get(_BODY_LIMIT, "")
    return HttpSection(
        outstanding=_limit(host, f"{http}:maxOutstandingRequests"),
        concurrent=_limit(host, f"{http}:maxConcurrentRequests"),
        headers={name: str(value) for name, value in host.section(f"{http}:customHeaders").items()},
        # What is no number is passed over there, too.
        most_bytes=int(limit) if limit.isdecimal() else _MOST_BYTES,
    )


def _limit(host: HostJson, path: str) -> int | None:
    number = host.number(path, least=_UNLIMITED)
    return None if number == _UNLIMITED else number
