"""Looks at the state file from the side, so that the engine never waits for an onlooker."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

from devhost.durable.history import parse
from devhost.durable.instance import OVER
from devhost.page.timeline import timeline

_SHOWN = 100
_LONGEST_TEXT = 2_000
_FIELDS = ("id", "name", "status", "created", "updated")
_TEXTS = ("input", "output", "customStatus")


class PageQueries:
    """Reads what the page shows.

    Args:
        state: The state file.
    """

    def __init__(self, state: Path) -> None:
        self._address = f"{state.as_uri()}?mode=ro"

    def summary(self, status: str = "") -> dict[str, Any]:
        """Return how many instances and entities there are, and which instances changed last.

        Args:
            status: Only instances of this status; all if empty.
        """
        counts = "SELECT status, count(*) FROM instances GROUP BY status"
        latest = """SELECT id, name, status, created, updated FROM instances
            WHERE ? IN ('', status) ORDER BY updated DESC, id LIMIT ?"""
        with self._reading() as db:
            return {
                "counts": dict(db.execute(counts).fetchall()),
                "instances": [
                    dict(zip(_FIELDS, row, strict=True))
                    for row in db.execute(latest, (status, _SHOWN))
                ],
                "entities": db.execute("SELECT count(*) FROM entities WHERE present").fetchone()[0],
                "next": dict(db.execute("SELECT name, next FROM triggers").fetchall()),
            }

    def course(self, instance_id: str) -> dict[str, Any] | None:
        """Return what an instance went through; None if there is no such instance."""
        about = """SELECT status, execution, input, output, custom_status
            FROM instances WHERE id = ?"""
        history = "SELECT events FROM history WHERE instance = ? ORDER BY episode"
        timers = "SELECT task FROM timers WHERE instance = ? AND execution = ?"
        with self._reading() as db:
            row = db.execute(about, (instance_id,)).fetchone()
            if row is None:
                return None
            status, execution, *texts = row
            episodes = [text for (text,) in db.execute(history, (instance_id,))]
            waiting = {task for (task,) in db.execute(timers, (instance_id, execution))}
        spans = timeline(parse(episodes), timers=waiting, over=status in OVER)
        shown = [text and text[:_LONGEST_TEXT] for text in texts]
        return {"spans": [asdict(s) for s in spans], **dict(zip(_TEXTS, shown, strict=True))}

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        with closing(sqlite3.connect(self._address, uri=True, isolation_level=None)) as db:
            # Within a transaction all queries see the same moment.
            db.execute("BEGIN")
            yield db
