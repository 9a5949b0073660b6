"""Each function of the app has a signature that the Functions worker takes.

It looks at them when it indexes, and one that it refuses takes all others away: the app then has
no functions, and every route is 404. The rules are those of `azure_functions_worker/functions.py`
in Azure/azure-functions-python-worker, on each Python at its strictest.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterator
from types import GenericAlias
from typing import Any, get_type_hints

import azure.functions as func
import pytest
from typing_extensions import TypedDict

import function_app

TRIGGERS: dict[str, type | None] = {
    "httpTrigger": func.HttpRequest,
    "timerTrigger": func.TimerRequest,
    "orchestrationTrigger": func.OrchestrationContext,
    "entityTrigger": func.EntityContext,
    "durableClient": str,
    "activityTrigger": None,  # takes any class
}
"""What a binding's converter takes (`check_input_type_annotation` of `azure.functions`)."""

APP: Any = function_app.app
FUNCTIONS = APP.get_functions()


class Function:
    """A function with its bindings, its parameters, and what they are annotated with."""

    def __init__(self, indexed: Any) -> None:
        self.name: str = indexed.get_function_name()
        self.run = indexed.get_user_function()
        bindings = map(json.loads, indexed.get_raw_bindings())
        self.bindings = {each["name"]: each["type"] for each in bindings}
        self.hints = get_type_hints(self.run)

    @property
    def parameters(self) -> set[str]:
        return set(inspect.signature(self.run).parameters)

    def inputs(self) -> Iterator[tuple[str, Any]]:
        """The types of the bindings that are annotated, each with its annotation."""
        for name in self.parameters & self.hints.keys():
            yield self.bindings[name], self.hints[name]


@pytest.fixture(params=FUNCTIONS, ids=lambda each: each.get_function_name())
def function(request: pytest.FixtureRequest) -> Function:
    return Function(request.param)


def is_class(annotation: object) -> bool:
    """Whether it passes everywhere: `isinstance(dict[str, Any], type)` is true on 3.10 alone."""
    return isinstance(annotation, type) and not isinstance(annotation, GenericAlias)


def test_the_parameters_are_the_bindings(function: Function) -> None:
    assert function.parameters == function.bindings.keys() - {"$return"}


def test_each_annotation_is_a_class_that_the_binding_takes(function: Function) -> None:
    for binding, annotation in function.inputs():
        wanted = TRIGGERS[binding]
        assert is_class(annotation), annotation
        assert wanted is None or issubclass(annotation, wanted)


def test_what_http_returns_is_a_response(function: Function) -> None:
    if "$return" in function.bindings:
        assert function.hints["return"] is func.HttpResponse


def test_each_activity_says_what_it_is_given(function: Function) -> None:
    if "activityTrigger" in function.bindings.values():
        [(_, given)] = function.inputs()
        assert {"tenant", "operation_id"} <= get_type_hints(given).keys()


def test_only_orchestrators_take_a_thread_of_the_worker(function: Function) -> None:
    # Those only compute; what waits would keep one of a few threads from all others.
    takes_one = not inspect.iscoroutinefunction(function.run)
    assert takes_one == ("orchestrationTrigger" in function.bindings.values())


def test_every_kind_of_function_was_looked_at() -> None:
    seen = {kind for each in FUNCTIONS for kind in Function(each).bindings.values()}
    assert seen == TRIGGERS.keys() | {"http"}


def test_a_mapping_with_parameters_is_no_class_on_any_python() -> None:
    class Given(TypedDict):
        tenant: str

    assert is_class(Given)
    assert not is_class(dict[str, Any])
