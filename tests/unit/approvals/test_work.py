"""The work before a proposal: planned once, each step stored and paid for once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from countersign.approvals.errors import AlreadyDecided

if TYPE_CHECKING:
    from conftest import Begin


def test_the_first_plan_stands(begin: Begin) -> None:
    story = begin()
    assert story.operation.subtopics is None
    story.plan("moon", "sun", tokens=10)
    assert story.plan("wind", tokens=99) == ()
    assert story.operation.subtopics == ("moon", "sun")
    assert story.operation.tokens == 10


def test_an_empty_plan_is_a_plan(begin: Begin) -> None:
    story = begin()
    story.plan()
    assert story.plan("moon") == ()
    assert story.operation.subtopics == ()


def test_the_first_result_of_a_step_stands_and_is_counted_once(begin: Begin) -> None:
    story = begin()
    story.work("research:0:0", "first", tokens=5)
    story.work("research:0:1", "other", tokens=7)
    assert story.work("research:0:0", "second", tokens=5) == ()
    assert story.operation.work == {"research:0:0": "first", "research:0:1": "other"}
    assert story.operation.tokens == 12


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
