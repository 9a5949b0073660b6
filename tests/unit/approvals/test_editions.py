"""Operations keep the edition of the rules under which they were started."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from countersign.approvals.errors import NotAuthorised
from countersign.approvals.ledger import from_record, to_record
from countersign.approvals.policy import MAX_VERSIONS
from countersign.approvals.standing import next_step

if TYPE_CHECKING:
    from conftest import Begin, Buy

ESCALATION = "Purchase.Escalation"


def test_what_was_recorded_before_there_were_editions_is_of_the_first(begin: Begin) -> None:
    story = begin(edition=1)
    name, record = to_record(story.events[0])
    del record["policy"]["edition"]
    assert from_record(name, record) == story.events[0]


def test_in_the_first_edition_an_escalation_begins_anew(buy: Buy) -> None:
    order = buy("50000.01", edition=1)
    order.decide(order.ann)
    order.decide(order.bob)
    order.expire()
    order.offer("50000.01")
    assert order.current.approvals == {}
    assert (order.current.asked_roles, order.seats()) == ((ESCALATION,), (3, None))
    assert order.decide(order.ann) == NotAuthorised(needs=f"the role {ESCALATION}")


def test_in_the_first_edition_who_dictates_a_revision_may_approve_it(begin: Begin) -> None:
    story = begin(edition=1)
    story.open()
    story.revise(story.ann)
    story.open(content="rewritten")
    story.decide(story.ann)
    assert story.current.status == "approved"


def test_in_the_first_edition_a_rejection_needs_no_reason_and_is_no_reason(begin: Begin) -> None:
    for comment in ("", "no"):
        story = begin(edition=1)
        story.open()
        story.decide(story.ann, "reject", comment=comment)
        story.close()
        closed = story.operation.closed
        assert closed is not None
        assert closed.reason == "because"


def test_in_the_first_edition_the_last_version_takes_a_correction(begin: Begin) -> None:
    story = begin(edition=1)
    story.open()
    while story.current.version < MAX_VERSIONS:
        story.revise(story.ann)
        story.open()
    assert isinstance(story.revise(story.ann, "", "edited"), tuple)
    assert next_step(story.operation, MAX_VERSIONS) == "close"


def test_an_approval_counts_by_the_roles_of_its_moment(begin: Begin) -> None:
    story = begin(quorum=2)
    story.open()
    story.decide(story.ann)
    dismissed = replace(story.ann, roles=frozenset())
    assert isinstance(story.decide(dismissed), NotAuthorised)
    story.decide(story.bob)
    assert story.current.status == "approved"
