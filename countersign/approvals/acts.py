"""What a person does is signed where it is recorded, and looked at before anything rests on it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final, Protocol, TypeAlias

from countersign.approvals.digest import canonical
from countersign.approvals.erased import first_missing
from countersign.approvals.ledger import GENESIS, Entry, NewRow, Row, chain, new_row, verify

OF_THE_SYSTEM: Final = frozenset(
    {
        "WorkPlanned",
        "WorkDone",
        "ModelCalled",
        "WorkHeld",
        "WorkResumed",
        "RevisionFailed",
        "ProposalOpened",
        "ProposalExpired",
        "ReminderDue",
        "QuestionAnswered",
        "QuestionFailed",
        "WriteClaimed",
        "WriteRefused",
        "WriteFound",
        "ReceiptRecorded",
        "OperationClosed",
        "NoticeClaimed",
        "NoticeSent",
        "NoticeInDoubt",
        "ContentErased",
    }
)
"""The events that no person causes. Every other one is an act, whatever it says of its actor."""


class Seal(Protocol):
    """Signs acts, and says which signatures count."""

    @property
    def waits(self) -> bool:
        """Whether signing asks another machine, so that it belongs into a thread."""
        ...

    def sign(self, data: bytes) -> str:
        """Return the signature over some bytes."""
        ...

    def fault(self, signature: str, data: bytes) -> str | None:
        """Return why a signature doesn't count, as the end of a sentence; None if it does."""
        ...


Examine: TypeAlias = Callable[[str, str, Sequence[Row]], Awaitable["LedgerDoubt | None"]]
"""Says why the rules don't lead to the rows of a tenant's operation; None if they do."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Trust:
    """What makes a ledger one that may be acted on.

    Attributes:
        seal: signs acts, and says which signatures count.
        unsigned_until: until when (UTC) operations go on that were begun before acts were signed,
            or by somebody who can write the storage and says so; None for no longer.
        examine: whether the rules lead to all rows of a ledger; None to leave that to proofs.
    """

    seal: Seal
    unsigned_until: datetime | None = None
    examine: Examine | None = None

    def accepts_unsigned(self, now: datetime) -> bool:
        """Return whether operations without signatures still go on."""
        return self.unsigned_until is not None and now < self.unsigned_until


@dataclass(frozen=True, kw_only=True, slots=True)
class LedgerDoubt:
    """Why nothing may rest on a ledger.

    Attributes:
        sequence: the first row that is not what the app recorded.
        reason: a sentence for people.
        unsigned: whether all that is wrong is that nothing was ever signed.
    """

    sequence: int
    reason: str
    unsigned: bool = False


def is_act(name: str) -> bool:
    """Return whether an event of this type is a person's act."""
    return name not in OF_THE_SYSTEM


def signed(
    tenant: str,
    operation_id: str,
    last: Row | None,
    entries: Sequence[Entry],
    seal: Seal,
    token: str | None,
) -> Sequence[NewRow]:
    """Return what is to be appended after a row: each act with a signature over its row.

    Args:
        tenant: whose operation it is.
        operation_id: the operation.
        last: its last row, None before the first.
        entries: what is to be appended.
        seal: signs.
        token: the SHA-256 of the token that proved the person; None if nothing did here.
    """
    rows: list[NewRow] = []
    for row in map(new_row, entries):
        if is_act(row.type):
            data = {**row.data, **({"token": token} if token else {})}
            sequence, previous = (last.sequence, last.hash) if last else (0, GENESIS)
            act = act_data(tenant, operation_id, sequence + 1, row.type, data, previous)
            row = replace(row, data={**data, "signature": seal.sign(act)})
        rows.append(row)
        [last] = chain(tenant, operation_id, last, [row])
    return rows


def act_data(
    tenant: str,
    operation_id: str,
    sequence: int,
    name: str,
    data: Mapping[str, Any],
    previous: str,
) -> bytes:
    """Return the bytes that an act's signature covers: its row, unsigned, and the row's place.

    By the hash of the row before, that is all that was recorded until then too: who requested it,
    under which terms, and what each version contains.
    """
    unsigned = {key: value for key, value in data.items() if key != "signature"}
    return canonical(
        {
            "tenant": tenant,
            "operation": operation_id,
            "sequence": sequence,
            "type": name,
            "data": unsigned,
            "previous": previous,
        }
    )


def doubt_about(
    tenant: str, operation_id: str, rows: Sequence[Row], seal: Seal | None
) -> LedgerDoubt | None:
    """Return why nothing may rest on these rows; None if they are what the app recorded.

    In an operation that was begun before acts were signed, they are from the first signature on.

    Args:
        tenant: whose operation it is.
        operation_id: the operation.
        rows: its ledger.
        seal: says which signatures count; None where nothing is signed.
    """
    broken = verify(tenant, operation_id, rows)
    if broken is not None:
        return LedgerDoubt(sequence=broken, reason=f"Row {broken} is not as it was recorded.")
    if missing := first_missing(rows):
        reason = f"Row {missing} lacks names or texts, and nothing says that they were erased."
        return LedgerDoubt(sequence=missing, reason=reason)
    if seal is None or not rows:
        return None
    return _unsigned(tenant, operation_id, rows, seal)


def _unsigned(
    tenant: str, operation_id: str, rows: Sequence[Row], seal: Seal
) -> LedgerDoubt | None:
    signs, previous = "signature" in rows[0].data, GENESIS
    for row in rows:
        if is_act(row.type) and (signs or "signature" in row.data):
            signs = True
            if fault := _fault(tenant, operation_id, row, previous, seal):
                reason = f"Row {row.sequence} ({row.type}) {fault}."
                return LedgerDoubt(sequence=row.sequence, reason=reason)
        previous = row.hash
    if "signature" in rows[0].data:
        return None
    reason = "It was begun without a signature: before this app signed, or not by this app."
    return LedgerDoubt(sequence=1, reason=reason, unsigned=True)


def _fault(tenant: str, operation_id: str, row: Row, previous: str, seal: Seal) -> str | None:
    signature = row.data.get("signature")
    if not isinstance(signature, str):
        return "has no signature of this app's, so nobody can say that a person did that"
    data = act_data(tenant, operation_id, row.sequence, row.type, row.data, previous)
    return seal.fault(signature, data)
