"""How the row of an operation, and the announcement of its change, stand in the SQLite file."""

from __future__ import annotations

import json
import logging
import sqlite3
import uuid
from collections.abc import Sequence
from typing import Any

from countersign.stores.index import overdue_from, unpurged_since
from countersign.stores.pages import amount_number, decided_number, due_number, micros, to_text
from countersign.stores.search import words_of
from countersign.stores.summary import Summary

_log = logging.getLogger(__name__)

_PUT = """INSERT INTO operations (tenant, operation_id, sequence, state, kind, created_at,
        requester_id, required_role, other_role, expires_at, amount, decided_at, approvals_needed,
        words, overdue_from, unpurged_since, summary)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (tenant, operation_id) DO UPDATE SET sequence = excluded.sequence,
        state = excluded.state, kind = excluded.kind, requester_id = excluded.requester_id,
        required_role = excluded.required_role, other_role = excluded.other_role,
        expires_at = excluded.expires_at, amount = excluded.amount,
        decided_at = excluded.decided_at, approvals_needed = excluded.approvals_needed,
        words = excluded.words, overdue_from = excluded.overdue_from,
        unpurged_since = excluded.unpurged_since, summary = excluded.summary"""
_BEFORE = "SELECT sequence, words, summary FROM operations WHERE tenant = ? AND operation_id = ?"
_ADD_WORD = "INSERT OR IGNORE INTO words (tenant, word, operation_id) VALUES (?, ?, ?)"
_DROP_WORD = "DELETE FROM words WHERE tenant = ? AND word = ? AND operation_id = ?"
_DROP_DECIDER = "DELETE FROM deciders WHERE tenant = ? AND person = ? AND operation_id = ?"
_ADD_DECIDER = "INSERT OR IGNORE INTO deciders (tenant, person, operation_id) VALUES (?, ?, ?)"
_ANNOUNCE = "INSERT INTO announcements (token, tenant, operation_id, at) VALUES (?, ?, ?, ?)"
_RETRACT = "DELETE FROM announcements WHERE token = ?"


def show(file: sqlite3.Connection, summary: Summary) -> None:
    """Write a row within the transaction of its change; if it can't be, leave an announcement.

    What happened counts in any case, and whoever carries announcements out tries again.
    """
    file.execute("SAVEPOINT shown")
    try:
        put_row(file, summary)
    except sqlite3.DatabaseError as error:
        # After some faults, such as a full disk, SQLite has taken the whole transaction back.
        if not file.in_transaction:
            raise
        _log.warning("the index does not show %s yet: %s", summary.operation_id, error)
        file.execute("ROLLBACK TO shown")
        at = micros(summary.updated_at)
        announce(file, uuid.uuid4().hex, summary.tenant, summary.operation_id, at)
    file.execute("RELEASE shown")


def put_row(file: sqlite3.Connection, summary: Summary, *, anew: bool = False) -> bool:
    """Write a row, its words and deciders, unless a newer one (by sequence) is there.

    Args:
        file: where.
        summary: the row.
        anew: whether words of it can be missing that the row there says it has.

    Returns:
        Whether it was missing, or another one.
    """
    key = summary.tenant, summary.operation_id
    sequence, words, text = file.execute(_BEFORE, key).fetchone() or (0, "", "")
    if sequence > summary.sequence:
        return False
    columns = _columns(summary)
    file.execute(_PUT, columns)
    _put_words(file, summary, before=set(words.split()), anew=anew)
    _put_deciders(file, summary, before=_deciders_in(text))
    return text != columns[-1]


def _columns(summary: Summary) -> Sequence[Any]:
    overdue, closed = overdue_from(summary), unpurged_since(summary)
    return (
        summary.tenant,
        summary.operation_id,
        summary.sequence,
        summary.state,
        summary.kind,
        micros(summary.created_at),
        summary.requester_id,
        *_roles(summary),
        due_number(summary),
        amount_number(summary),
        decided_number(summary),
        summary.approvals_needed,
        " ".join(words_of(summary)),
        micros(overdue) if overdue else None,
        micros(closed) if closed else None,
        to_text(summary),
    )


def _roles(summary: Summary) -> Sequence[str | None]:
    """Return the one or two roles that are waited for; None for the second where there is one."""
    first, second, *_ = (*summary.awaited, None, None)
    return first, second


def _put_words(file: sqlite3.Connection, summary: Summary, before: set[str], *, anew: bool) -> None:
    now = set(words_of(summary))
    added = now if anew else now - before
    for statement, words in ((_ADD_WORD, added), (_DROP_WORD, before - now)):
        values = [(summary.tenant, word, summary.operation_id) for word in words]
        file.executemany(statement, values)


def _put_deciders(file: sqlite3.Connection, summary: Summary, before: set[str]) -> None:
    """Drop those who took their decision back, or have another id since they were erased."""
    now = {each.person for each in summary.decided_by}
    for statement, people in ((_ADD_DECIDER, now), (_DROP_DECIDER, before - now)):
        values = [(summary.tenant, person, summary.operation_id) for person in people]
        file.executemany(statement, values)


def _deciders_in(text: str) -> set[str]:
    """Return the ids of the deciders in a stored row; none if it is damaged."""
    try:
        return {each["person"] for each in json.loads(text or "{}").get("decided_by", ())}
    except (ValueError, LookupError, TypeError, AttributeError):
        return set()


def announce(file: sqlite3.Connection, token: str, tenant: str, operation_id: str, at: int) -> None:
    """Note that an operation is about to change; `at` is in microseconds since 1970 (UTC)."""
    file.execute(_ANNOUNCE, (token, tenant, operation_id, at))


def retract(file: sqlite3.Connection, token: str) -> None:
    """End an announcement."""
    file.execute(_RETRACT, (token,))
