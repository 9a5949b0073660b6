"""The row in the index says what the ledger says, at every stage of the way."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from countersign.approvals.evidence_count import EvidenceCount
from countersign.operations.summary import Decider, stage_of, state_of, summarise
from countersign.stores.pages import from_text, to_text
from countersign.stores.summary import Summary

if TYPE_CHECKING:
    from conftest import Begin, Buy, Story


def _shown(story: Story) -> tuple[str, str]:
    return state_of(story.operation), stage_of(story.operation)


def test_a_summary_holds_who_what_and_how_far(begin: Begin) -> None:
    story = begin(quorum=2)
    story.plan("moon", "sun")
    story.call("research:0:0", 12)
    story.work("research:0:0")
    story.work("research:1:0")
    story.open()
    story.wait(5).decide(story.ann)
    assert summarise(story.operation) == Summary(
        operation_id="op-1",
        tenant="contoso",
        kind="research",
        title="Tides",
        requester_id=story.requester.id,
        requester_name="Rita",
        state="awaiting_approval",
        stage="awaiting_decision",
        done=1,
        total=2,
        tokens=12,
        version=1,
        required_role="Report.Reviewer",
        awaited_roles=("Report.Reviewer",),
        approvers=(story.ann.id,),
        expires_at=story.current.expires_at,
        created_at=story.events[0].at,
        updated_at=story.now,
        sequence=7,
        origin="draft",
        approvals_needed=2,
        decided_by=(
            Decider(person=story.ann.id, name="Ann", decision="approve", version=1, at=story.now),
        ),
        tokens_day=story.events[2].at.date(),
        day_tokens=12,
        wakes_at=story.events[0].at + (story.current.expires_at - story.events[0].at) / 2,
    )


def test_a_summary_counts_the_evidence_of_the_newest_version(begin: Begin) -> None:
    story = begin()
    counts = [EvidenceCount(claims=3, to_check=1), EvidenceCount(claims=3, to_check=None), None]
    for version, count in enumerate(counts, start=1):
        story.open(evidence_count=count)
        assert story.current.version == version
        assert summarise(story.operation).evidence_count == count
        story.revise(story.ann)


def test_a_row_of_an_earlier_release_has_no_count_of_its_evidence(begin: Begin) -> None:
    row = summarise(begin().operation)
    earlier = json.loads(to_text(row))
    del earlier["evidence_count"]
    assert from_text(json.dumps(earlier)) == row


def test_an_approval_that_was_taken_back_is_no_decision_of_its_approver(begin: Begin) -> None:
    story = begin(quorum=3)
    story.open()
    story.decide(story.ann)
    story.decide(story.bob)
    story.take_back(story.ann)
    decided = [each.name for each in summarise(story.operation).decided_by]
    assert decided == ["Bob"]


def test_before_the_first_version_a_summary_names_none(begin: Begin) -> None:
    summary = summarise(begin().operation)
    assert (summary.version, summary.required_role, summary.expires_at) == (None, None, None)
    assert (summary.approvers, summary.total) == ((), 0)


def test_the_stages_before_the_first_version_follow_the_work(begin: Begin) -> None:
    story = begin()
    assert _shown(story) == ("running", "planning")
    story.plan("moon", "sun")
    story.work("research:0:0")
    assert _shown(story) == ("running", "researching")
    story.work("research:0:1")
    assert _shown(story) == ("running", "checking")
    story.work("check:0")
    assert _shown(story) == ("running", "writing")


def test_the_stages_after_a_decision_follow_its_outcome(story: Story) -> None:
    assert _shown(story) == ("awaiting_approval", "awaiting_decision")
    story.expire()
    assert _shown(story) == ("running", "escalating")
    story.open()
    story.revise(story.eve)
    assert _shown(story) == ("running", "revising")
    story.open()
    story.decide(story.ann)
    assert _shown(story) == ("running", "publishing")
    story.reserve()
    assert _shown(story) == ("running", "publishing")
    story.receive()
    assert _shown(story) == ("published", "closing")
    story.close()
    assert _shown(story) == ("published", "closed")


def test_a_withdrawal_shows_at_once(story: Story) -> None:
    story.withdraw()
    assert _shown(story) == ("withdrawn", "closing")


def test_a_closing_shows_its_own_outcome(story: Story) -> None:
    story.close("failed")
    assert _shown(story) == ("failed", "closed")


def test_the_stages_of_a_purchase_have_words_of_their_own(buy: Buy) -> None:
    story = buy("100.00")
    opened = story.events.pop()
    assert _shown(story) == ("running", "validating")
    story.events.append(opened)
    assert _shown(story) == ("awaiting_approval", "awaiting_decision")
    story.correct(story.ann, "50.00", widens=False)
    assert _shown(story) == ("awaiting_approval", "awaiting_decision")
    story.decide(story.ann)
    assert _shown(story) == ("running", "ordering")
    story.reserve()
    story.receive()
    assert _shown(story) == ("ordered", "closing")
    story.close()
    assert _shown(story) == ("ordered", "closed")


def test_a_summary_of_a_purchase_says_what_its_newest_version_costs(buy: Buy) -> None:
    story = buy("1200.00")
    assert summarise(story.operation).amount == "1,200.00 EUR"
    story.correct(story.ann, "50000.01", widens=True)
    assert summarise(story.operation).amount == "50,000.01 EUR"


def test_a_purchase_without_a_version_costs_nothing_yet(buy: Buy) -> None:
    story = buy("1200.00")
    story.events.pop()
    assert summarise(story.operation).amount is None
