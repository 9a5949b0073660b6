"""How many eyes: a quorum counts people, and a corrector never stands alone."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, product
from typing import TYPE_CHECKING

import pytest

from countersign.approvals.errors import AlreadyDecided
from countersign.approvals.events import DecisionRecorded
from countersign.approvals.quorum import missing_role, still_needed

if TYPE_CHECKING:
    from conftest import Begin, Story


@pytest.fixture
def pair(begin: Begin) -> Story:
    """An operation whose first version waits for two approvals."""
    opened = begin(quorum=2)
    opened.open()
    return opened


def test_a_quorum_of_two_needs_two_people(pair: Story) -> None:
    answer = pair.decide(pair.ann)
    assert isinstance(answer, tuple)
    assert [type(event) for event in answer] == [DecisionRecorded]
    assert pair.current.status == "pending"
    pair.decide(pair.bob)
    assert pair.current.status == "approved"
    assert pair.current.approvers == {pair.ann.id, pair.bob.id}


def test_the_same_person_twice_is_one_person(pair: Story) -> None:
    pair.decide(pair.ann)
    assert pair.decide(pair.ann) == ()
    assert pair.current.status == "pending"


def test_one_rejection_ends_a_version_that_others_approved(begin: Begin) -> None:
    story = begin(quorum=3)
    story.open()
    story.decide(story.ann)
    story.decide(story.bob)
    story.decide(story.cyd, "reject")
    assert story.current.status == "rejected"
    assert story.current.approvers == {story.ann.id, story.bob.id}


def test_an_approval_too_many_hears_who_completed_the_quorum(pair: Story) -> None:
    pair.decide(pair.ann)
    pair.decide(pair.bob)
    stands = AlreadyDecided(by="Bob", at=pair.now, decision="approve")
    assert pair.wait(1).decide(pair.cyd) == stands


def test_the_corrector_is_not_the_only_one_to_approve_the_correction(story: Story) -> None:
    story.revise(story.ann, correction="edited")
    story.open(content="edited")
    assert story.current.correctors == (story.ann.id,)
    story.decide(story.ann)
    assert story.current.status == "pending"
    story.decide(story.bob)
    assert story.current.status == "approved"


def test_anybody_else_alone_is_enough_for_a_correction(story: Story) -> None:
    story.revise(story.ann, correction="edited")
    story.open(content="edited")
    story.decide(story.bob)
    assert story.current.status == "approved"


def test_who_dictates_a_revision_is_not_the_only_one_to_approve_it(story: Story) -> None:
    story.revise(story.ann, "Write that all is well.")
    story.open(content="rewritten")
    assert story.current.correctors == (story.ann.id,)
    story.decide(story.ann)
    assert story.current.status == "pending"
    story.decide(story.bob)
    assert story.current.status == "approved"


def test_a_wish_that_could_not_be_fulfilled_makes_nobody_a_corrector(story: Story) -> None:
    story.revise(story.ann, "shorter")
    story.leave_unrevised()
    story.open()
    story.decide(story.ann)
    assert story.current.status == "approved"


def test_a_correction_is_remembered_through_revision_and_escalation(begin: Begin) -> None:
    story = begin(escalation_role="Report.Reviewer2")
    story.open()
    story.revise(story.ann, correction="edited")
    story.open(content="edited")
    story.revise(story.bob, "shorter")
    story.open(content="rewritten")
    assert story.current.correctors == (story.ann.id, story.bob.id)
    story.expire()
    story.open(content="rewritten")
    assert story.current.origin == "escalation"
    assert story.current.correctors == (story.ann.id, story.bob.id)


def test_two_correctors_need_each_other_or_somebody_else(story: Story) -> None:
    story.revise(story.ann, correction="anns")
    story.open(content="anns")
    story.revise(story.bob, correction="bobs")
    story.open(content="bobs")
    assert story.current.correctors == (story.ann.id, story.bob.id)
    story.decide(story.ann)
    assert story.current.status == "pending"
    story.decide(story.bob)
    assert story.current.status == "approved"


def test_one_corrector_alone_does_not_become_enough_by_correcting_twice(story: Story) -> None:
    for text in ("once", "twice"):
        story.revise(story.ann, correction=text)
        story.open(content=text)
    assert story.current.correctors == (story.ann.id,)
    story.decide(story.ann)
    assert story.current.status == "pending"


@pytest.mark.parametrize(
    ("quorum", "approvers", "correctors", "missing"),
    [
        # nobody is never enough
        (1, "", "", "first"),
        (1, "a", "", None),
        (2, "a", "", "first"),
        (2, "ab", "", None),
        # four eyes
        (1, "a", "a", "first"),
        (1, "b", "a", None),
        (2, "ab", "a", None),
        (1, "ab", "ab", None),
        (1, "b", "ab", "first"),
        (3, "ab", "ab", "first"),
    ],
)
def test_a_version_takes_enough_people_other_than_a_lone_corrector(
    story: Story, quorum: int, approvers: str, correctors: str, missing: str | None
) -> None:
    version = replace(
        story.current, required_role="first", quorum=quorum, correctors=tuple(correctors)
    )
    assert missing_role(version, dict.fromkeys(approvers, ("first",))) == missing


@pytest.mark.parametrize(
    ("first", "second", "both", "missing"),
    [
        # two in the first role and another in the second
        ("ab", "c", "", None),
        ("ab", "", "", "second"),
        ("a", "c", "", "first"),
        ("", "cd", "", "first"),
        # nobody signs twice
        ("a", "", "b", "first"),
        ("ab", "", "c", None),
        ("a", "", "bc", None),
        ("", "", "abc", None),
        ("", "", "ab", "first"),
        ("", "c", "ab", None),
    ],
)
def test_a_countersigner_is_one_more_person(
    story: Story, first: str, second: str, both: str, missing: str | None
) -> None:
    version = replace(story.current, required_role="first", countersigner_role="second", quorum=2)
    approvals = {
        **dict.fromkeys(first, ("first",)),
        **dict.fromkeys(second, ("second",)),
        **dict.fromkeys(both, ("first", "second")),
    }
    assert missing_role(version, approvals) == missing


@pytest.mark.parametrize("second", [None, "second", "added"])
@pytest.mark.parametrize("before", [None, "first"])
@pytest.mark.parametrize("quorum", [1, 2, 3])
@pytest.mark.parametrize("corrector", ["", "a"])
def test_whoever_is_waited_for_brings_a_version_nearer(
    story: Story, quorum: int, corrector: str, before: str | None, second: str | None
) -> None:
    version = replace(
        story.current,
        required_role="added" if before else "first",
        asked_before=before,
        countersigner_role=second,
        quorum=quorum,
        correctors=tuple(corrector),
    )
    people = {"a": ("first",), "b": ("first",), "c": ("second",), "d": ("added",)}
    for count in range(len(people) + 1):
        for approvers in combinations(people, count):
            seated = {
                name: people[name]
                for name in approvers
                if not set(people[name]).isdisjoint(version.asked_roles)
            }
            left = sum(each.count for each in still_needed(version, seated))
            role = missing_role(version, seated)
            assert bool(role) == bool(left)
            if role:
                nearer = still_needed(version, {**seated, "stranger": (role,)})
                assert sum(each.count for each in nearer) == left - 1


def with_strangers(
    approvals: dict[str, tuple[str, ...]], needed: list[tuple[str, ...]]
) -> list[dict[str, tuple[str, ...]]]:
    """What there is once so many others have approved, each in any one of their roles."""
    return [
        {**approvals, **{f"stranger-{n}": (role,) for n, role in enumerate(roles)}}
        for roles in product(*needed)
    ]


@pytest.mark.parametrize("second", [None, "second"])
@pytest.mark.parametrize("quorum", [1, 2, 3])
@pytest.mark.parametrize("correctors", ["", "a", "ab"])
def test_as_many_more_people_as_are_needed_complete_it_and_not_one_less(
    story: Story, quorum: int, second: str | None, correctors: str
) -> None:
    version = replace(
        story.current,
        required_role="first",
        countersigner_role=second,
        quorum=quorum,
        correctors=tuple(correctors),
    )
    people = {"a": ("first",), "b": ("first",), "c": ("second",), "d": ("first", "second")}
    for count in range(len(people) + 1):
        for approvers in combinations(people, count):
            approvals = {name: people[name] for name in approvers}
            needed = [
                each.roles for each in still_needed(version, approvals) for _ in range(each.count)
            ]
            for enough in with_strangers(approvals, needed):
                assert missing_role(version, enough) is None
            for left_out in range(len(needed)):
                fewer = [*needed[:left_out], *needed[left_out + 1 :]]
                for lacking in with_strangers(approvals, fewer):
                    assert missing_role(version, lacking) is not None
