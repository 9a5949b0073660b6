"""Every event survives its way into JSON and back, and nothing else is read as one."""

from __future__ import annotations

import json
from dataclasses import fields
from datetime import timezone
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from countersign.approvals.digest import canonical
from countersign.approvals.events import Event, from_record, to_record
from countersign.approvals.policy import Policy

KINDS: tuple[type[Event], ...] = get_args(Event)

# What RFC 8785 can sign: integers and floats below 2**53; times are UTC.
moments = st.datetimes(timezones=st.just(timezone.utc))
numbers = st.integers(-(2**53) + 1, 2**53 - 1)
FIELDS: dict[str, Any] = {
    "at": moments,
    "expires_at": moments,
    "version": numbers,
    "tokens": numbers,
    "percent": numbers,
    "receipt": st.dictionaries(st.text(), st.text() | numbers),
    "failed": st.dictionaries(st.text(), st.text()),
    "policy": st.builds(
        Policy,
        reviewer_role=st.text(),
        escalation_role=st.none() | st.text(),
        quorum=numbers,
        window_seconds=st.floats(-(2.0**52), 2.0**52),
        reminders=st.lists(numbers).map(tuple),
    ),
}


def _any(kind: type[Event]) -> st.SearchStrategy[Event]:
    return st.builds(kind, **{field.name: FIELDS.get(field.name, ...) for field in fields(kind)})


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
