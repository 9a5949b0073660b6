"""Requests as the Functions host hands them on: less than was sent, or otherwise."""

from __future__ import annotations

import json
from typing import Any

import pytest


@pytest.mark.parametrize(
    "path", ["operations?state=&limit=&cursor=", "proposals?status=&operation=&limit=&cursor"]
)
def test_an_empty_value_in_a_query_is_none(desk: Any, path: str) -> None:
    plain = path.partition("?")[0]

    def between_two_that_agree() -> Any:
        # What other tests asked for may still be under way, and the list changes with it.
        before, answer, after = (
            desk.host.call("GET", each, desk.reviewer) for each in (plain, path, plain)
        )
        return (before, answer) if before.json() == after.json() else None

    expected, answer = desk.host.until(between_two_that_agree, f"{plain} stands still")
    assert (answer.status_code, answer.json()) == (200, expected.json())


def test_changes_since_nothing_are_those_since_the_version_before(desk: Any) -> None:
    operation = desk.ask()
    desk.until_version(operation)
    path = f"operations/{operation}/proposals/1"
    plain, empty = (desk.host.call("GET", f"{path}{end}", desk.reviewer) for end in ("", "?since="))
    assert empty.status_code == 200
    assert empty.json()["changes"] == plain.json()["changes"]


def test_a_query_is_heeded_however_its_names_are_spelt(desk: Any) -> None:
    answer = desk.host.call("GET", "operations?LIMIT=0", desk.reviewer)
    assert answer.json()["fields"] == {"limit": "it must be a number from 1 to 100"}
    twice = desk.host.call("GET", "operations?limit=1&Limit=2", desk.reviewer)
    assert (twice.status_code, twice.json()["code"]) == (422, "malformed")


@pytest.mark.parametrize("path", ["research", "documents"])
def test_a_body_whose_length_is_not_told_is_refused(desk: Any, path: str) -> None:
    body = iter([json.dumps({"topic": desk.TOPIC}).encode()])
    headers = {"X-File-Name": "a.txt"}
    answer = desk.host.call("POST", path, desk.requester, content=body, headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (411, "length_required")
    assert "Content-Length" in answer.json()["detail"]


def test_dots_in_a_path_are_resolved_before_anybody_is_asked(desk: Any) -> None:
    answer = desk.host.call("GET", "operations/%2e%2e/me", desk.requester)
    assert answer.json()["name"] == "Rita"
    assert desk.host.call("GET", "operations/%2e%2e/nobody", desk.requester).status_code == 404


def test_a_request_under_somebody_elses_principal_proves_nobody(desk: Any) -> None:
    principal = {"X-MS-CLIENT-PRINCIPAL": "e30=", "X-MS-CLIENT-PRINCIPAL-NAME": "Victor"}
    answer = desk.host.call("GET", "me", headers=principal)
    assert (answer.status_code, answer.json()["code"]) == (401, "unauthenticated")
