"""What a passkey signs: digests over everything that the signature is about."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass

from countersign.approvals.digest import canonical


@dataclass(frozen=True, kw_only=True, slots=True)
class Approval:
    """What somebody approves with their signature.

    Attributes:
        digest: that of the version.
        person: the id of who approves.
        comment: what they say with it; empty if nothing.
        after: the sequence of the last row of the ledger that there was.
        previous: the hash of that row. With it, no signature can be used a second time after its
            approval was taken back.
    """

    tenant: str
    operation: str
    version: int
    digest: str
    person: str
    comment: str
    after: int
    previous: str


def approval_challenge(approval: Approval) -> bytes:
    """Return the 32 bytes that are signed to approve: a SHA-256 over canonical JSON (RFC 8785)."""
    said = {
        "purpose": "countersign-approval 1",
        "decision": "approve",
        "tenant": approval.tenant,
        "operation": approval.operation,
        "version": approval.version,
        "digest": approval.digest,
        "person": approval.person,
        "comment": approval.comment,
        "after": approval.after,
        "previous": approval.previous,
    }
    return hashlib.sha256(canonical(said)).digest()


def adding_challenge(tenant: str, person: str, ids: Iterable[str]) -> bytes:
    """Return the challenge with which somebody adds a passkey.

    It is another one for each person, and as soon as they have added one, so no answer to it can be
    used twice.

    Args:
        tenant: their tenant.
        person: their id.
        ids: the ids of all passkeys that they ever added.
    """
    said = {
        "purpose": "countersign-passkey 1",
        "tenant": tenant,
        "person": person,
        "passkeys": sorted(ids),
    }
    return hashlib.sha256(canonical(said)).digest()
