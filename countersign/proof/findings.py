"""What a checked bundle proves, in a few lines for the person who checked it."""

from __future__ import annotations

from collections.abc import Iterator

from countersign.approvals.events import DecisionRecorded, ReceiptRecorded
from countersign.approvals.operation import Operation, Proposal
from countersign.approvals.person import Actor
from countersign.operations.summary import state_of
from countersign.passkeys.recorded import OwnKey
from countersign.proof.check import ProvenOperation
from countersign.proof.plain import plain
from countersign.proof.quoted import RecordedSource

_VERBS = {"approve": "approved", "reject": "rejected", "revise": "changes requested"}


def findings(proof: ProvenOperation) -> list[str]:
    """Return the lines, without line ends; no character in them can steer a terminal."""
    return [plain(line) for line in _lines(proof)]


def _lines(proof: ProvenOperation) -> Iterator[str]:
    operation = proof.operation
    yield f"{operation.id} of {operation.tenant}: {operation.title}"
    yield f"requested by {_who(operation.requester)} at {operation.created_at.isoformat()}"
    for proposal in operation.proposals:
        yield from _version(proposal, proof)
    yield from _sources(proof)
    if withdrawn := operation.withdrawn:
        yield f"withdrawn by {_who(withdrawn.actor)} at {withdrawn.at.isoformat()}"
    if stopped := operation.stopped:
        yield f"stopped by {_who(stopped.actor)} at {stopped.at.isoformat()}"
    yield from _ending(operation)
    yield from _erased(operation)
    if proof.report:
        yield "The given file is what was written."
    yield f"All {proof.rows} rows are consistent, as of {proof.exported_at}."
    yield from _signing(proof)
    if proof.anchored:
        yield f"Its rows until {proof.anchored} are those that the anchor of that day contains."
    elif proof.anchors:
        yield "The given anchors say nothing about it: its tenant has none after its first day."
    yield from _vouching(proof)


def _erased(operation: Operation) -> Iterator[str]:
    for event in operation.people_erased:
        yield (
            f"What one person is called and wrote was erased at {event.at.isoformat()}:"
            f" {event.rule}."
        )
    if erased := operation.erased:
        yield (
            f"All names, texts and contents were erased at {erased.at.isoformat()}: {erased.rule}."
            " That the digests and amounts are those of the contents cannot be checked any more."
        )


def _version(proposal: Proposal, proof: ProvenOperation) -> Iterator[str]:
    cost = proposal.amount
    amount = f", {cost.amount} {cost.currency}" if cost else ""
    yield f"version {proposal.version}: {proposal.status}{amount}, digest {proposal.digest}"
    for sequence, event in proposal.decisions:
        yield f"  {_decision(proposal, event)}"
        if sequence in proof.passkeys:
            yield from (f"    {line}" for line in _own_key(proof.passkeys[sequence]))
        if taken_back := proposal.taken_back.get(sequence):
            yield f"  taken back by {_who(taken_back.actor)} at {taken_back.at.isoformat()}"


def _sources(proof: ProvenOperation) -> Iterator[str]:
    newest = proof.operation.current
    if newest is None or newest.evidence is None:
        return
    if proof.sources is None:
        yield f"Where the sources of version {newest.version} came from is not in the file."
        return
    for source in proof.sources:
        yield f"version {newest.version} quotes {source.id}: {source.title}"
        yield f"  stated, not proved: {_came(source, _who(proof.operation.requester))}"
        if source.origin:
            yield f"  proved: what was read has the SHA-256 {source.origin.digest}"


def _came(source: RecordedSource, requester: str) -> str:
    """Return where a source came from, as the app recorded it, and whose words are about it."""
    origin = source.origin
    if origin is None:
        return "its origin was not recorded"
    if origin.kind == "fetched":
        found = f", found by {origin.service}" if origin.service else ""
        return f"the app fetched it from {source.url} at {origin.at}{found}"
    if origin.kind == "library":
        return f"it was a file of the app's library{_address(source, 'the file')}"
    if origin.kind == "service":
        brought = f"{origin.service} provided it, and its title, at {origin.at}"
        return f"{brought}{_address(source, 'the service')}"
    sent = f"{requester} sent it, and its title, with the request"
    return f"{sent}{_address(source, 'the requester')}"


def _address(source: RecordedSource, whose: str) -> str:
    return f"; {whose} names the address {source.url}, which nobody fetched" if source.url else ""


def _decision(proposal: Proposal, event: DecisionRecorded) -> str:
    roles = " and ".join(event.roles or (proposal.required_role,))
    kept = f" (of version {event.version})" if event.version < proposal.version else ""
    said = f"{_VERBS[event.decision]}{kept} by {_who(event.actor)} as {roles}"
    return f"{said} at {event.at.isoformat()}"


def _own_key(key: OwnKey | None) -> tuple[str, ...]:
    if key is None:
        return ("signed with a passkey; the signature was erased, so it cannot be checked",)
    return (
        f"proved: signed with the passkey {key.fingerprint} on {key.origin}, by a verified user",
        "stated by the app: the passkey is this person's",
    )


def _who(actor: Actor) -> str:
    """Return a person's name and id, since two people can have names that look the same."""
    return f"{actor.name} (id {actor.id})"


def _ending(operation: Operation) -> Iterator[str]:
    if operation.written:
        yield f"receipt: {_receipt(operation.written)}"
    elif operation.reservation:
        version = operation.reservation.version
        yield f"The write of version {version} began, but there is no receipt."
    else:
        yield "Nothing was written."
    reason = operation.closed.reason if operation.closed else ""
    yield f"state: {state_of(operation)}{f' ({reason})' if reason else ''}"


def _receipt(event: ReceiptRecorded) -> str:
    parts = ", ".join(f"{name} {value}" for name, value in event.receipt.items())
    return f"version {event.version}, {parts}"


def _signing(proof: ProvenOperation) -> Iterator[str]:
    if proof.signed:
        yield "The app signed each act of a person when it was recorded, with all rows before it."
    else:
        yield (
            "What people did has no signatures of its own: it was recorded before the app signed,"
            " or not by the app. It rests on the signature of this file alone."
        )


def _vouching(proof: ProvenOperation) -> Iterator[str]:
    if proof.pinned:
        yield f"Signed with the given key (fingerprint {proof.key.id})."
    else:
        yield (
            "THE SIGNATURE WAS NOT CHECKED against a key of yours. The contents are consistent with"
            " each other and with the key in the file, which anyone could have made: compare its"
            f" fingerprint {proof.key.id}, and use --key."
        )
    if proof.development:
        yield "It is a development key, which proves nothing to others."
