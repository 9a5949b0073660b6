"""The hash chain: any row that was changed, moved, added or taken out of it is found."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from countersign.approvals.errors import DamagedRow, UntrustedLedger
from countersign.approvals.ledger import GENESIS, Row, chain, record_of, row_hash, row_of, verify
from countersign.approvals.person import Actor

if TYPE_CHECKING:
    from conftest import Begin


@pytest.fixture
def rows(begin: Begin) -> list[Row]:
    """The ledger of an operation that went all the way."""
    story = begin()
    story.open()
    story.revise(story.ann)
    story.open(content="rewritten")
    story.decide(story.bob)
    story.reserve()
    story.receive()
    story.close()
    return chain("contoso", "op-1", None, story.events)


def test_a_chain_that_nobody_touched_is_intact(rows: list[Row]) -> None:
    assert [row.sequence for row in rows] == list(range(1, len(rows) + 1))
    assert verify("contoso", "op-1", rows) is None
    assert verify("contoso", "op-1", []) is None


def test_the_first_row_hangs_on_the_genesis_hash(rows: list[Row]) -> None:
    assert rows[0].hash == row_hash("contoso", "op-1", 1, "OperationStarted", rows[0].data, GENESIS)


def test_appending_in_parts_makes_the_same_chain(rows: list[Row]) -> None:
    events = [row.event for row in rows]
    first = chain("contoso", "op-1", None, events[:3])
    assert first + chain("contoso", "op-1", first[-1], events[3:]) == rows


changes = st.sampled_from(["event", "hash", "sequence", "removed", "doubled", "swapped"])


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data(), change=changes)
def test_any_change_is_found_where_it_begins(
    rows: list[Row], data: st.DataObject, change: str
) -> None:
    # A row cut off at the very end leaves no trace in the rest, so it is not among these.
    at = data.draw(st.integers(0, len(rows) - 2))
    forged = list(rows)
    if change == "event":
        mallory = {"id": "id-Mallory", "name": "Mallory", "kind": "person"}
        forged[at] = replace(forged[at], data={**forged[at].data, "actor": mallory})
    elif change == "hash":
        forged[at] = replace(forged[at], hash=GENESIS)
    elif change == "sequence":
        forged[at] = replace(forged[at], sequence=at + 2)
    elif change == "removed":
        del forged[at]
    elif change == "doubled":
        forged.insert(at, forged[at])
    else:
        forged[at], forged[at + 1] = forged[at + 1], forged[at]
    expected = at + 2 if change == "doubled" else at + 1
    assert verify("contoso", "op-1", forged) == expected


def test_a_row_forged_with_a_fitting_hash_breaks_the_next_one(rows: list[Row]) -> None:
    forged = replace(rows[2].event, actor=Actor(id="id-Mallory", name="Mallory"))
    fitting = chain("contoso", "op-1", rows[1], [forged])
    assert verify("contoso", "op-1", [*rows[:2], *fitting, *rows[3:]]) == 4


@pytest.mark.parametrize(("tenant", "operation_id"), [("fabrikam", "op-1"), ("contoso", "op-2")])
def test_rows_moved_to_another_place_do_not_fit(
    rows: list[Row], tenant: str, operation_id: str
) -> None:
    assert verify(tenant, operation_id, rows) == 1


def test_rows_cut_off_at_the_end_are_left_to_the_index_to_notice(rows: list[Row]) -> None:
    assert verify("contoso", "op-1", rows[:-1]) is None


def test_a_row_that_is_no_json_does_not_fit(rows: list[Row]) -> None:
    forged = replace(rows[1], data={**rows[1].data, "version": float("nan")})
    assert verify("contoso", "op-1", [rows[0], forged, *rows[2:]]) == 2


def test_a_row_whose_data_is_no_event_is_named(rows: list[Row]) -> None:
    with pytest.raises(DamagedRow) as damage:
        _ = replace(rows[1], data={}).event
    assert damage.value.sequence == 2


def test_what_later_code_would_write_does_not_break_an_older_chain(rows: list[Row]) -> None:
    older = {key: value for key, value in rows[1].data.items() if key != "correctors"}
    [row] = rechained(rows[0], rows[1].type, older)
    assert verify("contoso", "op-1", [rows[0], row]) is None
    assert row.event == rows[1].event


def rechained(last: Row, name: str, data: dict[str, Any]) -> list[Row]:
    link = row_hash("contoso", "op-1", last.sequence + 1, name, data, last.hash)
    return [Row(sequence=last.sequence + 1, type=name, data=data, hash=link)]


def test_what_is_stored_of_a_row_is_the_row_again(rows: list[Row]) -> None:
    assert [row_of(record_of(row)) for row in rows] == rows


@pytest.mark.parametrize("text", ["", "{", "[]", "7", "null", "[" * 100_000, None])
def test_a_record_that_holds_no_event_is_named(rows: list[Row], text: Any) -> None:
    with pytest.raises(DamagedRow):
        row_of(record_of(rows[0])._replace(data=text))


def test_a_ledger_that_is_not_trusted_says_from_which_row_on_and_why() -> None:
    error = UntrustedLedger("op-1", 7, "row 7 is not signed")
    assert (error.sequence, error.reason) == (7, "row 7 is not signed")
    assert str(error) == "the ledger of op-1 can't be trusted: row 7 is not signed"
