"""Names and texts stand beside a row and can be erased; what the row says of them stays true."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any, get_args

import pytest

from countersign.approvals.acts import doubt_about
from countersign.approvals.erased import commitments_of, first_missing, takes_part
from countersign.approvals.errors import DamagedRow
from countersign.approvals.events import ContentErased, Event, NoticeSent
from countersign.approvals.folding import fold
from countersign.approvals.ledger import (
    Row,
    chain,
    record_of,
    row_of,
    salts_of,
    sealed_with,
    to_record,
    verify,
    without,
)
from countersign.approvals.person import SYSTEM
from countersign.approvals.sealing import (
    ERASED,
    PEOPLE,
    TEXTS,
    Opening,
    commitment_to,
    commitments_in,
    opened,
)

if TYPE_CHECKING:
    from conftest import Begin, Story

PLAIN = {
    "kind",
    "request",
    "step",
    "result",
    "prompt",
    "cause",
    "digest",
    "content",
    "evidence",
    "origin",
    "required_role",
    "countersigner_role",
    "asked_before",
    "decision",
    "correction",
    "roles",
    "escalated_to",
    "question_id",
    "attempt",
    "receipt",
    "outcome",
    "notice",
    "taken",
    "rule",
    "commitments",
    "comments",
}
"""Fields of text that tell nothing of people: references, roles, and words of the app's own."""


def salts() -> Iterator[str]:
    return (f"{number:032x}" for number in itertools.count(1))


def sealed_rows(events: Sequence[Event]) -> list[Row]:
    """The rows of these events, of which each person keeps one salt."""
    made = salts()
    return chain("contoso", "op-1", None, sealed_with({}, events, lambda: next(made)))


@pytest.fixture
def story(begin: Begin) -> Story:
    """An operation with texts of every sort."""
    story = begin(erasable=True)
    story.plan("Ebb", "Flood")
    story.open()
    story.ask(story.ann)
    story.revise(story.ann)
    story.open(content="rewritten")
    story.decide(story.bob, "reject", comment="Off the point.")
    story.close()
    return story


@pytest.fixture
def rows(story: Story) -> list[Row]:
    return sealed_rows(story.events)


def test_each_field_of_text_is_either_sealed_or_tells_nothing_of_people() -> None:
    """A new field has to be put on one of the lists."""
    for kind in get_args(Event):
        texts = {each.name for each in fields(kind) if "str" in str(each.type) or each.name == "x"}
        listed = {*TEXTS.get(kind.__name__, ()), *PEOPLE, *PLAIN}
        assert texts - {"actor", "at"} <= listed, kind.__name__
        assert not {*TEXTS.get(kind.__name__, ())} & PLAIN


def test_no_name_or_text_is_in_what_is_hashed(story: Story, rows: Sequence[Row]) -> None:
    hashed = str([row.data for row in rows])
    for text in ("Tides", "Rita", "id-Rita", "Ann", "Bob", "Ebb", "Off the point."):
        assert text in str(story.events)
        assert text not in hashed


def test_what_is_sealed_is_read_as_it_was(story: Story, rows: Sequence[Row]) -> None:
    assert [row.event for row in rows] == story.events
    assert [row_of(record_of(row)) for row in rows] == rows
    assert verify("contoso", "op-1", rows) is None
    assert first_missing(rows) is None


def test_the_system_is_no_person_and_empty_texts_are_no_secret(rows: Sequence[Row]) -> None:
    planned = next(row for row in rows if row.type == "WorkPlanned")
    assert planned.data["actor"]["name"] == "Countersign"
    opened_row = next(row for row in rows if row.type == "ProposalOpened")
    assert opened_row.data["title"] is None


def test_the_same_text_has_another_commitment_each_time_and_a_person_one(
    rows: Sequence[Row],
) -> None:
    anns = [row.data["actor"] for row in rows if row.content["actor"]["name"] == "Ann"]
    assert len(anns) == 3
    assert len({str(actor["id"]) for actor in anns}) == 1
    assert len({str(actor["name"]) for actor in anns}) == 3


def test_after_all_is_erased_the_chain_holds_and_people_are_still_told_apart(
    story: Story, rows: Sequence[Row]
) -> None:
    erased = [without(row, None) for row in rows]
    assert verify("contoso", "op-1", erased) is None
    operation = fold("contoso", "op-1", (row.event for row in erased))
    assert operation
    assert operation.title == ERASED
    assert operation.subtopics == (ERASED, ERASED)
    people = [
        operation.requester.id,
        *(event.actor.id for _, event in operation.proposals[1].decisions),
    ]
    assert len(set(people)) == 2
    assert all(each.startswith("erased-") for each in people)
    for text in ("Rita", "Ann", "Bob", "Tides", "Ebb"):
        assert text not in str(erased)
    assert story.operation.requester.name == "Rita"


@pytest.mark.parametrize(
    "change",
    [
        lambda opening: Opening(opening.salt, "Somebody else"),
        lambda opening: Opening("0" * 32, opening.value),
        lambda opening: Opening(opening.salt.upper() + "g", opening.value),
        lambda opening: Opening(opening.salt[:30], opening.value),
    ],
)
def test_another_text_or_salt_breaks_the_row(rows: list[Row], change: Any) -> None:
    first = rows[0]
    openings = {named: change(opening) for named, opening in first.openings.items()}
    rows[0] = replace(first, openings=openings)
    assert verify("contoso", "op-1", rows) == 1


