"""The form of a proof bundle: one JSON document, served and signed as its canonical bytes."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from countersign.approvals.digest import canonical
from countersign.approvals.ledger import Row
from countersign.approvals.sealing import Opening
from countersign.proof.errors import ProofFault
from countersign.proof.keys import SigningKey
from countersign.proof.public_key import Algorithm, PublicKey, public_key

NAME: Literal["countersign-proof"] = "countersign-proof"
VERSION: Literal[1] = 1
WITH_ANCHOR: Literal[2] = 2
"""Its version with an inclusion, which earlier releases do not know."""
WITH_OPENINGS: Literal[3] = 3
"""That of operations whose names and texts can be erased: with openings, and perhaps an inclusion.
"""
WITH_EVIDENCE: Literal[4] = 4
"""With the evidence for the newest version, and perhaps openings and an inclusion."""

WITH_PASSKEYS: Literal[5] = 5
"""With an approval that was signed with a passkey, and perhaps with all that others have."""

MOST_BYTES = 100_000_000
"""Bytes of the largest bundle: of ten versions of a report, each as long as can be."""

MOST_PARTS = 10_000_000
"""Values of one, what looks like them in texts included: each takes a hundred bytes of memory."""

Sha256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
Base64 = Annotated[str, Field(pattern=r"^[A-Za-z0-9+/]+={0,2}$", max_length=124)]


class Part(BaseModel):
    """What all parts of a bundle have in common."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, defer_build=True)


class Format(Part):
    """Which form this is; another form has another version."""

    name: Literal["countersign-proof"]
    version: Literal[1, 2, 3, 4, 5]


class Subject(Part):
    """The operation that a bundle is about."""

    id: str
    tenant: str
    kind: str


class RecordedRow(Part):
    """A row of the ledger as it was recorded.

    Attributes:
        openings: the salt and the value of each commitment in `data`, less what was erased.
    """

    sequence: int
    type: str
    data: dict[str, Any]
    hash: Sha256
    openings: dict[Sha256, Annotated[list[str], Field(min_length=2, max_length=2)]] | None = Field(
        default=None, exclude_if=lambda value: value is None
    )

    @property
    def row(self) -> Row:
        """The row as the ledger has it."""
        openings = {named: Opening(*parts) for named, parts in (self.openings or {}).items()}
        return Row(
            sequence=self.sequence,
            type=self.type,
            data=self.data,
            hash=self.hash,
            openings=openings,
        )


class Inclusion(Part):
    """That an anchor holds the first rows of an operation.

    Attributes:
        day: the anchor's (UTC).
        rows: how many rows there were.
        index: which of the heads it is, from 0.
        size: how many heads there are.
        path: the nodes from which, with this head, the root of the tree follows.
    """

    day: Annotated[str, Field(pattern=r"^\d{4}-\d\d-\d\d$")]
    rows: int
    index: int
    size: int
    path: Annotated[list[Sha256], Field(max_length=64)]


class Signature(Part):
    """Who vouches for a bundle; `value` is over all of it but this value itself."""

    algorithm: Algorithm
    development: bool
    key_id: Sha256
    public_key: Base64
    value: Base64


def _without_need_of_later_parts(schema: dict[str, Any]) -> None:
    """Say what can be missing: a bundle of version 1 has none of it, not even null."""
    later = ("inclusion", "evidence")
    schema["required"] = [name for name in schema["required"] if name not in later]


class Bundle(Part):
    """A whole bundle.

    Attributes:
        contents: what was offered or corrected, by the SHA-256 of its canonical bytes.
        summary: the operation for people; all of it follows from the rows.
        exported_at: the moment (UTC) at which it was made.
        inclusion: the newest anchor that it is in, if it is in one; version 1 never has it.
        evidence: that for the newest version, with the origins of its sources; versions before 4
            never have it.
    """

    model_config = ConfigDict(json_schema_extra=_without_need_of_later_parts)

    format: Format
    operation: Subject
    rows: Annotated[list[RecordedRow], Field(min_length=1)]
    contents: dict[Sha256, dict[str, Any]]
    summary: dict[str, Any]
    exported_at: Annotated[str, Field(pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")]
    signature: Signature
    # A bundle without one of these has no such field, and its description says so.
    inclusion: Inclusion | None = Field(default=None, exclude_if=lambda value: value is None)
    evidence: dict[str, Any] | None = Field(default=None, exclude_if=lambda value: value is None)


def signed(document: Mapping[str, Any], key: SigningKey) -> bytes:
    """Return the bundle that a document becomes with a signature: its canonical bytes."""
    described = key.described()
    value = key.sign(canonical({**document, "signature": described}))
    return canonical({**document, "signature": {**described, "value": value}})


def read_document(raw: bytes) -> dict[str, Any]:
    """Return the JSON of a bundle.

    Raises:
        ProofFault: the bytes are not those that this JSON has in canonical form (RFC 8785). So
            nothing stands twice in it, and no byte is left over that no signature would be about.
    """
    if len(raw) > MOST_BYTES:
        raise ProofFault(f"it has more than {MOST_BYTES:,} bytes, the most that a proof has")
    if sum(map(raw.count, b"[{,")) > MOST_PARTS:
        raise ProofFault(f"it has more than {MOST_PARTS:,} parts, the most that a proof has")
    try:
        document = json.loads(raw.decode())
        is_canonical = canonical(document) == raw
    except RecursionError:
        raise ProofFault("it is nested too deeply to be a proof") from None
    except ValueError:
        raise ProofFault("it is not JSON") from None
    if not is_canonical:
        raise ProofFault("it is not in canonical form (RFC 8785), as every proof is")
    if not isinstance(document, dict):
        raise ProofFault("it is not a JSON object")
    return document


def read_bundle(document: Mapping[str, Any]) -> Bundle:
    """Return a document as a bundle of the form that is known here.

    Raises:
        ProofFault: it is something else.
    """
    try:
        bundle = Bundle.model_validate(document)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        place = ".".join(map(str, first["loc"]))[:100]
        raise ProofFault(
            f"it is not of the form {NAME} {VERSION}: {place!r}: {first['msg']}"
        ) from None
    rows = [each.data for each in bundle.rows]
    due = version_of(rows, bundle.inclusion, with_evidence=bundle.evidence is not None)
    if bundle.format.version != due:
        raise ProofFault("it is not of the version that it says it is")
    return bundle


def version_of(
    rows: Sequence[Mapping[str, Any]], inclusion: Inclusion | None, *, with_evidence: bool
) -> int:
    """Return the version of a bundle: by the data of its rows, and by what else it has."""
    if any(data.get("passkey") for data in rows):
        return WITH_PASSKEYS
    if with_evidence:
        return WITH_EVIDENCE
    if rows[0].get("erasable") is True:
        return WITH_OPENINGS
    return WITH_ANCHOR if inclusion else VERSION


def check_signature(document: Mapping[str, Any], signature: Signature) -> PublicKey:
    """Check that a document is signed with the key that it names; returns that key.

    Raises:
        ProofFault: it is not.
    """
    try:
        key = public_key(signature.public_key)
    except ValueError:
        raise ProofFault("its key is none") from None
    unsigned = {name: part for name, part in document["signature"].items() if name != "value"}
    data = canonical({**document, "signature": unsigned})
    if not key.has_signed(signature.value, data):
        raise ProofFault("its signature does not match its content, which has been changed")
    if key.algorithm != signature.algorithm:
        raise ProofFault("its `algorithm` is not that of its key")
    if key.id != signature.key_id:
        raise ProofFault("its `key_id` is not the fingerprint of its key")
    return key
