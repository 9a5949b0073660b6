"""Two people whose names look the same are told apart, and others are called as they are."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timezone

import pytest

from countersign.approvals.events import DecisionRecorded, OperationStarted
from countersign.approvals.folding import begin
from countersign.approvals.person import Actor
from countersign.approvals.policy import Policy
from countersign.approvals.proposal import Proposal
from countersign.operations.names import look_of, names_in, told_apart


def _decided_by(actor: Actor) -> Proposal:
    moment = datetime(2026, 11, 2, tzinfo=timezone.utc)
    decision = DecisionRecorded(
        at=moment, actor=actor, version=1, digest="d", decision="approve", roles=("Reviewer",)
    )
    return Proposal(
        version=1,
        digest="d",
        content="c",
        evidence=None,
        origin="draft",
        opened_at=moment,
        expires_at=moment,
        required_role="Reviewer",
        quorum=1,
        countersigner_role=None,
        correctors=(),
        amount=None,
        decisions=((3, decision),),
    )


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Grace Hopper", "grace hopper"),
        ("Grace Hopper", "Gr\u0430ce Hopper"),
        ("Grace Hopper", "Grace\u00a0Hopper"),
        ("Grace Hopper", "Grace Hopper\u200b"),
        ("Grace", "\uff27\uff52\uff41\uff43\uff45"),
        ("Zo\u00eb", "Zoe\u0308"),
    ],
)
def test_names_that_look_the_same_have_one_look(name: str, other: str) -> None:
    assert look_of(name) == look_of(other)


@pytest.mark.parametrize(("name", "other"), [("Grace", "Gracie"), ("Zoe", "Zo\u00eb")])
def test_names_that_differ_have_different_looks(name: str, other: str) -> None:
    assert look_of(name) != look_of(other)


def test_two_people_of_one_name_on_a_list_are_told_apart() -> None:
    assert told_apart({"0123456789": "Grace", "abcdefghij": "grace", "x": "Ada"}) == {
        "0123456789": "Grace (…456789)",
        "abcdefghij": "grace (…efghij)",
        "x": "Ada",
    }


def test_only_those_who_look_the_same_are_shown_with_the_end_of_their_id() -> None:
    moment = datetime(2026, 11, 2, tzinfo=timezone.utc)
    event = OperationStarted(
        at=moment,
        actor=Actor(id="0000-aaaaaa", name="Ada"),
        kind="research",
        title="Tides",
        request="r",
        policy=Policy(reviewer_role="Reviewer"),
    )
    alone = begin("home", "op-1", event)
    assert names_in(alone) == {"0000-aaaaaa": "Ada"}
    two = replace(alone, proposals=(_decided_by(Actor(id="1111-bbbbbb", name="\u0410da")),))
    assert names_in(two) == {
        "0000-aaaaaa": "Ada (\u2026aaaaaa)",
        "1111-bbbbbb": "\u0410da (\u2026bbbbbb)",
    }
