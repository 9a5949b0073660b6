"""Versions: each is offered once, in order, with its own deadline, and inherits no approval."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from countersign.approvals.errors import AlreadyDecided, Invalid
from countersign.approvals.events import Decision, ProposalOpened
from countersign.approvals.person import SYSTEM
from countersign.approvals.policy import MAX_VERSIONS
from countersign.approvals.standing import Next, next_step, version_after

if TYPE_CHECKING:
    from conftest import Begin, Story


def test_the_first_version_waits_for_the_reviewer_role_until_its_deadline(begin: Begin) -> None:
    story = begin()
    assert story.open() == (
        ProposalOpened(
            at=story.now,
            actor=SYSTEM,
            version=1,
            digest="digest-1",
            content="draft",
            evidence="evidence",
            origin="draft",
            expires_at=story.now + timedelta(seconds=1000),
            required_role="Report.Reviewer",
            quorum=1,
        ),
    )
    assert next_step(story.operation, 1) == "wait"


def test_opening_a_version_again_changes_neither_its_content_nor_its_deadline(
    story: Story,
) -> None:
    before = story.current
    assert story.wait(500).open(1, content="another draft") == ()
    assert story.current == before


@pytest.mark.parametrize("version", [0, 2, 3])
def test_a_version_out_of_order_is_refused(begin: Begin, version: int) -> None:
    answer = begin().open(version)
    assert answer == Invalid(fields={"version": f"{version} is not the next version"})


def test_no_version_follows_one_that_is_still_pending(story: Story) -> None:
    assert story.open(2) == Invalid(fields={"version": "version 1 is pending"})


@pytest.mark.parametrize(("decision", "status"), [("approve", "approved"), ("reject", "rejected")])
def test_no_version_follows_a_final_decision(story: Story, decision: Decision, status: str) -> None:
    story.decide(story.ann, decision)
    assert story.open() == Invalid(fields={"version": f"version 1 is {status}"})


def test_no_version_follows_an_expiry_that_is_not_escalated(begin: Begin) -> None:
    story = begin(escalation_role=None)
    story.open()
    story.expire()
    assert story.open() == Invalid(fields={"version": "version 1 is expired"})


def test_no_version_follows_a_withdrawal(story: Story) -> None:
    story.revise(story.ann)
    story.withdraw()
    assert story.open() == AlreadyDecided(by="Rita", at=story.now, decision="withdraw")


def test_no_version_follows_the_closing(begin: Begin) -> None:
    story = begin()
    story.close("over_budget")
    assert story.open() == AlreadyDecided(by="Countersign", at=story.now, decision="over_budget")


def test_a_revision_leads_to_a_next_version_with_its_own_deadline(story: Story) -> None:
    story.wait(100).revise(story.ann)
    assert next_step(story.operation, 1) == "revise"
    story.wait(100).open(content="rewritten")
    assert story.current.version == 2
    assert story.current.origin == "revision"
    assert story.current.expires_at == story.now + timedelta(seconds=1000)


def test_a_next_version_inherits_no_approval(begin: Begin) -> None:
    story = begin(quorum=2)
    story.open()
    story.decide(story.ann)
    story.revise(story.bob)
    story.open(content="rewritten")
    assert story.current.approvers == frozenset()
    story.decide(story.bob)
    assert story.current.status == "pending"


def test_a_correction_is_offered_as_it_was_sent(story: Story) -> None:
    story.revise(story.ann, correction="edited")
    assert isinstance(story.open(content="something else"), Invalid)
    story.open(content="edited")
    assert story.current.origin == "correction"


def test_an_escalation_offers_what_nobody_decided_about(story: Story) -> None:
    story.expire()
    answer = story.open(content="something else")
    assert answer == Invalid(fields={"content": "not the content that this version must have"})


def test_the_last_version_can_be_approved(begin: Begin) -> None:
    story = _at_the_last_version(begin())
    story.decide(story.bob)
    assert next_step(story.operation, MAX_VERSIONS) == "publish"


def test_a_revision_of_the_last_version_needs_an_owner(begin: Begin) -> None:
    story = _at_the_last_version(begin())
    story.revise(story.ann)
    assert next_step(story.operation, MAX_VERSIONS) == "close"
    assert isinstance(story.open(), Invalid)
    story.close()
    assert story.operation.closed is not None
    assert story.operation.closed.outcome == "needs_owner"


def test_the_last_version_is_not_escalated(begin: Begin) -> None:
    story = _at_the_last_version(begin())
    story.expire()
    assert story.current.escalated_to is None
    assert next_step(story.operation, MAX_VERSIONS) == "close"


def test_a_version_that_does_not_exist_leads_nowhere(begin: Begin) -> None:
    assert next_step(begin().operation, 1) == "close"


def _at_the_last_version(story: Story) -> Story:
    story.open()
    while story.current.version < MAX_VERSIONS:
        story.revise(story.ann)
        story.open()
    return story


@pytest.mark.parametrize(
    ("step", "version"),
    [("revise", 4), ("escalate", 4), ("wait", None), ("publish", None), ("close", None)],
)
def test_only_a_revision_or_an_escalation_asks_for_another_version(
    step: Next, version: int | None
) -> None:
    assert version_after(3, step) == version
