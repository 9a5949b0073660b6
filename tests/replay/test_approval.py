"""What every story has, whatever is decided in it: versions, their gates, one effect, one end."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from orchestrators import names
from orchestrators.story import OUTAGE_PAUSE, OUTAGE_TRIES, PATIENCE

PUBLISH, CLOSE = "publish", "close_operation"


@dataclass(frozen=True)
class Story:
    """One kind of operation: how it is prepared, and what carries it out once it is approved."""

    name: str
    preparing: dict[str, Any]
    effect: str


STORIES = [
    Story(
        names.RESEARCH,
        {
            "plan_research": {"subtopics": 1},
            "research_subtopic": {},
            "check_facts": {"approved": True, "again": []},
            "write_draft": {},
        },
        "publish_report",
    ),
    Story(names.PURCHASE, {"prepare_order": {}}, "submit_order"),
]


@pytest.fixture(params=STORIES, ids=lambda story: story.name)
def story(request: pytest.FixtureRequest) -> Story:
    """Each kind of operation in turn."""
    return request.param


@pytest.fixture
def casting(story: Story, new_cast: Any) -> Callable[..., Any]:
    """Makes the cast of the story; takes what its gates answer."""

    def cast(*outcomes: str) -> Any:
        made = new_cast(*outcomes)
        for name, answer in {**story.preparing, story.effect: {"published": True}}.items():
            made.answer(name, **answer)
        return made

    return cast


@pytest.fixture
def tell(story: Story, perform: Callable[..., Any]) -> Callable[..., Any]:
    """Plays the story with a cast, as today's version or another one."""
    return lambda cast, **version: perform(story.name, cast, **version)


def test_an_approved_first_version_is_carried_out_and_closed(
    story: Story, casting: Any, tell: Any
) -> None:
    cast = casting(PUBLISH)
    played = tell(cast)
    way = [*story.preparing, "open_proposal", "approval_gate", story.effect, CLOSE]
    assert played.names() == way
    assert played.output == cast.OUTPUT


@pytest.mark.parametrize(
    ("version", "steps"),
    [("1", []), (None, ["open_proposal", CLOSE]), ("", ["open_proposal", CLOSE])],
)
def test_an_instance_of_before_keeps_its_steps_though_activities_of_today_do_their_work(
    story: Story, casting: Any, tell: Any, version: str | None, steps: list[str]
) -> None:
    cast = casting(PUBLISH)
    cast.answer([*story.preparing][-1], next="wait")
    cast.answer(story.effect, published=True, outcome=cast.OUTPUT["outcome"])
    played = tell(cast, version=version)
    assert [name for name in played.names() if name in {"open_proposal", CLOSE}] == steps
    assert played.output == cast.OUTPUT


def test_each_version_waits_in_a_gate_of_its_own(casting: Any, tell: Any) -> None:
    played = tell(casting("revise", "escalate", PUBLISH))
    assert played.instances == ["o-1-v1", "o-1-v2", "o-1-v3"]
    assert played.versions("open_proposal") == [1, 2, 3]


@pytest.mark.parametrize("settled", ["revise", "escalate"])
def test_a_story_that_is_started_again_waits_at_no_gate_of_a_version_that_was_settled_before(
    story: Story, casting: Any, tell: Any, settled: str
) -> None:
    cast = casting(PUBLISH)
    steps = {1: settled, 2: "wait"}
    cast["open_proposal"] = lambda order: {
        "version": order["version"],
        "next": steps[order["version"]],
    }
    played = tell(cast)
    assert played.instances == ["o-1-v2"]
    assert played.versions(story.effect) == [2]


def test_a_story_that_is_started_again_after_the_approval_carries_it_out_at_once(
    story: Story, casting: Any, tell: Any
) -> None:
    played = tell(casting().answer("open_proposal", version=1, next=PUBLISH))
    assert played.instances == []
    assert played.versions(story.effect) == [1]


def test_only_the_approved_version_is_carried_out(story: Story, casting: Any, tell: Any) -> None:
    played = tell(casting("revise", "escalate", PUBLISH))
    assert played.versions(story.effect) == [3]


