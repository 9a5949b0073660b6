from __future__ import annotations

from datetime import timedelta

import pytest

from devhost.config.host_json import HostJson
from devhost.errors import UsageError

DOCUMENT = {
    "version": "2.0",
    "extensions": {
        "http": {"routePrefix": "v1", "hsts": {"isEnabled": True}},
        "durableTask": {"hubName": "A", "tracing": {"version": "V2", "distributed": True}},
        "queues": {"batchSize": 8, "newBatch": [1, 2]},
    },
    "logging": {"logLevel": {"default": "Information", "Azure.Core": "Warning"}},
}


@pytest.mark.parametrize(
    "setting",
    [
        "AzureFunctionsJobHost__extensions__http__routePrefix",
        "AZUREFUNCTIONSJOBHOST__EXTENSIONS__HTTP__ROUTEPREFIX",
    ],
)
def test_a_setting_goes_before_its_namesake_in_any_case(setting: str) -> None:
    host = HostJson(DOCUMENT, {setting: "v2", "extensions__http__routePrefix": "v3"})
    assert host.get("extensions:http:routePrefix") == "v2"


def test_a_setting_may_add_what_the_file_has_not() -> None:
    host = HostJson({}, {"AzureFunctionsJobHost__logging__logLevel__default": "Error"})
    assert host.section("logging:logLevel") == {"default": "Error"}


def test_names_are_found_in_any_case() -> None:
    host = HostJson({"Extensions": {"HTTP": {"RoutePrefix": "x"}}}, {})
    assert host.get("extensions:http:routePrefix") == "x"


def test_what_nobody_asks_for_is_known_by_its_largest_section() -> None:
    host = HostJson(DOCUMENT, {"AzureFunctionsJobHost__Concurrency__dynamic": "true"})
    host.get("version")
    host.get("extensions:http:routePrefix")
    host.get("extensions:durableTask:hubName")
    host.section("logging:logLevel")
    assert host.unasked() == [
        "Concurrency",
        "extensions:durableTask:tracing",
        "extensions:http:hsts",
        "extensions:queues",
    ]


def test_a_number_may_be_text() -> None:
    host = HostJson({"a": "5", "b": 6, "c": "x", "d": -1, "e": True}, {})
    assert [host.number(name) for name in "abz"] == [5, 6, None]
    for name in "cde":
        with pytest.raises(UsageError, match=f"{name} of host.json must be a whole number from 0"):
            host.number(name)


def test_a_time_span_has_days_first() -> None:
    document = {"a": "00:05:00", "b": "1.00:00:00", "c": "5m", "d": 300, "e": "24:00:00"}
    host = HostJson(document, {})
    spans = [timedelta(minutes=5), timedelta(days=1), None]
    assert [host.span(name) for name in "abz"] == spans
    for name in "cde":
        with pytest.raises(UsageError, match=f"{name} of host.json"):
            host.span(name)
