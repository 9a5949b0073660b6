"""State is the fold of the events, and a list that can't be one is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from countersign.approvals.errors import ImpossibleHistory
from countersign.approvals.events import RetryRequested
from countersign.approvals.folding import evolve, fold

if TYPE_CHECKING:
    from conftest import Story


def test_no_events_are_no_operation() -> None:
    assert fold("contoso", "op-1", []) is None


def test_an_operation_has_to_begin_with_its_start(story: Story) -> None:
    with pytest.raises(ImpossibleHistory, match="op-1 begins with ProposalOpened"):
        fold("contoso", "op-1", story.events[1:])


def test_an_operation_starts_once(story: Story) -> None:
    with pytest.raises(ImpossibleHistory, match="op-1 has a second OperationStarted"):
        fold("contoso", "op-1", [*story.events, story.events[0]])


def test_nothing_can_happen_to_a_version_before_it_is_opened(story: Story) -> None:
    story.decide(story.ann)
    for event in story.events[2:]:
        with pytest.raises(ImpossibleHistory, match="speaks of version 1"):
            fold("contoso", "op-1", [story.events[0], event])


def test_nothing_is_tried_again_before_it_failed(story: Story) -> None:
    again = RetryRequested(at=story.now, actor=story.ann.actor)
    with pytest.raises(ImpossibleHistory, match="is tried again before anything failed"):
        fold("contoso", "op-1", [story.events[0], again])


def test_the_fold_counts_its_events_and_takes_the_time_of_the_last(story: Story) -> None:
    story.wait(60).decide(story.ann)
    operation = story.operation
    assert operation.sequence == len(story.events) == 4
    assert operation.created_at == story.events[0].at
    assert operation.updated_at == story.now


def test_folding_all_at_once_equals_evolving_one_by_one(story: Story) -> None:
    story.revise(story.ann)
    before = story.operation
    story.open()
    assert evolve(before, story.events[-1]) == story.operation


def test_a_version_knows_the_correction_that_superseded_it(story: Story) -> None:
    assert story.current.correction is None
    story.revise(story.ann, correction="edited")
    assert story.current.correction == "edited"


def test_only_numbers_of_opened_versions_find_one(story: Story) -> None:
    assert story.operation.proposal(1) == story.current
    for version in (-1, 0, 2):
        assert story.operation.proposal(version) is None
