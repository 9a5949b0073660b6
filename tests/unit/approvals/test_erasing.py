"""When names, texts and artifacts are erased, and when they are kept."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from countersign.approvals.errors import Invalid, NotAuthorised, NotFound
from countersign.approvals.retention import Retention, read_retention

if TYPE_CHECKING:
    from conftest import Begin, Story

DAY = timedelta(days=1)


@pytest.fixture
def story(begin: Begin) -> Story:
    """An operation of today that was rejected, and has ended."""
    story = begin(erasable=True)
    story.open()
    story.decide(story.ann, "reject", comment="No.")
    story.close()
    return story


def test_what_has_ended_is_erased_once(story: Story) -> None:
    story.erase("a rule")
    assert story.operation.erased
    assert story.operation.erased.rule == "a rule"
    assert story.erase("another rule") == ()


def test_what_goes_on_is_not_erased(begin: Begin) -> None:
    story = begin(erasable=True)
    assert story.erase() == Invalid(fields={"operation": "it has not ended"})
    assert isinstance(story.erase_person(("a",)), Invalid)


def test_what_an_earlier_release_began_is_kept(begin: Begin) -> None:
    story = begin()
    story.withdraw()
    story.close()
    assert isinstance(story.erase(), Invalid)
    assert story.operation.shelf == "contoso"


def test_an_operation_of_today_has_its_artifacts_apart(story: Story) -> None:
    assert story.operation.shelf == '["contoso", "op-1"]'


def test_a_legal_hold_keeps_it_until_it_is_lifted(story: Story) -> None:
    story.place_hold()
    assert story.place_hold() == ()
    held = Invalid(fields={"operation": "it is under a legal hold"})
    assert story.erase() == story.erase_person(("a",)) == held
    story.lift_hold()
    assert story.lift_hold() == ()
    assert story.operation.legal_hold is None
    assert story.erase()


def test_what_is_erased_can_not_be_kept(story: Story) -> None:
    story.erase()
    assert isinstance(story.place_hold(), Invalid)


def test_a_person_is_erased_once_for_each_thing_and_by_an_operator(story: Story) -> None:
    assert story.erase_person(("b", "a"))
    [event] = story.operation.people_erased
    assert event.commitments == ("a", "b")
    assert story.erase_person(("b",)) == ()
    assert story.erase_person(("c",))
    story.erase()
    assert story.erase_person(("d",)) == ()


@pytest.mark.parametrize("command", ["erase_person", "place_hold", "lift_hold"])
def test_only_an_operator_of_the_tenant_erases_people_and_holds(story: Story, command: str) -> None:
    given = (("a",),) if command == "erase_person" else ()
    assert isinstance(getattr(story, command)(*given, who=story.ann), NotAuthorised)
    assert isinstance(getattr(story, command)(*given, who=story.foreign_operator), NotFound)


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("", None),
        ("*/*=10", 10),
        ("*/*=10 */rejected=5", 5),
        ("*/rejected=5, research/*=7", 7),
        ("research/rejected=3 research/*=7 */rejected=5", 3),
        ("purchase/rejected=3 research/published=4", None),
    ],
)
def test_the_rule_that_names_most_counts(story: Story, text: str, days: int | None) -> None:
    due = read_retention({"COUNTERSIGN_RETENTION_DAYS": text}).due(story.operation)
    closed = story.operation.closed
    assert closed
    assert (due.at - closed.at if due else None) == (days * DAY if days else None)
    assert due is None or f"erased {days} days after it ended" in due.rule


def test_what_goes_on_or_is_old_is_never_due(begin: Begin) -> None:
    rules = Retention(days={("*", "*"): 0})
    assert rules.due(begin(erasable=True).operation) is None
    old = begin()
    old.withdraw()
    old.close()
    assert rules.due(old.operation) is None


@pytest.mark.parametrize(
    "text", ["90", "research=90", "research/rejected=x", "a/b=1 a/b=2", "*/*=-1", "A/b=1"]
)
def test_a_setting_that_says_something_else_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="COUNTERSIGN_RETENTION_DAYS"):
        read_retention({"COUNTERSIGN_RETENTION_DAYS": text})
