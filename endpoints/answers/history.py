"""An operation's ledger as the API shows it, also where somebody has changed it."""

from __future__ import annotations

from typing import Any, Literal

from countersign.approvals.ledger import Row
from endpoints.answers.response_body import ResponseBody


class ActorView(ResponseBody):
    """Who caused an event."""

    id: str
    name: str
    kind: Literal["person", "system"]


class RecordedEvent(ResponseBody):
    """A row of the ledger as it was recorded; what `data` holds depends on the `type`.

    `at` (RFC 3339, UTC) and `actor` are null where the row doesn't hold what belongs there.
    """

    sequence: int
    at: str | None
    actor: ActorView | None
    type: str
    data: dict[str, Any]
    hash: str

    @classmethod
    def of(cls, row: Row) -> RecordedEvent:
        """Return a row of the ledger as the API shows it."""
        data = row.content
        at, actor = _moment(data), _actor(data)
        return cls(
            sequence=row.sequence, at=at, actor=actor, type=row.type, data=data, hash=row.hash
        )


class History(ResponseBody):
    """All rows of an operation's ledger; `chain` is `intact`, or says from where it is broken."""

    events: list[RecordedEvent]
    chain: str


def _moment(data: dict[str, Any]) -> str | None:
    return data.pop("at") if isinstance(data.get("at"), str) else None


def _actor(data: dict[str, Any]) -> ActorView | None:
    try:
        actor = ActorView.model_validate(data.get("actor"))
    except ValueError:
        return None
    del data["actor"]
    return actor
