"""The story of a research request, driven through its versions by a cast of plain functions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

import orchestrators.research
from orchestrators.work import OUTAGE_PAUSE, OUTAGE_TRIES, PATIENCE

SIGNAL = 9
ORDER = {"tenant": "home", "operation_id": "o-1"}
NewPlay = Callable[..., Any]


class Cast(dict[str, Callable[[dict[str, Any]], Any]]):
    """Two subtopics, facts that hold at once, and gates that answer in turn."""

    def __init__(self, *outcomes: str, checks: tuple[dict[str, Any], ...] = ()) -> None:
        turns: Iterator[str] = iter(outcomes)
        judged: Iterator[dict[str, Any]] = iter(checks or ({"approved": True, "again": []},))
        super().__init__(
            plan_research=lambda order: {"subtopics": 2},
            research_subtopic=lambda order: {},
            check_facts=lambda order: next(judged),
            write_draft=lambda order: {},
            open_proposal=lambda order: {"version": order["version"]},
            approval_gate=lambda order: {"next": next(turns)},
            publish_report=lambda order: {"published": True},
            close_operation=lambda order: {"outcome": order.get("ends_as", "as the ledger says")},
        )


def out_of_order(order: dict[str, Any]) -> Any:
    raise RuntimeError("Activity function failed")


@pytest.fixture(autouse=True)
def short_day(monkeypatch: pytest.MonkeyPatch) -> None:
    """A replay takes the longer, the more there is to replay."""
    monkeypatch.setattr(orchestrators.research, "OUTAGE_TRIES", 3)


def test_an_outage_may_last_a_day() -> None:
    assert OUTAGE_PAUSE.total_seconds() * OUTAGE_TRIES == 86_400


@pytest.fixture
def perform(play: NewPlay) -> Callable[[Cast], Any]:
    def begin(cast: Cast) -> Any:
        played = play("research", ORDER, cast)
        played.output = played.run()
        return played

    return begin


def versions(played: Any, name: str) -> list[int]:
    return [order["version"] for called, order in played.calls if called == name]


def test_an_approved_first_version_is_published_and_closed(perform: Any) -> None:
    played = perform(Cast("publish"))
    assert played.names() == [
        "plan_research",
        "research_subtopic",
        "research_subtopic",
        "check_facts",
        "write_draft",
        "open_proposal",
        "approval_gate",
        "publish_report",
        "close_operation",
    ]
    assert played.output == {"outcome": "as the ledger says"}


def test_each_version_waits_in_a_gate_of_its_own(perform: Any) -> None:
    played = perform(Cast("revise", "escalate", "publish"))
    assert played.instances == ["o-1-v1", "o-1-v2", "o-1-v3"]


def test_a_revision_is_drafted_and_opened_as_the_next_version(perform: Any) -> None:
    played = perform(Cast("revise", "publish"))
    assert versions(played, "write_draft") == [1, 2]
    assert versions(played, "open_proposal") == [1, 2]
    assert versions(played, "publish_report") == [2]


def test_an_escalation_opens_the_next_version_without_a_new_draft(perform: Any) -> None:
    played = perform(Cast("escalate", "publish"))
    assert versions(played, "write_draft") == [1]
    assert versions(played, "open_proposal") == [1, 2]


@pytest.mark.parametrize("gates", [("close",), ("escalate", "close"), ("revise", "close")])
def test_what_ends_without_approval_is_closed_and_never_published(
    perform: Any, gates: tuple[str, ...]
) -> None:
    played = perform(Cast(*gates))
    assert "publish_report" not in played.names()
    assert played.calls[-1] == ("close_operation", ORDER)


@pytest.mark.parametrize(
    "step", ["plan_research", "research_subtopic", "check_facts", "write_draft", "open_proposal"]
)
def test_a_withdrawal_ends_the_story_at_the_next_step(perform: Any, step: str) -> None:
    cast = Cast("publish")
    withdrawn = {"ends_as": "withdrawn", "reason": "Rita recorded withdraw before."}
    cast[step] = lambda order: withdrawn
    played = perform(cast)
    assert played.calls[-1] == ("close_operation", {**ORDER, **withdrawn})
    assert "approval_gate" not in played.names()


def test_only_the_subtopics_in_doubt_are_researched_again(perform: Any) -> None:
    checks = ({"approved": False, "again": [1]}, {"approved": True, "again": []})
    played = perform(Cast("publish", checks=checks))
    asked = [
        (order["round"], order["subtopic"])
        for name, order in played.calls
        if name == "research_subtopic"
    ]
    assert asked == [(0, 0), (0, 1), (1, 1)]


def test_the_third_check_is_the_last(perform: Any) -> None:
    doubtful = {"approved": False, "again": [0]}
    ending = {"ends_as": "needs_revision", "reason": "The sources say nothing."}
    played = perform(Cast(checks=(doubtful, doubtful, ending)))
    checks = [order for name, order in played.calls if name == "check_facts"]
    assert [order["last"] for order in checks] == [False, False, True]
    assert played.calls[-1] == ("close_operation", {**ORDER, **ending})


@pytest.mark.parametrize("step", ["plan_research", "check_facts", "write_draft"])
def test_work_that_fails_for_a_day_ends_the_operation_as_failed(perform: Any, step: str) -> None:
    cast = Cast("publish")
    cast[step] = out_of_order
    played = perform(cast)
    name, order = played.calls[-1]
    assert (name, order["ends_as"]) == ("close_operation", "failed")
    assert step in order["reason"]


def test_one_subtopic_that_fails_for_a_day_ends_the_operation_as_failed(perform: Any) -> None:
    cast = Cast("publish")
    cast["research_subtopic"] = lambda order: out_of_order(order) if order["subtopic"] else {}
    played = perform(cast)
    name, order = played.calls[-1]
    assert (name, order["ends_as"]) == ("close_operation", "failed")


@pytest.mark.parametrize("step", ["plan_research", "research_subtopic"])
def test_work_goes_on_after_an_outage_that_outlasts_all_patience(perform: Any, step: str) -> None:
    cast = Cast("publish")
    works, fails = cast[step], iter([True] * (PATIENCE.max_number_of_attempts + 2))

    def away(order: dict[str, Any]) -> Any:
        return (
            out_of_order(order)
            if order.get("subtopic") != 0 and next(fails, False)
            else works(order)
        )

    cast[step] = away
    played = perform(cast)
    assert played.output == {"outcome": "as the ledger says"}
    assert played.calls[-1] == ("close_operation", ORDER)


@pytest.mark.parametrize("step", ["open_proposal", "publish_report", "approval_gate"])
def test_what_must_not_be_given_up_fails_the_instance_for_the_reconciler(
    perform: Any, step: str
) -> None:
    cast = Cast("publish")
    cast[step] = out_of_order
    with pytest.raises(Exception, match="Activity function failed"):
        perform(cast)


def test_a_failing_step_is_tried_again_with_patience(perform: Any) -> None:
    cast, failures = Cast("publish"), iter([True, True, False])

    def flaky(order: dict[str, Any]) -> dict[str, Any]:
        return out_of_order(order) if next(failures) else {"published": True}

    cast["publish_report"] = flaky
    assert perform(cast).output == {"outcome": "as the ledger says"}


def test_a_gate_that_was_poisoned_is_started_again_under_its_name(perform: Any) -> None:
    cast, failures = Cast(), iter([True, False])
    cast["approval_gate"] = lambda order: (
        out_of_order(order) if next(failures) else {"next": "publish"}
    )
    played = perform(cast)
    assert played.instances == ["o-1-v1"]
    assert versions(played, "publish_report") == [1]


@pytest.mark.parametrize("news", [True, False])
def test_the_end_is_passed_on_where_it_is_news(perform: Any, news: bool) -> None:
    cast = Cast("publish")
    cast["close_operation"] = lambda order: {"outcome": "published", "news": news}
    played = perform(cast)
    assert played.output == {"outcome": "published"}
    signals = [each for each in played.history.actions() if each["actionType"] == SIGNAL]
    assert [each["instanceId"] for each in signals] == ["@notices@o-1"] * news
