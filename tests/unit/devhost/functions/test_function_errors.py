"""What is wrong with a function as the Functions host sees it, while the others run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from devhost.config.settings import Settings
from devhost.functions.catalogue import Catalogue, Function
from devhost.functions.function_errors import function_errors

RESERVED = "The specified route conflicts with one or more built in routes."


def http(name: str, route: str | None = None, *methods: str) -> Function:
    return function(name, type="httpTrigger", name="req", route=route, methods=list(methods))


def function(name: str, /, *more: dict[str, Any], **trigger: Any) -> Function:
    return Function(name=name, trigger=trigger, bindings=[trigger, *more])


def errors(*functions: Function, **environment: str) -> dict[str, str]:
    settings = Settings(app=Path(), environment=environment, prefix="api")
    return function_errors(functions, settings)


@pytest.mark.parametrize("name", ["f", "F_1-b", "hosts", "a" * 128])
def test_a_function_may_have_a_name_of_letters_digits_hyphens_and_underscores(name: str) -> None:
    assert errors(http(name)) == {}


@pytest.mark.parametrize("name", ["1f", "_f", "a b", "fü", "f.g", "host", "Host", "a" * 129])
def test_another_name_of_a_function_is_an_error(name: str) -> None:
    assert errors(http(name)) == {name: f"'{name}' is not a valid function name."}


@pytest.mark.parametrize("name", ["value", "my_value", "_", "V1", "$return"])
def test_a_binding_may_have_a_name_of_letters_digits_and_single_underscores(name: str) -> None:
    assert errors(function("f", type="activityTrigger", name=name)) == {}


@pytest.mark.parametrize("name", ["my__value", "1st", "größe", "a" * 129])
def test_another_name_of_a_binding_is_an_error(name: str) -> None:
    told = f"The binding name {name} is invalid. Please assign a valid name to the binding."
    assert errors(function("f", type="activityTrigger", name=name)) == {"f": told}


def test_two_bindings_of_a_function_whose_names_differ_by_case_are_an_error() -> None:
    client = {"type": "durableClient", "name": "REQ"}
    told = "Multiple bindings with name 'REQ' discovered. Binding names must be unique."
    assert errors(function("f", client, type="httpTrigger", name="req")) == {"f": told}


@pytest.mark.parametrize("route", ["{id:nonsense}", "/f", "{a", "{a}/{A}"])
def test_a_route_that_cannot_be_read_is_an_error(route: str) -> None:
    assert errors(http("f", route), http("g", "{id:int}")).keys() == {"f"}
    assert errors(http("f", route))["f"].startswith("the ")


@pytest.mark.parametrize("route", ["admin", "/Admin/all", "runtime/x", "administration", "{x}"])
def test_a_route_may_not_begin_as_the_hosts_own_do(route: str) -> None:
    expected = {} if route == "{x}" else {"f": RESERVED}
    assert errors(http("f", route)) == expected


@pytest.mark.parametrize("route", [None, "", "  "])
def test_without_a_route_the_name_is_the_route(route: str | None) -> None:
    assert errors(http("admins", route)) == {"admins": RESERVED}


def test_of_two_functions_with_a_route_and_a_method_the_later_by_name_is_in_error() -> None:
    told = "The route specified conflicts with the route defined by function 'B'."
    assert errors(http("c", "/Users/", "GET"), http("B", "users", "GET", "PUT")) == {"c": told}


@pytest.mark.parametrize(("methods", "met"), [(["GET"], True), ([], True), (["PUT"], False)])
def test_functions_with_one_route_are_told_apart_by_their_methods(
    methods: list[str], met: bool
) -> None:
    assert set(errors(http("a", "users", "GET"), http("b", "users", *methods))) == (
        {"b"} if met else set()
    )


def test_a_function_in_error_has_no_route_that_another_could_conflict_with() -> None:
    assert set(errors(http("1", "users"), http("b", "users"))) == {"1"}


@pytest.mark.parametrize("kind", ["timerTrigger", "activityTrigger"])
def test_a_retry_policy_that_cannot_be_followed_is_an_error_of_any_function(kind: str) -> None:
    policy = {"strategy": "exponential_backoff", "max_retry_count": "1"}
    trigger = {"type": kind, "name": "given", "schedule": "0 0 * * * *"}
    told = errors(Function(name="f", trigger=trigger, bindings=[trigger], retry=policy))
    assert told == {"f": "minimum_interval of a retry policy must be [d.]hh:mm:ss, not None."}


def timer(schedule: str) -> Function:
    return function("tick", type="timerTrigger", name="timer", schedule=schedule)


@pytest.mark.parametrize("schedule", ["0 */5 * * * *", "01:00:00", "%EVERY%"])
def test_a_schedule_is_ncrontab_or_a_time_span_or_a_setting_with_one(schedule: str) -> None:
    assert errors(timer(schedule), EVERY="0 0 * * * *") == {}


@pytest.mark.parametrize("schedule", ["often", "0 0 0 30 2 *", "%EVERY%"])
def test_a_schedule_that_cannot_be_read_or_never_comes_is_an_error(schedule: str) -> None:
    told = errors(timer(schedule), EVERY="on Fridays")["tick"]
    meant = schedule.replace("%EVERY%", "on Fridays")
    assert told.startswith(f"The schedule expression '{meant}' was not recognized as a valid cron")


def test_a_schedule_in_a_setting_that_is_missing_is_an_error() -> None:
    assert errors(timer("%NOWHERE%"))["tick"].startswith("'%NOWHERE%' does not resolve to a value")


@pytest.mark.parametrize("schedule", [5.5, None])
def test_a_schedule_that_is_no_text_is_an_error_of_its_function_alone(schedule: object) -> None:
    timer = function("f", type="timerTrigger", name="timer", schedule=schedule)
    assert errors(timer, http("g")).keys() == {"f"}


def test_a_name_that_is_no_text_is_called_by_its_text() -> None:
    activity = function("f", type="activityTrigger", name="value", activity=5)
    assert errors(activity) == {}
    assert Catalogue([activity]).activity("5") is activity
