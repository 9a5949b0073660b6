"""The templates hold together: what one says of another is true."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from conftest import Module, Template

INFRA = Path(__file__).parents[3] / "infra"

FUNCTIONS = {
    *("empty", "guid", "loadJsonContent", "map", "max", "split", "union", "uniqueString"),
    *("environment", "resourceGroup", "subscription", "subscriptionResourceId", "tenant"),
}
"""What the templates call. One more is looked up before it is added:
https://learn.microsoft.com/azure/azure-resource-manager/bicep/bicep-functions"""


def faults(templates: Mapping[str, Template]) -> list[str]:
    """Whatever the compiler would not take, as far as it can be seen without one."""
    return [
        f"{path}: {fault}"
        for path, template in templates.items()
        for fault in [
            *template.flaws,
            *faults_of_names(template),
            *faults_of_modules(path, template, templates),
        ]
    ]


def faults_of_names(template: Template) -> Iterator[str]:
    for name in sorted({*template.mentioned} - template.declared - FUNCTIONS):
        yield f"{name} is declared nowhere"
    for name in [*template.parameters, *template.variables]:
        if template.mentioned.count(name) < 2:
            yield f"{name} is never used"
    for name in sorted({*template.extensions} - {*configuration()["extensions"]}):
        yield f"the extension {name} is not configured"


def faults_of_modules(
    path: str, template: Template, templates: Mapping[str, Template]
) -> Iterator[str]:
    targets = {name: module.target(path) for name, module in template.modules.items()}
    for name, module in template.modules.items():
        if target := templates.get(targets[name]):
            yield from faults_of_parameters(name, module, target)
        else:
            yield f"{name} is {module.path}, which does not exist"
    for name, output in sorted(template.module_outputs):
        target = templates.get(targets.get(name, ""))
        if target and output not in target.outputs:
            yield f"{name} has no output {output}"


def faults_of_parameters(name: str, module: Module, target: Template) -> Iterator[str]:
    required = {parameter for parameter, is_required in target.parameters.items() if is_required}
    for parameter in sorted({*module.passed} - {*target.parameters}):
        yield f"{name} has no parameter {parameter}"
    for parameter in sorted(required - {*module.passed}):
        yield f"{name} needs the parameter {parameter}"


def configuration() -> Any:
    return json.loads((INFRA / "bicepconfig.json").read_text("utf-8"))


def test_the_templates_hold_together(templates: Mapping[str, Template]) -> None:
    assert faults(templates) == []


@pytest.mark.parametrize(
    ("path", "before", "after", "fault"),
    [
        # Syntax.
        ("main.bicep", "targetScope = ", "targetScope ", "is no Bicep"),
        # A template that was renamed.
        ("main.bicep", "modules/identity.bicep", "modules/identities.bicep", "does not exist"),
        # A parameter that was renamed in the module.
        ("modules/identity.bicep", "param name string", "param title string", "no parameter name"),
        # One that was added to the module.
        (
            "modules/identity.bicep",
            "param name string",
            "param name string\nparam more string",
            "identity needs the parameter more",
        ),
        # An output that was renamed.
        ("modules/identity.bicep", "output clientId", "output client", "no output clientId"),
        # A slip of the pen.
        (
            "modules/monitoring.bicep",
            "workspace.id",
            "workplace.id",
            "workplace is declared nowhere",
        ),
        # What was left behind.
        (
            "main.bicep",
            "extraSettings: extraSettings",
            "extraSettings: {}",
            "extraSettings is never",
        ),
        # An extension without a configuration.
        ("modules/registration.bicep", "microsoftGraphV1", "microsoftGraph", "not configured"),
    ],
)
def test_templates_that_do_not_hold_together_are_seen(
    changed: Callable[[str, str, str], Mapping[str, Template]],
    path: str,
    before: str,
    after: str,
    fault: str,
) -> None:
    assert any(fault in each for each in faults(changed(path, before, after)))


def test_every_parameter_of_the_parameter_file_exists_and_no_other_is_needed(
    templates: Mapping[str, Template],
) -> None:
    document = json.loads((INFRA / "main.parameters.json").read_text("utf-8"))
    declared = templates["main.bicep"].parameters
    assert {*document["parameters"]} <= {*declared}
    assert {name for name, is_required in declared.items() if is_required} <= {
        *document["parameters"]
    }


def test_every_template_is_used(templates: Mapping[str, Template]) -> None:
    used = {
        module.target(path)
        for path, template in templates.items()
        for module in template.modules.values()
    }
    assert {*templates} - used == {"main.bicep"}
