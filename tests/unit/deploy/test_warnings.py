"""What the compiler and its linter warn of, as far as it can be told without them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from conftest import Template

# https://learn.microsoft.com/azure/azure-resource-manager/bicep/linter-rule-secure-secrets-in-parameters,
# with the expressions of its source: src/Bicep.Core/Analyzers/Linter/Rules in Azure/bicep.
_SECRET = re.compile(r"password|pwd|secret|accountkey|acctkey", re.IGNORECASE)
_NO_SECRET = re.compile(r"secretpermissions|secretversion|secretur[il]|secretname", re.IGNORECASE)


def warnings(templates: Mapping[str, Template]) -> list[str]:
    return [
        f"{path}: {warning}"
        for path, template in templates.items()
        for warning in [
            *open_secrets(template),
            *values_too_small(path, template, templates),
        ]
    ]


def open_secrets(template: Template) -> Iterator[str]:
    """The rule `secure-secrets-in-params`: parameters that sound like secrets and are shown."""
    for name, kind in template.types.items():
        shown = (
            kind.rstrip("?") in ("string", "object") and "secure" not in template.decorators[name]
        )
        if shown and _SECRET.search(name) and not _NO_SECRET.search(name):
            yield f"{name} sounds like a secret"


def values_too_small(
    path: str, template: Template, templates: Mapping[str, Template]
) -> Iterator[str]:
    """BCP329 and BCP334: what a template may be given, and a module that gets it does not take."""
    for name, module in template.modules.items():
        target = templates[module.target(path)]
        for parameter, value in module.passed.items():
            for bound in ("minValue", "minLength"):
                given = template.decorators.get(value, {}).get(bound)
                taken = target.decorators.get(parameter, {}).get(bound)
                if given and taken and int(given) < int(taken):
                    yield f"{value} may be too small for {parameter} of {name}"


def test_the_templates_give_no_reason_for_a_warning(templates: Mapping[str, Template]) -> None:
    assert warnings(templates) == []


@pytest.mark.parametrize(
    ("path", "before", "after", "warning"),
    [
        (
            "main.bicep",
            "param proofKeySecretUri string",
            "param proofKeySecret string",
            "proofKeySecret sounds like a secret",
        ),
        (
            "modules/function-app.bicep",
            "param extraSettings object",
            "param extraPasswords object?",
            "extraPasswords sounds like a secret",
        ),
        (
            "main.bicep",
            "days: max(reportRetentionDays, 1)",
            "days: reportRetentionDays",
            "reportRetentionDays may be too small for days of reportRetention",
        ),
    ],
)
def test_reasons_for_a_warning_are_seen(
    changed: Callable[[str, str, str], Mapping[str, Template]],
    path: str,
    before: str,
    after: str,
    warning: str,
) -> None:
    assert f"{path}: {warning}" in warnings(changed(path, before, after))


def test_a_parameter_that_is_kept_secret_may_be_called_one(
    templates: Mapping[str, Template],
) -> None:
    template = type(templates["main.bicep"])("@secure()\nparam password string\n")
    assert [*open_secrets(template)] == []
