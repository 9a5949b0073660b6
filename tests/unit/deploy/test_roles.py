"""Who may do what: the identity in Azure, and people in the app."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import UUID

from countersign import roles
from countersign.approvals.person import OPERATOR
from countersign.kinds.registry import deciding_roles, reading_roles, requesting_roles
from countersign.stores import blobs, tables

if TYPE_CHECKING:
    from conftest import Template

INFRA = Path(__file__).parents[3] / "infra"

# https://learn.microsoft.com/azure/role-based-access-control/built-in-roles, the pages of storage,
# monitor, ai-machine-learning, security and integration.
BUILT_IN = {
    "Cognitive Services OpenAI User": "5e0bd9bd-7b93-4f28-af87-19fc36ad61bd",
    "Durable Task Data Contributor": "0ad04412-c4d5-4796-b79c-f76d14c8d402",
    "Key Vault Crypto User": "12338af0-0e69-4776-bea7-57ae8d297424",
    "Monitoring Metrics Publisher": "3913510d-42f4-4e42-8a64-420c390055eb",
    "Storage Blob Data Contributor": "ba92f5b4-2d11-453d-a403-e96b0029c9fe",
    "Storage Blob Data Owner": "b7e6dc6d-f1e8-4753-8033-0f276bb0955b",
    "Storage Queue Data Contributor": "974c5e8b-45b9-4653-ba55-5f855dd0fb88",
    "Storage Table Data Contributor": "0a9a7e1f-b9d0-4cc4-a60d-0319b160aaa3",
}

# Accepted at https://learn.microsoft.com/graph/permissions-reference: Microsoft Graph itself, its
# openid, profile and offline_access; and the Azure CLI.
KNOWN_TO_ENTRA = {
    "00000003-0000-0000-c000-000000000000",
    "37f7f235-527c-4136-accd-4a02d197296e",
    "14dad69e-099b-42c9-810b-d002981feec1",
    "7427e0e9-2fba-42fe-b0c0-848c9e6a8182",
    "04b07795-8ddb-461a-bbee-02f9e1bf7b46",
}

_GUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_SERVICES = "Storage|Durable Task|Monitoring|Cognitive Services|Key Vault"
_ROLE = re.compile(rf"'((?:{_SERVICES}) [A-Z][\w ]+)'")


def read(name: str) -> Any:
    return json.loads((INFRA / name).read_text("utf-8"))


def test_roles_are_the_built_in_ones_that_their_names_say() -> None:
    assert read("azure-roles.json") == BUILT_IN


def test_every_role_that_a_template_names_is_in_the_table_and_no_other(
    texts: Mapping[str, str],
) -> None:
    assert {name for text in texts.values() for name in _ROLE.findall(text)} == {*BUILT_IN}


def test_the_app_gets_the_roles_in_its_records_that_its_stores_ask_for(
    templates: Mapping[str, Template],
) -> None:
    grants = templates["main.bicep"].modules["recordsAccount"].passed["grants"]
    assert {*_ROLE.findall(grants)} == {blobs.ROLE, tables.ROLE}


def test_no_template_holds_an_id_that_is_not_explained_here(texts: Mapping[str, str]) -> None:
    assert {guid for text in texts.values() for guid in _GUID.findall(text)} == KNOWN_TO_ENTRA


def offered() -> dict[str, str]:
    return {each["value"]: each["id"] for each in read("app-roles.json")}


def test_people_can_be_given_every_role_of_the_app_and_no_other() -> None:
    named = {value for name, value in vars(roles).items() if name.isupper()}
    assert {*offered()} == {*named, OPERATOR} == {*reading_roles()}


def test_the_ids_of_app_roles_are_those_of_the_first_deployment() -> None:
    # An assignment holds the id: with another one everybody would lose the role.
    ids = {
        "Research.Requester": "9b89f321",
        "Report.Reviewer": "a92ab6c3",
        "Report.Escalation": "1d0863dc",
        "Purchase.Requester": "908f2cd2",
        "Purchase.Approver": "96df0f90",
        "Auditor": "ecaba8d4",
        "Operator": "5d9a2f0e",
    }
    assert {role: UUID(id).hex[:8] for role, id in offered().items() if role in ids} == ids


def test_no_two_roles_have_one_id() -> None:
    assert len({*offered().values()}) == len(read("app-roles.json"))


def test_only_people_can_be_given_a_role_that_decides(templates: Mapping[str, Template]) -> None:
    members = {each["value"]: each["allowedMemberTypes"] for each in read("app-roles.json")}
    asking = {*requesting_roles(), roles.AUDITOR, OPERATOR}
    assert members == {
        role: ["User", "Application"] if role in asking else ["User"] for role in members
    }
    assert asking.isdisjoint(deciding_roles())
    given = templates["modules/registration.bicep"].values("allowedMemberTypes")
    assert given == ["role.allowedMemberTypes"]
