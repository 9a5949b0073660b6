"""An attestation of what was written: an in-toto statement in a DSSE envelope.

See https://github.com/in-toto/attestation (Statement v1) and
https://github.com/secure-systems-lab/dsse (protocol v1).
"""

from __future__ import annotations

import base64
from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import Field

from countersign.approvals.digest import canonical
from countersign.approvals.ledger import Row
from countersign.approvals.operation import Operation
from countersign.proof.bundle import Base64, Part
from countersign.proof.keys import SigningKey
from countersign.proof.outline import outline

PAYLOAD: Literal["application/vnd.in-toto+json"] = "application/vnd.in-toto+json"
STATEMENT = "https://in-toto.io/Statement/v1"
PREDICATE = "urn:countersign:approval:1"
"""What the predicate is: the operation for people, and where its ledger ended."""


class EnvelopeSignature(Part):
    """A signature of an envelope; `keyid` is the thumbprint of the key (RFC 7638)."""

    keyid: str
    sig: Base64


class Envelope(Part):
    """A DSSE envelope; the `payload` is the statement in Base64."""

    payloadType: Literal["application/vnd.in-toto+json"]
    payload: Annotated[str, Field(pattern=r"^[A-Za-z0-9+/]+={0,2}$")]
    signatures: Annotated[list[EnvelopeSignature], Field(min_length=1)]


def attest(operation: Operation, rows: Sequence[Row], key: SigningKey) -> bytes:
    """Return the attestation of what an operation wrote, about the file with the receipt's SHA-256.

    Args:
        operation: one with a receipt.
        rows: its ledger.
        key: signs.
    """
    payload = canonical(_statement(operation, rows))
    signature = key.public.outside(key.sign(signed_bytes(payload)))
    envelope = {
        "payloadType": PAYLOAD,
        "payload": base64.b64encode(payload).decode(),
        "signatures": [{"keyid": key.public.thumbprint, "sig": signature}],
    }
    return canonical(envelope)


def _statement(operation: Operation, rows: Sequence[Row]) -> dict[str, Any]:
    assert operation.receipt is not None  # noqa: S101 - the caller has looked
    return {
        "_type": STATEMENT,
        "subject": [{"name": operation.id, "digest": {"sha256": operation.receipt["sha256"]}}],
        "predicateType": PREDICATE,
        "predicate": {
            "operation": operation.id,
            "tenant": operation.tenant,
            "kind": operation.kind,
            "summary": outline(operation),
            "ledger": {"rows": len(rows), "hash": rows[-1].hash},
        },
    }


def signed_bytes(payload: bytes) -> bytes:
    """Return DSSE's pre-authentication encoding, in which no type passes for another."""
    kind = PAYLOAD.encode()
    return b"DSSEv1 %d %b %d %b" % (len(kind), kind, len(payload), payload)
