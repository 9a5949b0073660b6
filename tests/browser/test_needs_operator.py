"""Work that waits for an operator, as people see it on the page, and a text that wasn't changed."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

HOLD = {
    "cause": "model_access_refused",
    "reason": "The model's provider doesn't accept the key (HTTP status 401).",
    "step": "research:0:0",
    "needs_operator": True,
    "since": "2026-11-30T09:00:00+00:00",
    "tries": 3,
    "tried_at": "2026-11-30T09:15:00+00:00",
    "next_try": "2026-11-30T09:35:00+00:00",
    "asked_by": None,
}


def held(*, retry: bool = False, **more: Any) -> Any:
    """Shows an operation as it is while it waits for an operator."""

    def change(operation: dict[str, Any]) -> None:
        hold = {**HOLD, **more}
        operation["may"]["retry"] = retry or operation["may"]["retry"]
        operation.update(state="needs_operator", stage="researching", proposal=None, hold=hold)

    return change


@pytest.mark.parametrize(
    ("who", "roles", "may"),
    [
        ("Rita", None, True),
        ("Olga", "Operator", True),
        ("Victor", None, False),
    ],
)
def test_the_cause_is_shown_and_who_may_has_it_tried_again(
    visit: Any, offered: str, who: str, roles: str | None, may: bool
) -> None:
    person = visit(who, roles)
    person.receive(f"**/operations/{offered}", held(retry=may))
    page = person.open(operation=offered)
    status = page.locator(".status")
    expect(status).to_contain_text("The work waits for someone who runs this app.")
    expect(status).to_contain_text("doesn't accept the key")
    expect(status).to_contain_text("3 tries")
    expect(status).to_contain_text("It is retried automatically")
    again = page.get_by_role("button", name="Retry now")
    expect(again).to_have_count(int(may))
    if may:
        with page.expect_response(f"**/operations/{offered}/retry") as sent:
            again.click()
        assert sent.value.status == 200


def test_where_each_try_costs_it_says_that_somebody_has_to_ask(visit: Any, offered: str) -> None:
    rita = visit("Rita")
    rita.receive(f"**/operations/{offered}", held(next_try=None))
    status = rita.open(operation=offered).locator(".status")
    expect(status).to_contain_text("only on request")


def test_who_asked_for_a_try_is_shown_in_place_of_the_button(visit: Any, offered: str) -> None:
    rita = visit("Rita")
    rita.receive(f"**/operations/{offered}", held(retry=True, asked_by="Olga"))
    page = rita.open(operation=offered)
    expect(page.locator(".status")).to_contain_text("Olga requested a retry")
    expect(page.get_by_role("button", name="Retry now")).to_have_count(0)


def test_what_waits_can_be_taken_back(visit: Any, offered: str) -> None:
    rita = visit("Rita")
    rita.receive(f"**/operations/{offered}", held())
    expect(rita.open(operation=offered).get_by_text("Withdraw this request")).to_be_visible()


def test_what_waits_for_operators_is_a_list_of_its_own(visit: Any, offered: str) -> None:
    olga = visit("Olga", "Operator")
    page = olga.open(list="needs_operator")
    expect(page.get_by_role("navigation", name="Lists")).to_contain_text("Needs an operator")


def test_each_step_under_way_is_shown_with_what_has_come_of_its_answer(
    visit: Any, offered: str
) -> None:
    def working(operation: dict[str, Any]) -> None:
        step = {"step": "research:0:1", "subtopic": "Otters", "tokens": 340}
        operation.update(
            state="running",
            stage="researching",
            progress={"done": 1, "total": 3},
            proposal=None,
            hold={**HOLD, "needs_operator": False, "reason": "The model can't be reached."},
            under_way=[{**step, "seen_at": operation["updated_at"]}],
        )

    rita = visit("Rita")
    rita.receive(f"**/operations/{offered}", working)
    page = rita.open(operation=offered)
    steps = page.get_by_role("list", name="Under way")
    expect(steps).to_contain_text("Researching Otters, 340 tokens of the answer so far")
    expect(steps).to_contain_text("last sign of life")
    expect(page.locator(".progress")).to_contain_text("The model can't be reached. 3 tries failed")


def test_a_text_that_could_not_be_changed_says_so_where_it_is_decided(
    visit: Any, offered: str
) -> None:
    def unchanged(proposal: dict[str, Any]) -> None:
        proposal.update(origin="unchanged", failure="The model declined to answer.")

    victor = visit("Victor")
    victor.receive(f"**/operations/{offered}/proposals/1", unchanged)
    version = victor.review(offered)
    head = version.page.locator(".proposal-head")
    expect(head).to_contain_text("The requested changes could not be made.")
    expect(head).to_contain_text("The model declined to answer.")
    expect(version.choice("Approve")).to_be_visible()
