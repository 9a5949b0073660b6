"""An act has a signature over its row and all before it: nothing can be added, changed or taken."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any, get_args

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from countersign.approvals.acts import OF_THE_SYSTEM, Trust, doubt_about, is_act, signed
from countersign.approvals.events import Event
from countersign.approvals.ledger import GENESIS, NewRow, Row, chain, row_hash, to_record
from countersign.proof.keys import ProofKey
from countersign.proof.seal import KeySeal

if TYPE_CHECKING:
    from conftest import Begin, Story

SEAL = KeySeal(ProofKey(seed=bytes(32)))
TOKEN = "a" * 64


def recorded(events: Sequence[Event], seal: KeySeal | None = SEAL) -> list[Row]:
    """The ledger of these events as an app with this seal records them, act by act."""
    rows: list[Row] = []
    for event in events:
        last = rows[-1] if rows else None
        entries = signed("contoso", "op-1", last, [event], seal, TOKEN) if seal else [event]
        rows += chain("contoso", "op-1", last, entries)
    return rows


def rechained(rows: Sequence[Row]) -> list[Row]:
    """The rows with the numbers and hashes that whoever can write the storage gives them."""
    chained, previous = [], GENESIS
    for sequence, row in enumerate(rows, start=1):
        previous = row_hash("contoso", "op-1", sequence, row.type, row.data, previous)
        chained.append(replace(row, sequence=sequence, hash=previous))
    return chained


@pytest.fixture
def story(begin: Begin) -> Story:
    """An operation that went all the way."""
    story = begin()
    story.open()
    story.revise(story.ann)
    story.open(content="rewritten")
    story.decide(story.bob)
    story.reserve()
    story.receive()
    story.close()
    return story


@pytest.fixture
def rows(story: Story) -> list[Row]:
    return recorded(story.events)


def test_of_every_event_it_is_said_whether_a_person_causes_it() -> None:
    names = {kind.__name__ for kind in get_args(Event)}
    assert names >= OF_THE_SYSTEM
    assert {
        "OperationStarted",
        "DecisionRecorded",
        "ProposalApproved",
        "ProposalRejected",
        "ProposalSuperseded",
        "QuestionAsked",
        "OperationWithdrawn",
        "RetryRequested",
    } <= {name for name in names if is_act(name)}


def test_what_the_app_recorded_is_not_doubted(rows: list[Row]) -> None:
    assert doubt_about("contoso", "op-1", rows, SEAL) is None
    assert doubt_about("contoso", "op-1", [], SEAL) is None
    assert [is_act(row.type) for row in rows] == ["signature" in row.data for row in rows]
    assert all(row.data["token"] == TOKEN for row in rows if is_act(row.type))


def test_events_are_read_from_signed_rows_as_from_others(story: Story, rows: list[Row]) -> None:
    assert [row.event for row in rows] == story.events


ATTACKS = st.sampled_from(["changed", "removed", "doubled", "swapped", "stripped", "forged"])


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(attack=ATTACKS, data=st.data())
def test_who_writes_the_storage_and_rechains_it_all_is_found(
    rows: list[Row], attack: str, data: st.DataObject
) -> None:
    """What is cut off at the end, with the last act, no signature tells of: anchors do."""
    last_act = max(number for number, row in enumerate(rows) if is_act(row.type))
    place = data.draw(st.integers(0, last_act))
    if attack in {"stripped", "forged"} and not is_act(rows[place].type):
        return
    if attack == "removed" and place == last_act:
        return
    forged = rechained(tampered(rows, attack, place))
    if [row.data for row in forged] == [row.data for row in rows]:
        return
    doubt = doubt_about("contoso", "op-1", forged, SEAL)
    assert doubt
    assert doubt.sequence <= last_act + 2
    assert not doubt.unsigned or (attack, place) in {("stripped", 0), ("removed", 0)}


def tampered(rows: Sequence[Row], attack: str, place: int) -> list[Row]:
    before, row, after = [*rows[:place]], rows[place], [*rows[place + 1 :]]
    match attack:
        case "changed":
            return [*before, replace(row, data={**row.data, "at": "2026-03-01T09:00:59Z"}), *after]
        case "removed":
            return [*before, *after]
        case "doubled":
            return [*before, row, row, *after]
        case "swapped":
            return [*before, *after[:1], row, *after[1:]]
        case "stripped":
            return [*before, replace(row, data=without(row.data, "signature")), *after]
        case _:
            other = KeySeal(ProofKey(seed=bytes([7] * 32)))
            last = before[-1] if before else None
            forged = chain(
                "contoso",
                "op-1",
                last,
                signed("contoso", "op-1", last, [row.event], other, TOKEN),
            )
            return [*before, *forged, *after]


def without(data: Any, name: str) -> dict[str, Any]:
    return {key: value for key, value in data.items() if key != name}


def test_a_row_that_does_not_fit_the_chain_is_doubted_where_nothing_is_signed(
    story: Story,
) -> None:
    rows = recorded(story.events, None)
    assert doubt_about("contoso", "op-1", rows, None) is None
    doubt = doubt_about("contoso", "op-1", [*rows[:2], *rows[3:]], None)
    assert doubt
    assert doubt.sequence == 3


def test_an_approval_of_another_operation_counts_nowhere_else(rows: list[Row]) -> None:
    assert doubt_about("contoso", "op-2", rechained(rows), SEAL)
    assert doubt_about("fabrikam", "op-1", rechained(rows), SEAL)


@pytest.mark.parametrize("value", [None, 7, "", "a.b.c", "x" * 200, {"a": 1}])
def test_something_else_in_place_of_a_signature_is_no_signature(
    rows: list[Row], value: object
) -> None:
    data = {**rows[0].data, "signature": value}
    doubt = doubt_about("contoso", "op-1", rechained([replace(rows[0], data=data)]), SEAL)
    assert doubt
    assert doubt.sequence == 1
    assert not doubt.unsigned


def test_what_was_begun_before_acts_were_signed_is_told_apart(story: Story) -> None:
    doubt = doubt_about("contoso", "op-1", recorded(story.events, None), SEAL)
    assert doubt
    assert doubt.unsigned


def test_after_the_first_signature_none_may_be_missing(story: Story) -> None:
    """Begun before acts were signed, decided since."""
    older = recorded(story.events[:3], None)
    entries = signed("contoso", "op-1", older[-1], story.events[3:], SEAL, None)
    rows = older + chain("contoso", "op-1", older[-1], entries)
    doubt = doubt_about("contoso", "op-1", rows, SEAL)
    assert doubt
    assert doubt.unsigned
    last_act = max(number for number, row in enumerate(rows) if is_act(row.type))
    stripped = rechained(tampered(rows, "stripped", last_act))
    doubt = doubt_about("contoso", "op-1", stripped, SEAL)
    assert doubt
    assert (doubt.sequence, doubt.unsigned) == (last_act + 1, False)


def test_the_signatures_of_a_key_that_was_replaced_still_count(rows: list[Row]) -> None:
    new = ProofKey(seed=bytes([1] * 32))
    old = ProofKey(seed=bytes(32)).public
    assert doubt_about("contoso", "op-1", rows, KeySeal(new, [old])) is None
    doubt = doubt_about("contoso", "op-1", rows, KeySeal(new))
    assert doubt
    assert old.thumbprint in doubt.reason


def test_a_signed_event_keeps_what_it_is_recorded_with(story: Story) -> None:
    name, data = to_record(story.events[0])
    new = NewRow(type=name, data={**data, "token": TOKEN})
    [row] = chain("contoso", "op-1", None, [new])
    assert row.data["token"] == TOKEN
    assert row.event == story.events[0]


def test_operations_without_signatures_go_on_until_the_moment_that_is_set(story: Story) -> None:
    moment = story.now
    assert not Trust(seal=SEAL).accepts_unsigned(moment)
    until = Trust(seal=SEAL, unsigned_until=moment)
    assert until.accepts_unsigned(moment - timedelta(seconds=1))
    assert not until.accepts_unsigned(moment)
