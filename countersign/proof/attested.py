"""What an attestation proves to whoever has the key and the file that it is about."""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import ValidationError

from countersign.approvals.digest import sha256
from countersign.proof.attestation import PREDICATE, STATEMENT, Envelope, signed_bytes
from countersign.proof.errors import ProofFault
from countersign.proof.public_key import PublicKey


@dataclass(frozen=True, kw_only=True, slots=True)
class Attested:
    """What an attestation says.

    Attributes:
        operation: the id of the operation.
        digest: the SHA-256 of what it wrote.
        pinned: whether a key that was given has signed it.
        found: whether the given file is what was written.
    """

    operation: str
    digest: str
    pinned: bool
    found: bool


def is_attestation(data: bytes) -> bool:
    """Return whether these bytes have the key that an envelope has, and no bundle."""
    return b'"payloadType"' in data


def attested(data: bytes, *, keys: Sequence[PublicKey], report: bytes | None) -> Attested:
    """Check an attestation, and return what it says.

    Args:
        data: the envelope.
        keys: those of which one has to have signed it; none to leave that unchecked.
        report: what it has to be about; None to leave that unchecked.

    Raises:
        ProofFault: it is no attestation, none of the keys has signed it, or it is about another
            file.
    """
    try:
        envelope = Envelope.model_validate_json(data)
        payload = base64.b64decode(envelope.payload, validate=True)
        statement = json.loads(payload)
        [subject] = statement["subject"]
        name, digest = str(subject["name"]), str(subject["digest"]["sha256"])
        kinds = (statement["_type"], statement["predicateType"])
    except (ValidationError, ValueError, LookupError, TypeError, RecursionError):
        raise ProofFault("it is no attestation of this app's") from None
    if kinds != (STATEMENT, PREDICATE):
        raise ProofFault("it is a statement of another kind")
    signed = signed_bytes(payload)
    if keys and not any(
        key.has_signed_outside(each.sig, signed) for key in keys for each in envelope.signatures
    ):
        raise ProofFault("none of the given keys has signed it")
    if report is not None and sha256(report) != digest:
        raise ProofFault("the given file is not what was written")
    return Attested(operation=name, digest=digest, pinned=bool(keys), found=report is not None)


def lines_about(attestation: Attested) -> list[str]:
    """Return what it proves, as lines for a person."""
    lines = [f"{attestation.operation} wrote the file with the SHA-256 {attestation.digest}."]
    if attestation.found:
        lines.append("The given file is what was written.")
    if attestation.pinned:
        lines.append("A given key has signed it. Only a proof shows that the rules were followed.")
    else:
        lines.append("Without --key its signature was not checked: anyone can have made it.")
    return lines
