"""Who reads what about operations, and how much of it at a time."""

from __future__ import annotations

import re
from typing import Any

import pytest

from countersign.kinds.registry import reading_roles


def test_operations_are_listed_a_page_at_a_time(desk: Any) -> None:
    asked = {desk.ask() for _ in range(3)}
    seen: list[str] = []
    cursor = ""
    while cursor is not None:
        suffix = f"&cursor={cursor}" if cursor else ""
        page = desk.host.call("GET", f"operations?limit=2{suffix}", desk.requester).json()
        seen += [each["operation_id"] for each in page["operations"]]
        cursor = page["cursor"]
    assert asked <= set(seen)
    assert len(seen) == len(set(seen))


@pytest.mark.parametrize(
    "query",
    [
        "limit=0",
        "limit=101",
        "limit=0000000019999",
        f"limit=1{'0' * 5000}",
        "limit=x",
        "state=odd",
        "cursor=odd",
    ],
)
def test_a_malformed_query_is_refused(desk: Any, query: str) -> None:
    answer = desk.host.call("GET", f"operations?{query}", desk.requester)
    assert (answer.status_code, answer.json()["code"]) == (422, "malformed")


def test_a_proposal_is_shown_to_reviewers_and_its_requester_only(desk: Any) -> None:
    operation = desk.ask()
    desk.until_version(operation)
    path = f"operations/{operation}/proposals/1"
    tokens = (desk.requester, desk.reviewer, desk.escalation, desk.host.token("Ada", "Auditor"))
    assert {desk.host.call("GET", path, token).status_code for token in tokens} == {200}
    stranger = desk.host.token("Ralf", "Research.Requester")
    assert desk.host.call("GET", path, stranger).status_code == 403


def test_no_answer_hands_out_an_address_of_the_durable_extension(desk: Any) -> None:
    operation = desk.ask()
    desk.until_version(operation)
    paths = ("operations", f"operations/{operation}", f"operations/{operation}/history")
    for path in paths:
        text = desk.host.call("GET", path, desk.requester).text
        assert not re.search(r"runtime/webhooks|[?&]code=", text)


def test_the_api_describes_itself(desk: Any) -> None:
    described = desk.host.call("GET", "openapi.json").json()
    assert described["openapi"].startswith("3.1")
    decision = "/operations/{id}/proposals/{version}/decision"
    assert set(described["paths"][decision]["post"]["responses"]) >= {"200", "409", "410"}


def test_who_has_no_role_reads_nothing_but_their_own(desk: Any) -> None:
    operation = desk.ask()
    proposal = desk.until_version(operation)
    assert desk.decide(operation, proposal).status_code == 200
    desk.until_state(operation, "published")
    one = f"operations/{operation}"
    paths = [one, f"{one}/history", f"{one}/report"]
    own, nobody = desk.host.token("Rita"), desk.host.token("Nora")
    for path in [*paths, "operations"]:
        refused = desk.host.call("GET", path, nobody)
        assert (refused.status_code, refused.json()["code"]) == (403, "not_authorised")
        assert all(role in refused.json()["needs"] for role in reading_roles())
    for path in paths:
        assert desk.host.call("GET", path, own).status_code == 200
    unknown = f"operations/research-{'0' * 24}"
    for path in (unknown, f"{unknown}/history", f"{unknown}/report"):
        assert desk.host.call("GET", path, nobody).status_code == 404


@pytest.mark.parametrize(
    "role", ["Research.Requester", "Report.Reviewer", "Report.Escalation", "Auditor"]
)
def test_with_any_role_one_reads_what_all_of_the_tenant_asked_for(desk: Any, role: str) -> None:
    operation = desk.ask()
    reader = desk.host.token("Nora", role)
    for path in ("operations", f"operations/{operation}", f"operations/{operation}/history"):
        assert desk.host.call("GET", path, reader).status_code == 200
