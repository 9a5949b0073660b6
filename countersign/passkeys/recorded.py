"""The signatures by passkeys that a ledger has, each checked against the row that it is in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from countersign.approvals.events import DecisionRecorded
from countersign.approvals.ledger import Row
from countersign.passkeys.challenge import Approval, approval_challenge
from countersign.passkeys.errors import PasskeyFault
from countersign.passkeys.signature import check, read_signed


@dataclass(frozen=True, kw_only=True, slots=True)
class OwnKey:
    """With which passkey an approval was signed.

    Attributes:
        fingerprint: the SHA-256 of its public key.
        origin: the page on which it was signed.
    """

    fingerprint: str
    origin: str


def signed_approvals(
    tenant: str, operation_id: str, rows: Sequence[Row]
) -> Mapping[int, OwnKey | None]:
    """Return with which passkeys approvals were signed, by the sequences of their rows.

    It is None where that was erased.

    Args:
        tenant: whose operation it is.
        operation_id: the operation.
        rows: its ledger, whose chain is intact.

    Raises:
        PasskeyFault: a signature doesn't hold; names the row.
    """
    found: dict[int, OwnKey | None] = {}
    for row in rows:
        event = row.event if row.type == DecisionRecorded.__name__ else None
        if not isinstance(event, DecisionRecorded) or event.passkey is None:
            continue
        if _is_erased(row):
            found[row.sequence] = None
            continue
        try:
            found[row.sequence] = _own_key(tenant, operation_id, rows, event)
        except PasskeyFault as fault:
            text = f"{fault}"
            said = f"{text[:1].lower()}{text[1:].rstrip('.')}"
            raise PasskeyFault(f"row {row.sequence} ({row.type}): {said}") from fault
    return found


def _own_key(
    tenant: str, operation_id: str, rows: Sequence[Row], event: DecisionRecorded
) -> OwnKey:
    passkey = event.passkey
    assert passkey is not None  # noqa: S101 - looked at before
    if not 1 <= passkey.after <= len(rows):
        raise PasskeyFault("The row after which it was signed is not there.")
    approval = Approval(
        tenant=tenant,
        operation=operation_id,
        version=event.version,
        digest=event.digest,
        person=event.actor.id,
        comment=event.comment,
        after=passkey.after,
        previous=rows[passkey.after - 1].hash,
    )
    signed = read_signed(passkey.text)
    seen = check(signed, approval_challenge(approval))
    return OwnKey(fingerprint=signed.fingerprint, origin=seen.origin)


def _is_erased(row: Row) -> bool:
    """Return whether anything that was signed is erased, so that nothing can be checked."""
    passkey = cast("dict[str, Any]", row.data["passkey"])
    actor = cast("dict[str, Any]", row.data["actor"])
    signed = (passkey.get("text"), actor.get("id"), row.data.get("comment"))
    return any(
        isinstance(each, dict)
        and cast("dict[str, Any]", each).get("commitment") not in row.openings
        for each in signed
    )
