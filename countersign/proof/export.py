"""Make the proof bundle of an operation from what is stored about it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime, timezone
from typing import Any

from countersign.approvals.folding import fold
from countersign.approvals.ledger import Row
from countersign.approvals.operation import Operation
from countersign.proof.anchoring import newest_heads
from countersign.proof.bundle import NAME, Inclusion, signed, version_of
from countersign.proof.keys import SigningKey
from countersign.proof.outline import outline
from countersign.stores.artifacts import ArtifactError, Artifacts


async def export(
    tenant: str,
    operation_id: str,
    rows: Sequence[Row],
    artifacts: Artifacts,
    *,
    key: SigningKey,
    now: datetime,
) -> bytes:
    """Return the bundle of an operation, signed.

    Args:
        tenant: whose operation it is.
        operation_id: the operation.
        rows: its ledger, which has begun.
        artifacts: where the contents of its versions are.
        key: who vouches for it.
        now: the moment (UTC).

    Raises:
        LedgerError: the rows can't be read, or could never have happened in this order.
        ArtifactError: a content is missing or damaged.
    """
    operation = fold(tenant, operation_id, (row.event for row in rows))
    assert operation is not None  # noqa: S101 - there is a row
    inclusion = await _inclusion(tenant, operation_id, artifacts)
    evidence = await _evidence(operation, artifacts)
    data = [row.data for row in rows]
    version = version_of(data, inclusion, with_evidence=evidence is not None)
    document = {
        "format": {"name": NAME, "version": version},
        **({"inclusion": inclusion.model_dump()} if inclusion else {}),
        **({"evidence": evidence} if evidence is not None else {}),
        "operation": {"id": operation_id, "tenant": tenant, "kind": operation.kind},
        "rows": [_recorded(row) for row in rows],
        "contents": {
            reference: json.loads(await artifacts.get(operation.shelf, reference))
            for reference in (() if operation.erased else references(operation))
        },
        "summary": outline(operation),
        "exported_at": now.astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
    }
    if not key.waits:
        return signed(document, key)
    # Imported here because to verify a proof, by the other half of this, takes none of it.
    import asyncio

    return await asyncio.to_thread(signed, document, key)


async def _evidence(operation: Operation, artifacts: Artifacts) -> dict[str, Any] | None:
    """Return the evidence for the newest version; None if there is none, or it is lost.

    It also names who brought a source, so it is left out once anyone was erased.
    """
    current = operation.current
    if current is None or current.evidence is None:
        return None
    if operation.erased or operation.people_erased:
        return None
    try:
        return json.loads(await artifacts.get(operation.shelf, current.evidence))
    except ArtifactError:
        return None


async def _inclusion(tenant: str, operation_id: str, artifacts: Artifacts) -> Inclusion | None:
    """Return an operation's place in the newest anchor of its tenant; None if it isn't there."""
    heads = await newest_heads(artifacts, tenant)
    return heads.inclusion(operation_id) if heads else None


def references(operation: Operation) -> dict[str, int]:
    """Return all contents offered or sent as corrections, with the first version to name each."""
    found: dict[str, int] = {}
    for proposal in operation.proposals:
        found.setdefault(proposal.content, proposal.version)
        for _, event in proposal.decisions:
            if event.correction is not None:
                found.setdefault(event.correction, proposal.version)
    return found


def _recorded(row: Row) -> dict[str, Any]:
    openings = {named: list(opening) for named, opening in row.openings.items()}
    return {
        "sequence": row.sequence,
        "type": row.type,
        "data": dict(row.data),
        "hash": row.hash,
        **({"openings": openings} if openings else {}),
    }
