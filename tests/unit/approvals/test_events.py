"""Every event survives its way into JSON and back, and nothing else is read as one."""

from __future__ import annotations

import json
from dataclasses import fields
from datetime import timezone
from typing import TYPE_CHECKING, Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from countersign.approvals.digest import canonical
from countersign.approvals.events import CommentResolved, DecisionRecorded, Event, ProposalOpened
from countersign.approvals.evidence_count import EvidenceCount
from countersign.approvals.folding import fold
from countersign.approvals.ledger import from_record, to_record
from countersign.approvals.money import Money
from countersign.approvals.policy import Policy, Tier

if TYPE_CHECKING:
    from conftest import Begin

REVIEWER = "Report.Reviewer"
OLD_POLICY = {"reviewer_role", "escalation_role", "quorum", "window_seconds", "reminders"}
KINDS: tuple[type[Event], ...] = get_args(Event)

# What RFC 8785 can sign: integers and floats below 2**53; times are UTC.
moments = st.datetimes(timezones=st.just(timezone.utc))
numbers = st.integers(-(2**53) + 1, 2**53 - 1)
amounts = st.decimals(allow_nan=False, allow_infinity=False)
tiers = st.builds(Tier, above=amounts, quorum=numbers, countersigner_role=st.none() | st.text())
FIELDS: dict[str, Any] = {
    "at": moments,
    "expires_at": moments,
    "version": numbers,
    "approval": numbers,
    "tries": numbers,
    "kept": st.lists(numbers).map(tuple),
    "count": numbers,
    "evidence_count": st.none()
    | st.builds(EvidenceCount, **{each.name: numbers for each in fields(EvidenceCount)}),
    "quorum": st.none() | numbers,
    "tokens": numbers,
    "percent": numbers,
    "receipt": st.dictionaries(st.text(), st.text() | numbers),
    "amount": st.none() | st.builds(Money, amount=amounts, currency=st.text()),
    "failed": st.dictionaries(st.text(), st.text()),
    "policy": st.builds(
        Policy,
        reviewer_role=st.text(),
        escalation_role=st.none() | st.text(),
        quorum=numbers,
        window_seconds=st.floats(-(2.0**52), 2.0**52),
        reminders=st.lists(numbers).map(tuple),
        tiers=st.lists(tiers, max_size=3).map(tuple),
    ),
}


def _any(kind: type[Event]) -> st.SearchStrategy[Event]:
    known = {**FIELDS, "comment": numbers} if kind is CommentResolved else FIELDS
    return st.builds(kind, **{field.name: known.get(field.name, ...) for field in fields(kind)})


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_every_kind_of_event_reads_back_as_it_was_written(
    kind: type[Event], data: st.DataObject
) -> None:
    event = data.draw(_any(kind))
    name, record = to_record(event)
    assert name == kind.__name__
    assert from_record(name, json.loads(json.dumps(record))) == event


@settings(max_examples=100, deadline=None)
@given(event=st.one_of([_any(kind) for kind in KINDS]))
def test_what_is_read_back_is_written_the_same_so_its_hash_holds(event: Event) -> None:
    name, record = to_record(event)
    stored = json.loads(canonical(record))
    again_name, again = to_record(from_record(name, stored))
    assert (again_name, canonical(again)) == (name, canonical(record))


@pytest.mark.parametrize("kind", KINDS)
def test_every_event_has_its_moment_and_its_actor(kind: type[Event]) -> None:
    assert {"at", "actor"} <= {field.name for field in fields(kind)}


def test_an_unknown_type_of_event_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match="unknown type 'ProposalForged'"):
        from_record("ProposalForged", {})


def test_data_of_another_event_is_refused() -> None:
    with pytest.raises(ValueError, match="WriteClaimed"):
        from_record("WriteClaimed", {"at": "2026-03-01T09:00:00Z", "actor": None})


def _without(event: Event, *names: str) -> Event:
    """The event as it is read from a row that was written before it had these fields."""
    kind, record = to_record(event)
    return from_record(kind, {key: each for key, each in record.items() if key not in names})


def test_rows_from_before_there_were_amounts_and_roles_mean_what_they_meant(begin: Begin) -> None:
    story = begin(quorum=2, edition=1)
    story.open()
    story.decide(story.ann)
    started, opened, decided = story.events
    _, record = to_record(started)
    policy = {key: record["policy"][key] for key in record["policy"] if key in OLD_POLICY}
    assert len(policy) == len(OLD_POLICY)
    assert from_record("OperationStarted", {**record, "policy": policy}) == started
    old = [
        started,
        _without(opened, "quorum", "countersigner_role", "amount"),
        _without(decided, "roles"),
    ]
    assert isinstance(old[1], ProposalOpened)
    assert isinstance(old[2], DecisionRecorded)
    assert (old[1].quorum, old[2].roles) == (None, ())
    read = fold("contoso", "op-1", old)
    assert read is not None
    assert read.proposals[0].quorum == 2
    assert read.proposals[0].approvals == story.current.approvals == {story.ann.id: (REVIEWER,)}
    story.events = old
    story.decide(story.bob)
    assert story.current.status == "approved"
