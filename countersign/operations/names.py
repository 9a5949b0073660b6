"""What people are called who had to do with an operation, so that two of them are told apart."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping

from countersign.approvals.operation import Operation
from countersign.platform.scripts import LIKE_LATIN
from countersign.platform.visible import visible
from countersign.stores.summary import Summary

_TAIL = 6
"""Characters of an id that are shown."""

_ALIKE = str.maketrans(dict(LIKE_LATIN))


def names_in(operation: Operation) -> Mapping[str, str]:
    """Return the names of the people in an operation, by their ids, told apart."""
    return told_apart(people_in(operation))


def people_in(operation: Operation) -> Mapping[str, str]:
    """Return what the requester and all who commented, decided or ended are called, by ids."""
    people = {operation.requester.id: operation.requester.name}
    for proposal in operation.proposals:
        people |= {event.actor.id: event.actor.name for event in proposal.added}
        people |= {event.actor.id: event.actor.name for _, event in proposal.decisions}
    if operation.stopped:
        people |= {operation.stopped.actor.id: operation.stopped.actor.name}
    return people


def names_on(rows: Iterable[Summary]) -> Mapping[str, str]:
    """Return the names of all who are named on some rows of a list, by their ids, told apart."""
    people: dict[str, str] = {}
    for row in rows:
        people |= {row.requester_id: row.requester_name}
        people |= {each.person: each.name for each in row.decided_by}
    return told_apart(people)


def told_apart(people: Mapping[str, str]) -> Mapping[str, str]:
    """Return names by ids; where those of two look the same, with the end of each one's id."""
    looks = Counter(look_of(name) for name in people.values())
    return {
        person: f"{name} (\u2026{person[-_TAIL:]})" if looks[look_of(name)] > 1 else name
        for person, name in people.items()
    }


def look_of(name: str) -> str:
    """Return the form shared by names that look alike: small Latin letters, no spaces."""
    composed = unicodedata.normalize("NFKC", visible(name))
    return "".join(composed.casefold().translate(_ALIKE).split())
