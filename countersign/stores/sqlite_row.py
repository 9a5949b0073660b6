"""How the row of an operation, and the announcement of its change, stand in the SQLite file."""

from __future__ import annotations

import logging
import sqlite3
import uuid

from countersign.stores.index import overdue_from, unpurged_since
from countersign.stores.pages import micros, to_text
from countersign.stores.summary import Summary

_log = logging.getLogger(__name__)

_PUT = """INSERT INTO operations VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (tenant, operation_id) DO UPDATE SET sequence = excluded.sequence,
        state = excluded.state, required_role = excluded.required_role,
        expires_at = excluded.expires_at, overdue_from = excluded.overdue_from,
        summary = excluded.summary, unpurged_since = excluded.unpurged_since
    WHERE excluded.sequence >= operations.sequence"""
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


def put_row(file: sqlite3.Connection, summary: Summary) -> None:
    """Write a row unless a newer one (by sequence) is there."""
    expires_at, overdue = summary.expires_at, overdue_from(summary)
    closed = unpurged_since(summary)
    values = (
        summary.tenant,
        summary.operation_id,
        summary.sequence,
        summary.state,
        micros(summary.created_at),
        summary.requester_id,
        summary.required_role,
        micros(expires_at) if expires_at else None,
        micros(overdue) if overdue else None,
        to_text(summary),
        micros(closed) if closed else None,
    )
    file.execute(_PUT, values)


def announce(file: sqlite3.Connection, token: str, tenant: str, operation_id: str, at: int) -> None:
    """Note that an operation is about to change; `at` is in microseconds since 1970 (UTC)."""
    file.execute(_ANNOUNCE, (token, tenant, operation_id, at))


def retract(file: sqlite3.Connection, token: str) -> None:
    """End an announcement."""
    file.execute(_RETRACT, (token,))
