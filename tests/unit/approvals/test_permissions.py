"""What somebody may do is what the rules would record, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from countersign.approvals.errors import (
    AlreadyDecided,
    LastVersion,
    NotAuthorised,
    OwnRequest,
    PeopleOnly,
)
from countersign.approvals.permissions import Permissions, may_retry, may_withdraw, permissions
from countersign.approvals.person import Person
from countersign.approvals.policy import MAX_VERSIONS
from countersign.approvals.rules import NOT_APPROVED
from countersign.approvals.standing import already

DECIDES = ("approve", "reject", "revise", "correct")

STATES: dict[str, Callable[[Any], object]] = {
    "pending": lambda _: None,
    "approved": lambda story: story.decide(story.ann),
    "rejected": lambda story: story.decide(story.ann, "reject"),
    "superseded": lambda story: story.revise(story.ann),
    "followed": lambda story: (story.revise(story.ann), story.open()),
    "late": lambda story: story.wait(1000.0),
    "expired": lambda story: story.expire(),
    "withdrawn": lambda story: story.withdraw(),
    "reserved": lambda story: (story.decide(story.ann), story.reserve()),
    "closed": lambda story: (story.decide(story.ann, "reject"), story.close()),
    "asked": lambda story: story.ask(story.bob),
}


def allowed(story: Any, person: Person, version: int = 1) -> Permissions:
    proposal = story.operation.proposals[version - 1]
    return permissions(story.operation, proposal, person, story.now)


def recorded(story: Any, person: Person, what: str) -> bool:
    """Whether the rules record it of version 1; what they record doesn't happen."""
    before = list(story.events)
    told: Any = {
        "approve": lambda: story.decide(person, version=1),
        "reject": lambda: story.decide(person, "reject", version=1),
        "revise": lambda: story.decide(person, "revise", comment="shorter", version=1),
        "correct": lambda: story.decide(person, "revise", correction="text", version=1),
        "ask": lambda: story.ask(person, version=1),
        "withdraw": lambda: story.withdraw(person),
        "take_back": lambda: story.take_back(person, version=1),
    }[what]()
    story.events = before
    return isinstance(told, tuple) and bool(told)


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("who", ["requester", "ann", "bob", "eve", "outsider", "namesake"])
def test_somebody_may_do_what_the_rules_would_record(story: Any, state: str, who: str) -> None:
    STATES[state](story)
    person = getattr(story, who)
    may = allowed(story, person)
    for what in (*DECIDES, "ask", "withdraw", "take_back"):
        assert (getattr(may, what) is None) == recorded(story, person, what), what


def test_each_refusal_says_why(story: Any) -> None:
    may = allowed(story, story.requester)
    assert {getattr(may, what) for what in (*DECIDES, "ask")} == {OwnRequest()}
    assert may.withdraw is None
    may = allowed(story, story.outsider)
    assert may.approve == NotAuthorised(needs="the role Report.Reviewer")
    program = Person(
        id="p", name="P", tenant="contoso", roles=frozenset({"Report.Reviewer"}), program=True
    )
    assert allowed(story, program).reject == PeopleOnly()


def test_whoever_has_decided_is_told_what_stands(begin: Any) -> None:
    story = begin(quorum=2)
    story.open()
    story.decide(story.ann)
    stands = AlreadyDecided(by="Ann", at=story.now, decision="approve")
    assert allowed(story, story.ann).approve == stands
    assert allowed(story, story.bob).approve is None


def test_whoever_has_approved_may_take_that_back_while_others_are_waited_for(begin: Any) -> None:
    story = begin(quorum=2)
    story.open()
    assert allowed(story, story.ann).take_back == NOT_APPROVED
    story.decide(story.ann)
    may = allowed(story, story.ann)
    assert {may.take_back, may.reject, may.revise, may.correct} == {None}
    story.take_back(story.ann)
    assert allowed(story, story.ann).take_back == NOT_APPROVED
    assert allowed(story, story.ann).approve is None


def test_what_is_decided_stands(begin: Any) -> None:
    story = begin(quorum=2)
    story.open()
    story.decide(story.ann)
    story.decide(story.bob)
    for who in (story.ann, story.bob):
        may = allowed(story, who)
        assert may.approve == already(story.current.decided_by(who.id)[1])
        last = already(story.current.decisions[-1][1])
        assert {may.reject, may.revise, may.correct, may.take_back} == {last}


def test_nobody_may_send_a_text_of_their_own_for_the_last_version(begin: Any) -> None:
    story = begin()
    story.open()
    while story.current.version < MAX_VERSIONS:
        story.revise(story.ann)
        story.open()
    may = allowed(story, story.ann, MAX_VERSIONS)
    assert may.correct == LastVersion(most=MAX_VERSIONS)
    assert may.revise is None


def test_only_those_who_want_a_change_in_an_order_can_make_it(buy: Any) -> None:
    order = buy("10.00")
    may = allowed(order, order.ann)
    assert may.correct is None
    assert may.revise is not None
    assert may.ask is not None


def test_a_request_can_be_taken_back_once(story: Any) -> None:
    assert may_withdraw(story.operation, story.requester, story.now) is None
    story.withdraw()
    refusal = may_withdraw(story.operation, story.requester, story.now)
    assert refusal == AlreadyDecided(by="Rita", at=story.now, decision="withdraw")


def test_nobody_may_have_anything_tried_again_where_nothing_waits(begin: Any) -> None:
    story = begin()
    for who in (story.operator, story.requester, story.ann):
        assert isinstance(may_retry(story.operation, who, story.now), NotAuthorised)


def test_the_requester_and_operators_may_have_work_tried_again(begin: Any) -> None:
    story = begin()
    story.hold()
    for who, may in ((story.operator, True), (story.requester, True), (story.ann, False)):
        assert (may_retry(story.operation, who, story.now) is None) == may
