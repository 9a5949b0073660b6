"""Check a proof bundle with nothing but itself: no service, no network, no settings."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from pydantic import ValidationError

from countersign.approvals.acts import doubt_about
from countersign.approvals.digest import canonical, sha256
from countersign.approvals.errors import LedgerError
from countersign.approvals.folding import fold
from countersign.approvals.ledger import Row, verify
from countersign.approvals.operation import Operation
from countersign.bodies.content import Content
from countersign.kinds.registry import UnknownKind, kind_named
from countersign.passkeys.errors import PasskeyFault
from countersign.passkeys.recorded import OwnKey, signed_approvals
from countersign.proof.anchors import Anchors, check_inclusion
from countersign.proof.bundle import Bundle, check_signature, read_bundle, read_document
from countersign.proof.errors import ProofFault
from countersign.proof.export import references
from countersign.proof.outline import outline
from countersign.proof.public_key import PublicKey
from countersign.proof.quoted import RecordedSource, quoted_sources
from countersign.proof.seal import KeySeal, key_id_of
from countersign.proof.warrants import Contents, check_rows


@dataclass(frozen=True, kw_only=True, slots=True)
class ProvenOperation:
    """What a bundle proves.

    Attributes:
        operation: the state that its rows make, each of which the rules allow.
        rows: how many there are.
        key: whose signature it has.
        development: whether that key says of itself that it is for trying things out.
        pinned: whether the key is one that the reader had from elsewhere.
        signed: whether what people did was signed when it was recorded.
        passkeys: with which passkeys approvals were signed, by the sequences of their rows; None
            in place of one that was erased.
        exported_at: when it was made (UTC).
        anchored: the day (UTC) of an anchor that holds its first rows; None if none does, or none
            was compared.
        anchors: whether anchors were compared.
        sources: what the newest version quotes; None if the bundle doesn't say.
        report: whether the bytes that the reader has are those that were written.
    """

    operation: Operation
    rows: int
    key: PublicKey
    development: bool
    pinned: bool
    signed: bool
    passkeys: Mapping[int, OwnKey | None]
    exported_at: str
    anchored: str | None
    anchors: bool
    sources: Sequence[RecordedSource] | None
    report: bool


def check(
    raw: bytes,
    *,
    keys: Collection[PublicKey] = (),
    report: bytes | None = None,
    anchors: Anchors | None = None,
) -> ProvenOperation:
    """Check everything about a bundle.

    Args:
        raw: the bundle's bytes.
        keys: those that it may be signed with; if there are none, its own is believed.
        report: what is said to have been written: a report, or the JSON of an order.
        anchors: what was anchored, as the reader has it from elsewhere.

    Raises:
        ProofFault: the first thing that is wrong.
    """
    document = read_document(raw)
    bundle = read_bundle(document)
    key = check_signature(document, bundle.signature)
    if keys and key not in keys:
        raise ProofFault(f"it is signed with the key {key.id}, not with the given one")
    try:
        operation = _check_content(bundle)
        rows = [each.row for each in bundle.rows]
        passkeys = signed_approvals(operation.tenant, operation.id, rows)
        sources = quoted_sources(operation, bundle.evidence)
        signed = _check_acts(bundle, _Unpinned(None, [key]) if not keys else KeySeal(None, keys))
    except (LedgerError, PasskeyFault) as error:
        raise ProofFault(f"{error}") from error
    except ArithmeticError as error:
        raise ProofFault("a number in it is out of range") from error
    if report is not None:
        _check_report(operation, report)
    anchored = _anchored(bundle, anchors) if anchors is not None else None
    return ProvenOperation(
        operation=operation,
        rows=len(bundle.rows),
        key=key,
        development=bundle.signature.development,
        pinned=bool(keys),
        signed=signed,
        passkeys=passkeys,
        exported_at=bundle.exported_at,
        anchored=anchored,
        anchors=anchors is not None,
        sources=sources,
        report=report is not None,
    )


def _anchored(bundle: Bundle, anchors: Anchors) -> str | None:
    rows, subject = [each.row for each in bundle.rows], bundle.operation
    return check_inclusion(anchors, subject.tenant, subject.id, rows, bundle.inclusion)


def _check_content(bundle: Bundle) -> Operation:
    rows = [each.row for each in bundle.rows]
    _check_chain(bundle, rows)
    tenant, operation_id = bundle.operation.tenant, bundle.operation.id
    folded = fold(tenant, operation_id, (row.event for row in rows))
    assert folded is not None  # noqa: S101 - there is a row
    _check_kind(bundle, folded)
    contents = _contents(bundle, folded)
    operation = check_rows(tenant, operation_id, rows, contents)
    _check_receipt(operation, contents)
    _check_summary(operation, bundle.summary)
    return operation


def _check_chain(bundle: Bundle, rows: list[Row]) -> None:
    broken = verify(bundle.operation.tenant, bundle.operation.id, rows)
    if broken is not None:
        raise ProofFault(
            f"the chain of the ledger is broken: row {broken} is not what was recorded"
        )
    timeless = next((row.sequence for row in rows if row.event.at.utcoffset() is None), None)
    if timeless is not None:
        raise ProofFault(f"row {timeless} has a time without its offset from UTC")


class _Unpinned(KeySeal):
    """Lets signatures by other keys than its own pass: the reader has named none to check with."""

    def fault(self, signature: str, data: bytes) -> str | None:
        named = key_id_of(signature)
        return super().fault(signature, data) if named is None or self.knows(named) else None


def _check_acts(bundle: Bundle, seal: KeySeal) -> bool:
    """Return whether what people did was signed when it was recorded.

    Raises:
        Fault: it was, and a signature is missing or not valid.
    """
    rows = [each.row for each in bundle.rows]
    doubt = doubt_about(bundle.operation.tenant, bundle.operation.id, rows, seal)
    if doubt and not doubt.unsigned:
        raise ProofFault(f"{doubt.reason[:1].lower()}{doubt.reason[1:].rstrip('.')}")
    return doubt is None


def _check_kind(bundle: Bundle, operation: Operation) -> None:
    if bundle.operation.kind != operation.kind:
        raise ProofFault("the operation is not of the kind that its first row says")
    try:
        kind_named(operation.kind)
    except UnknownKind as error:
        text = f"{error}"
        raise ProofFault(f"{text[:1].lower()}{text[1:].rstrip('.')}") from error


def _contents(bundle: Bundle, operation: Operation) -> Contents:
    """Return the contents by their references, each read as its kind demands."""
    named = {} if operation.erased else references(operation)
    if strays := bundle.contents.keys() - named.keys():
        raise ProofFault(f"the content {min(strays)} belongs to no version")
    for reference, version in named.items():
        if reference not in bundle.contents:
            raise ProofFault(f"the content {reference} of version {version} is missing")
    return {
        reference: _content(operation.kind, reference, canonical(value))
        for reference, value in bundle.contents.items()
    }


def _content(kind: str, reference: str, stored: bytes) -> Content:
    if sha256(stored) != reference:
        raise ProofFault(f"the stored content {reference} has another digest")
    try:
        content = kind_named(kind).content().read(stored)
    except ValidationError:
        content = None
    # What reads as the same may be written otherwise, and only one way of writing was approved.
    if content is None or content.stored() != stored:
        raise ProofFault(f"the content {reference} is not what a {kind} offers")
    return content


def _check_receipt(operation: Operation, contents: Contents) -> None:
    """Check that what the destination confirmed is what was approved."""
    if operation.written is None or operation.erased:
        return
    receipt, version = operation.written.receipt, operation.written.version
    content = contents[operation.proposals[version - 1].content]
    written = content.written()
    due: dict[str, str | int] = {"sha256": sha256(written), "size": len(written)}
    if content.amount:
        due |= {"total": str(content.amount.amount), "currency": content.amount.currency}
    for name, right in due.items():
        if receipt.get(name) != right:
            raise ProofFault(f"the receipt's {name} is not that of version {version}, as approved")


def _check_summary(operation: Operation, summary: Mapping[str, object]) -> None:
    due = outline(operation)
    for name in sorted(due.keys() | summary.keys()):
        if name not in due:
            raise ProofFault(f"the summary has a {name!r} that the rows do not contain")
        # Compared as bytes: to Python, `true` is equal to 1.
        if name not in summary or canonical(summary[name]) != canonical(due[name]):
            raise ProofFault(f"the summary's {name!r} is not what the rows say")


def _check_report(operation: Operation, report: bytes) -> None:
    if operation.receipt is None:
        raise ProofFault("there is no receipt, so the file was not written by this operation")
    if sha256(report) != operation.receipt["sha256"]:
        raise ProofFault("the file is not what was written: its SHA-256 is not that of the receipt")
