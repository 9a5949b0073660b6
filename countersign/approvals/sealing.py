"""Names and texts stand beside a row, which holds commitments to them: so they can be erased.

A commitment is HMAC-SHA-256 (RFC 2104) over the canonical JSON of a text, keyed with a salt that
nobody can guess. Whoever has both can see that it is the one that was recorded; without them, the
commitment tells nothing. Hashes and signatures are over commitments, so they hold in any case.
"""

from __future__ import annotations

import hmac
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, NamedTuple, TypeAlias, cast

from countersign.approvals.digest import canonical

ERASED: Final = "[erased]"
"""What stands in the place of a name or text that was erased."""

TEXTS: Final[Mapping[str, tuple[str, ...]]] = {
    "OperationStarted": ("title",),
    "WorkPlanned": ("subtopics",),
    "WorkHeld": ("reason",),
    "RevisionFailed": ("reason",),
    "ProposalOpened": ("title",),
    "DecisionRecorded": ("comment", "passkey"),
    "QuestionAsked": ("question",),
    "QuestionFailed": ("reason",),
    "OperationWithdrawn": ("reason",),
    "OperationStopped": ("reason",),
    "WriteRefused": ("reason",),
    "WriteFound": ("found",),
    "OperationClosed": ("reason",),
    "NoticeSent": ("failed",),
    "LegalHoldPlaced": ("reason",),
    "LegalHoldLifted": ("reason",),
}
"""The fields of events that hold texts by people, or about them: one, a list, or a mapping."""

PEOPLE: Final = ("correctors",)
"""The fields of any event that hold the ids of people."""

_SALT = re.compile(r"[0-9a-f]{32}")
_ID_DIGITS = 16


class Opening(NamedTuple):
    """What a commitment stands for.

    Attributes:
        salt: 16 bytes as hexadecimal digits. One length alone: HMAC fills shorter keys up.
        value: the name, id or text.
    """

    salt: str
    value: str


Openings: TypeAlias = Mapping[str, Opening]
"""Openings by their commitments."""

Salts: TypeAlias = Mapping[str, str]
"""Return the salts of people's ids by the ids: within an operation everybody has one.

So the commitment to an id is the same in all rows, and still tells people apart once it is erased.
"""

_Place: TypeAlias = Callable[[Any, bool], Any]
"""Gives what is to stand in a place, for what stands there and whether that is a person's id."""


def commitment_to(opening: Opening) -> str:
    """Return the commitment that an opening belongs to, as 64 hexadecimal digits.

    Raises:
        ValueError: the salt is none, or the value no text.
    """
    if not _SALT.fullmatch(opening.salt):
        raise ValueError("not a salt")
    key = bytes.fromhex(opening.salt)
    return hmac.digest(key, canonical(opening.value), "sha256").hex()


def sealed(
    name: str, data: Mapping[str, Any], salts: Salts, new_salt: Callable[[], str]
) -> tuple[dict[str, Any], dict[str, Opening]]:
    """Return the data of an event with commitments in the place of texts, and their openings.

    Args:
        name: the type of the event.
        data: its JSON.
        salts: of the people of the operation so far.
        new_salt: makes a salt that nobody can guess.
    """
    openings: dict[str, Opening] = {}
    people = dict(salts)

    def seal(value: Any, is_id: bool) -> Any:
        if not isinstance(value, str) or not value:
            return value
        salt = people.setdefault(value, new_salt()) if is_id else new_salt()
        opening = Opening(salt, value)
        commitment = commitment_to(opening)
        openings[commitment] = opening
        return {"commitment": commitment}

    return _with_places(name, data, seal), openings


def opened(name: str, data: Mapping[str, Any], openings: Openings) -> dict[str, Any]:
    """Return the data of an event as it was before it was sealed, less what was erased since."""

    def open_(value: Any, is_id: bool) -> Any:
        commitment = _commitment_in(value)
        if commitment is None:
            return value
        if opening := openings.get(commitment):
            return opening.value
        return f"erased-{commitment[:_ID_DIGITS]}" if is_id else ERASED

    return _with_places(name, data, open_)


def commitments_in(name: str, data: Mapping[str, Any]) -> frozenset[str]:
    """Return all commitments in a row's data."""
    return frozenset(commitment for commitment, _ in _found(name, data))


def fit(name: str, data: Mapping[str, Any], openings: Openings) -> bool:
    """Return whether openings are of commitments in this data."""
    try:
        right = all(commitment_to(each) == named for named, each in openings.items())
    except ValueError:
        return False
    return right and openings.keys() <= commitments_in(name, data)


def salts_in(name: str, data: Mapping[str, Any], openings: Openings) -> Salts:
    """Return the salts of the people whose ids are in a row."""
    ids = (openings.get(commitment) for commitment, is_id in _found(name, data) if is_id)
    return {opening.value: opening.salt for opening in ids if opening}


def _found(name: str, data: Mapping[str, Any]) -> Iterator[tuple[str, bool]]:
    """Yield the commitments in a row's data, each with whether it is to a person's id."""
    found: list[tuple[str, bool]] = []

    def note(value: Any, is_id: bool) -> Any:
        if commitment := _commitment_in(value):
            found.append((commitment, is_id))
        return value

    _with_places(name, data, note)
    yield from found


def _commitment_in(value: Any) -> str | None:
    if not isinstance(value, dict):
        return None
    named = cast("dict[str, Any]", value).get("commitment")
    return named if isinstance(named, str) else None


def _with_places(name: str, data: Mapping[str, Any], place: _Place) -> dict[str, Any]:
    """Return the data with each place of a name or text as `place` gives it."""
    changed = dict(data)
    for field in TEXTS.get(name, ()):
        if field in changed:
            changed[field] = _each(changed[field], lambda value: place(value, False))
    for field in PEOPLE:
        if field in changed:
            changed[field] = _each(changed[field], lambda value: place(value, True))
    actor: Any = changed.get("actor")
    # The system is no person, and its name no secret.
    if isinstance(actor, dict) and actor.get("kind") == "person":  # pyright: ignore[reportUnknownMemberType]
        person = cast("dict[str, Any]", actor)
        names = {"id": place(person.get("id"), True), "name": place(person.get("name"), False)}
        changed["actor"] = {**person, **names}
    return changed


def _each(value: Any, change: Callable[[Any], Any]) -> Any:
    """Change one value, or all of a list or mapping; a commitment is one value."""
    if isinstance(value, list):
        return [change(each) for each in cast("list[Any]", value)]
    if isinstance(value, dict) and _commitment_in(value) is None:
        return {key: change(each) for key, each in cast("dict[str, Any]", value).items()}
    return change(value)
