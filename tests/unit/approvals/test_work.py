"""The work before a proposal: planned once, each step stored and paid for once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from countersign.approvals.errors import AlreadyDecided

if TYPE_CHECKING:
    from conftest import Begin


def test_the_first_plan_stands(begin: Begin) -> None:
    story = begin()
    assert story.operation.subtopics is None
    story.plan("moon", "sun")
    assert story.plan("wind") == ()
    assert story.operation.subtopics == ("moon", "sun")


def test_an_empty_plan_is_a_plan(begin: Begin) -> None:
    story = begin()
    story.plan()
    assert story.plan("moon") == ()
    assert story.operation.subtopics == ()


def test_the_first_result_of_a_step_stands(begin: Begin) -> None:
    story = begin()
    story.work("research:0:0", "first")
    story.work("research:0:1", "other")
    assert story.work("research:0:0", "second") == ()
    assert story.operation.work == {"research:0:0": "first", "research:0:1": "other"}


def test_every_model_call_counts_also_one_that_was_made_again(begin: Begin) -> None:
    story = begin()
    story.call("research:0:0", 5)
    story.call("research:0:0", 7)
    story.withdraw()
    story.call("research:0:1", 3)
    assert story.operation.tokens == 15
    assert story.operation.spent == {"research:0:0": 12, "research:0:1": 3}
    assert (story.operation.tokens_day, story.operation.day_tokens) == (story.now.date(), 15)
    story.wait(24 * 60 * 60).call("research:0:2", 4)
    assert (story.operation.tokens_day, story.operation.day_tokens) == (story.now.date(), 4)


def test_nothing_is_counted_after_the_closing(begin: Begin) -> None:
    story = begin()
    story.close("failed")
    assert story.call("research:0:0", 5) == ()


def test_no_work_begins_after_a_withdrawal_but_what_was_stored_stays_so(begin: Begin) -> None:
    story = begin()
    story.work("research:0:0")
    story.withdraw()
    withdrawn = AlreadyDecided(by="Rita", at=story.now, decision="withdraw")
    assert story.plan("moon") == withdrawn
    assert story.work("research:0:1") == withdrawn
    assert story.work("research:0:0") == ()


def test_no_work_begins_after_the_closing(begin: Begin) -> None:
    story = begin()
    story.close("failed")
    assert isinstance(story.work("research:0:0"), AlreadyDecided)