@pytest.mark.parametrize("gates", [("close",), ("escalate", "close"), ("revise", "close")])
def test_what_ends_without_approval_is_closed_and_never_carried_out(
    story: Story, casting: Any, tell: Any, gates: tuple[str, ...]
) -> None:
    cast = casting(*gates)
    played = tell(cast)
    assert story.effect not in played.names()
    assert played.calls[-1] == (CLOSE, cast.ORDER)


def test_a_withdrawal_ends_the_story_at_the_next_step(
    story: Story, casting: Any, tell: Any
) -> None:
    withdrawn = {"ends_as": "withdrawn", "reason": "Rita recorded withdraw before."}
    for step in (*story.preparing, "open_proposal"):
        cast = casting(PUBLISH).answer(step, **withdrawn)
        played = tell(cast)
        assert played.calls[-1] == (CLOSE, {**cast.ORDER, **withdrawn})
        assert "approval_gate" not in played.names()


@pytest.mark.parametrize("ending", ["failed", "write_unknown"])
def test_what_comes_of_the_effect_is_how_it_ends(
    story: Story, casting: Any, tell: Any, ending: str
) -> None:
    stopped = {"ends_as": ending, "reason": "Look for it there."}
    cast = casting(PUBLISH).answer(story.effect, **stopped)
    assert tell(cast).calls[-1] == (CLOSE, {**cast.ORDER, **stopped})


def test_an_outage_may_last_a_day() -> None:
    assert OUTAGE_PAUSE.total_seconds() * OUTAGE_TRIES == 86_400


def test_work_that_fails_for_a_day_is_left_to_an_operator(
    story: Story, casting: Any, tell: Any
) -> None:
    step = next(iter(story.preparing))
    name, order = tell(casting(PUBLISH).fail(step, 1_000)).calls[-1]
    assert (name, order["given_up"]) == (CLOSE, True)
    assert "ends_as" not in order
    assert step in order["reason"]


@pytest.mark.parametrize("news", [True, False])
def test_a_wait_for_an_operator_needs_no_instance_and_closes_nothing(
    story: Story, casting: Any, tell: Any, news: bool
) -> None:
    for step in story.preparing:
        played = tell(casting(PUBLISH).answer(step, held=True, news=news))
        assert played.output == {"outcome": "needs_operator"}
        assert played.names()[-1] == step
        assert played.signalled() == ["@notices@o-1"] * news


def test_work_goes_on_after_an_outage_that_outlasts_all_patience(
    story: Story, casting: Any, tell: Any
) -> None:
    step = next(iter(story.preparing))
    cast = casting(PUBLISH).fail(step, PATIENCE.max_number_of_attempts + 2)
    assert tell(cast).calls[-1] == (CLOSE, cast.ORDER)


def test_what_must_not_be_given_up_fails_the_instance_for_the_reconciler(
    story: Story, casting: Any, tell: Any
) -> None:
    for step in ("open_proposal", "approval_gate", story.effect):
        with pytest.raises(Exception, match="Activity function failed"):
            tell(casting(PUBLISH).fail(step, 1_000))


def test_a_failing_step_is_tried_again_with_patience(story: Story, casting: Any, tell: Any) -> None:
    cast = casting(PUBLISH).fail(story.effect, 2)
    assert tell(cast).output == cast.OUTPUT


def test_a_gate_that_was_poisoned_is_started_again_under_its_name(
    story: Story, casting: Any, tell: Any
) -> None:
    played = tell(casting(PUBLISH).fail("approval_gate", 1))
    assert played.instances == ["o-1-v1"]
    assert played.versions(story.effect) == [1]


@pytest.mark.parametrize("news", [True, False])
def test_the_end_is_passed_on_where_it_is_news(casting: Any, tell: Any, news: bool) -> None:
    played = tell(casting(PUBLISH).answer(CLOSE, outcome="published", news=news))
    assert played.output == {"outcome": "published"}
    assert played.signalled() == ["@notices@o-1"] * news