def test_an_opening_that_belongs_to_no_commitment_breaks_the_row(rows: list[Row]) -> None:
    stray = Opening("0" * 32, "stray")
    rows[1] = replace(rows[1], openings={**rows[1].openings, commitment_to(stray): stray})
    assert verify("contoso", "op-1", rows) == 2


@pytest.mark.parametrize("text", ["[]", '{"a": 1}', '{"a": ["s"]}', '{"a": ["s", 1]}', "{"])
def test_openings_that_are_something_else_are_a_damaged_row(rows: list[Row], text: str) -> None:
    with pytest.raises(DamagedRow):
        row_of(record_of(rows[0])._replace(openings=text))


def test_what_is_missing_has_to_be_erased_by_a_later_row_of_an_ended_operation(
    story: Story, rows: Sequence[Row]
) -> None:
    cut = [without(rows[0], None), *rows[1:]]
    assert first_missing(cut) == 1
    story.erase("a rule")
    assert first_missing(sealed_and_erased(story, lambda row: row.sequence == 1)) is None


def sealed_and_erased(story: Story, which: Any) -> list[Row]:
    return [without(row, None) if which(row) else row for row in sealed_rows(story.events)]


def test_events_that_follow_have_the_salts_of_the_people_before(
    story: Story, rows: list[Row]
) -> None:
    made = iter(["f" * 32] * 99)
    later = sealed_with(salts_of(rows[:2]), story.events[2:], lambda: next(made))
    ids = {str(row.data["actor"]["id"]) for row in (*rows[:2], *later) if row.type != "WorkPlanned"}
    assert len(ids) == len({event.actor.id for event in story.events})


def test_nothing_rests_on_a_ledger_that_lacks_a_text(rows: list[Row]) -> None:
    doubt = doubt_about("contoso", "op-1", [without(rows[0], None), *rows[1:]], None)
    assert doubt
    assert doubt.reason == "Row 1 lacks names or texts, and nothing says that they were erased."


def test_nobody_is_erased_from_an_operation_that_goes_on(begin: Begin) -> None:
    """Whoever can write the storage adds the row, so that the requester's id is another."""
    story = begin(erasable=True)
    story.open()
    story.events.append(ContentErased(at=story.now, actor=SYSTEM, rule="mine"))
    assert first_missing(sealed_and_erased(story, lambda row: row.sequence == 1)) == 1


def test_a_person_is_erased_with_what_they_wrote_and_where_it_is_repeated(
    story: Story, rows: Sequence[Row]
) -> None:
    gone = commitments_of(rows, "id-Bob")
    left = [without(row, gone) for row in rows]
    assert "Bob" not in str(left)
    assert "Off the point." not in str(left)
    assert "Ann" in str(left)
    assert "Tides" in str(left)
    assert first_missing(left) == min(
        row.sequence for row, old in zip(left, rows, strict=True) if row != old
    )
    assert takes_part(rows, "id-Bob")
    assert not takes_part(left, "id-Bob")
    assert commitments_of(rows, "id-Nobody") == ()


def test_only_what_a_row_names_is_erased_by_it(story: Story, rows: Sequence[Row]) -> None:
    gone = commitments_of(rows, "id-Bob")
    story.erase_person(gone)
    all_rows = sealed_rows(story.events)
    erased = [without(row, gone) for row in all_rows]
    assert first_missing(erased) is None
    also_ann = {*gone, *commitments_of(rows, "id-Ann")}
    assert first_missing([without(row, also_ann) for row in all_rows])
    damaged = replace(erased[-1], data={**erased[-1].data, "commitments": "all"})
    assert first_missing([*erased[:-1], damaged])
    odd = replace(erased[-1], data={**erased[-1].data, "commitments": [1, *gone]})
    assert first_missing([*erased[:-1], odd]) is None


@pytest.mark.parametrize("actor", [None, "Rita", {"kind": "person"}, {"id": {"commitment": 1}}])
def test_a_row_with_an_odd_actor_is_left_to_whoever_reads_it(actor: Any) -> None:
    data = {"actor": actor}
    assert opened("QuestionAsked", data, {})["actor"] is not None or actor is None
    assert commitments_in("QuestionAsked", data) == frozenset()
    assert not takes_part([Row(sequence=1, type="X", data=data, hash="")], "id-Rita")


def test_a_plain_ledger_of_an_earlier_release_is_read_as_it_is(story: Story) -> None:
    rows = chain("contoso", "op-1", None, story.events)
    assert [row.event for row in rows] == story.events
    assert verify("contoso", "op-1", rows) is None
    assert first_missing(rows) is None
    name, data = to_record(story.events[0])
    assert opened(name, data, {}) == data


def test_what_channels_said_is_sealed_by_channel(story: Story) -> None:
    told = NoticeSent(
        at=story.now, actor=SYSTEM, notice="n", taken=(), failed={"mail 1": "No ann@x"}
    )
    [entry] = sealed_with({}, [told], lambda: "0" * 32)
    [row] = chain("contoso", "op-1", None, [entry])
    assert "ann@x" not in str(row.data)
    assert row.event == told
    gone = without(row, None).event
    assert isinstance(gone, NoticeSent)
    assert gone.failed == {"mail 1": ERASED}
