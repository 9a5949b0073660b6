"""What the story of a research request has of its own: the team's work before and between versions.

What it shares with other stories is in `test_approval.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from orchestrators.story import PATIENCE

NewCast = Callable[..., Any]


@pytest.fixture
def casting(new_cast: Any) -> NewCast:
    """Two subtopics, and facts that hold at once unless it is said what the checks find."""

    def cast(*outcomes: str, checks: tuple[dict[str, Any], ...] = ()) -> Any:
        judged = iter(checks or ({"approved": True, "again": []},))
        return new_cast(
            *outcomes,
            plan_research=lambda order: {"subtopics": 2},
            research_subtopic=lambda order: {},
            check_facts=lambda order: next(judged),
            write_draft=lambda order: {},
            publish_report=lambda order: {"published": True},
        )

    return cast


@pytest.fixture
def research(perform: Callable[..., Any]) -> Callable[[Any], Any]:
    """Plays the story with a cast."""
    return lambda cast: perform("research", cast)


def test_all_subtopics_are_researched_before_facts_are_checked(
    casting: NewCast, research: Any
) -> None:
    played = research(casting("publish"))
    prepared = ["plan_research", "research_subtopic", "research_subtopic", "check_facts"]
    assert played.names()[:5] == [*prepared, "write_draft"]


def test_a_revision_is_drafted_as_the_next_version(casting: NewCast, research: Any) -> None:
    played = research(casting("revise", "publish"))
    assert played.versions("write_draft") == [1, 2]


def test_an_escalation_opens_the_next_version_without_a_new_draft(
    casting: NewCast, research: Any
) -> None:
    played = research(casting("escalate", "publish"))
    assert played.versions("write_draft") == [1]
    assert played.versions("open_proposal") == [1, 2]


def test_only_the_subtopics_in_doubt_are_researched_again(casting: NewCast, research: Any) -> None:
    checks = ({"approved": False, "again": [1]}, {"approved": True, "again": []})
    played = research(casting("publish", checks=checks))
    asked = [
        (order["round"], order["subtopic"])
        for name, order in played.calls
        if name == "research_subtopic"
    ]
    assert asked == [(0, 0), (0, 1), (1, 1)]


def test_the_third_check_is_the_last(casting: NewCast, research: Any) -> None:
    doubtful = {"approved": False, "again": [0]}
    ending = {"ends_as": "needs_revision", "reason": "The sources say nothing."}
    cast = casting(checks=(doubtful, doubtful, ending))
    played = research(cast)
    checks = [order for name, order in played.calls if name == "check_facts"]
    assert [order["last"] for order in checks] == [False, False, True]
    assert played.calls[-1] == ("close_operation", {**cast.ORDER, **ending})


@pytest.mark.parametrize("step", ["check_facts", "write_draft"])
def test_later_work_that_fails_for_a_day_is_left_to_an_operator(
    casting: NewCast, research: Any, step: str
) -> None:
    name, order = research(casting("publish").fail(step, 1_000)).calls[-1]
    assert (name, order["given_up"]) == ("close_operation", True)
    assert step in order["reason"]


def test_one_subtopic_that_fails_for_a_day_is_left_to_an_operator(
    casting: NewCast, research: Any
) -> None:
    cast = casting("publish").fail("research_subtopic", 1_000, unless=_is_first)
    name, order = research(cast).calls[-1]
    assert (name, order["given_up"]) == ("close_operation", True)


def test_one_subtopic_that_waits_for_an_operator_keeps_no_other_from_being_researched(
    casting: NewCast, research: Any
) -> None:
    cast = casting("publish")
    cast["research_subtopic"] = lambda order: (
        {"held": True, "news": False} if _is_first(order) else {}
    )
    played = research(cast)
    assert played.names() == ["plan_research", "research_subtopic", "research_subtopic"]
    assert played.output == {"outcome": "needs_operator"}


def test_a_revision_that_waits_for_an_operator_leaves_the_versions_as_they_are(
    casting: NewCast, research: Any
) -> None:
    cast = casting("revise", "publish")
    cast["write_draft"] = lambda order: (
        {"held": True, "news": False} if order["version"] == 2 else {}
    )
    played = research(cast)
    assert played.versions("open_proposal") == [1]
    assert played.output == {"outcome": "needs_operator"}


def test_an_end_that_one_subtopic_tells_counts_before_a_wait_of_another(
    casting: NewCast, research: Any
) -> None:
    cast = casting("publish")
    ending = {"ends_as": "withdrawn", "reason": "Rita recorded withdraw before."}
    cast["research_subtopic"] = lambda order: (
        {"held": True, "news": False} if _is_first(order) else ending
    )
    assert research(cast).calls[-1] == ("close_operation", {**cast.ORDER, **ending})


def test_subtopics_go_on_after_an_outage_that_outlasts_all_patience(
    casting: NewCast, research: Any
) -> None:
    tries = PATIENCE.max_number_of_attempts + 2
    cast = casting("publish").fail("research_subtopic", tries, unless=_is_first)
    assert research(cast).calls[-1] == ("close_operation", cast.ORDER)


def _is_first(order: dict[str, Any]) -> bool:
    return order["subtopic"] == 0
