"""Lists are searched, sorted and counted by the API, and misspelt parameters are refused."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

import pytest


def listed(desk: Any, token: str, path: str = "operations", **query: str) -> dict[str, Any]:
    answer = desk.host.call("GET", f"{path}?{urlencode(query)}", token)
    assert answer.status_code == 200, answer.text
    return answer.json()


def ids(page: dict[str, Any]) -> list[str]:
    rows = page.get("operations") or page.get("proposals") or []
    return [row["operation_id"] for row in rows]


@pytest.fixture
def operation(desk: Any) -> str:
    operation = desk.ask()
    desk.until_version(operation)
    return operation


def test_an_operation_is_found_by_its_id_and_counted(desk: Any, operation: str) -> None:
    page = listed(desk, desk.reviewer, text=operation)
    assert (ids(page), page["count"]) == ([operation], 1)
    waiting = listed(desk, desk.reviewer, "proposals", text=operation)
    assert (ids(waiting), waiting["count"]) == ([operation], 1)
    own = listed(desk, desk.reviewer, "proposals", text=operation, requester="me")
    assert (ids(own), own["count"]) == ([], 0)


def test_a_person_s_decisions_are_found_by_person_and_moment(desk: Any, operation: str) -> None:
    query = {"text": operation, "decider": "me", "sort": "decided"}
    assert ids(listed(desk, desk.reviewer, **query)) == []
    desk.decide(operation, desk.until_version(operation))
    desk.until_state(operation, "published")
    desk.host.until(lambda: listed(desk, desk.reviewer, **query)["count"] == 1, "it is indexed")
    [row] = listed(desk, desk.reviewer, **query)["operations"]
    [decided] = row["decided_by"]
    assert (decided["name"], decided["decision"], decided["version"]) == ("Victor", "approve", 1)
    at = decided["at"]
    assert ids(listed(desk, desk.reviewer, **query, decided_from=at, decided_to=at)) == [operation]
    before = {"decided_to": "2020-01-01T00:00:00Z"}
    assert ids(listed(desk, desk.reviewer, **query, **before)) == []
    assert ids(listed(desk, desk.requester, text=operation, requester="me")) == [operation]


@pytest.mark.parametrize(
    "query",
    [
        "state=nonsense",
        "sort=best",
        "kind=payment",
        "amount_from=much",
        "amount_to=-1",
        "asked_from=yesterday",
        "decided_to=2026-11-30",
        "approvals_from=0",
        "stat=published",
    ],
)
def test_what_can_t_be_read_is_named_and_not_ignored(desk: Any, query: str) -> None:
    answer = desk.host.call("GET", f"operations?{query}", desk.reviewer)
    assert (answer.status_code, answer.json()["code"]) == (422, "malformed")
    assert list(answer.json()["fields"]) == [query.partition("=")[0]]


def test_what_is_waiting_has_no_state_to_choose(desk: Any) -> None:
    answer = desk.host.call("GET", "proposals?state=published", desk.reviewer)
    assert list(answer.json()["fields"]) == ["state"]
