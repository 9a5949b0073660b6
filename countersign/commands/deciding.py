"""A person's decision on its way into the ledger, whichever way it came in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from countersign.approvals import rules
from countersign.approvals.digest import sha256
from countersign.approvals.errors import Invalid, Refusal
from countersign.approvals.operation import Operation, Proposal
from countersign.approvals.passkey import PasskeySignature
from countersign.approvals.person import Person
from countersign.commands.signing import signed_by_passkey
from countersign.kinds.registry import kind_named, read_content
from countersign.operations.repository import Changed
from countersign.platform.telemetry import record_wait

if TYPE_CHECKING:
    from countersign.bodies.body import DecisionBody, PasskeySignatureBody
    from countersign.bodies.content import Content, UnfitCorrection
    from countersign.services import Services


@dataclass(frozen=True, kw_only=True, slots=True)
class Prepared:
    """A decision that the rules can be asked about.

    Attributes:
        command: the decision.
        corrected: the content that would take the decided one's place, if it is a correction.
        comments: what it says about passages, as that is stored.
    """

    command: rules.Decide
    corrected: Content | None = None
    comments: bytes | None = None


async def record_decision(
    app: Services,
    operation: Operation,
    proposal: Proposal,
    person: Person,
    body: DecisionBody[Any],
) -> Changed | Refusal:
    """Record a decision about one version and its digest; the same one again changes nothing.

    Raises:
        ArtifactError: what would be approved can't be read back.
        UnknownKind: nobody registered the kind of the operation.
    """
    prepared = await prepare_decision(app, operation, proposal, person, body)
    if not isinstance(prepared, Prepared):
        return prepared
    if body.passkey:
        signed = await _signed(app, operation, prepared, body.passkey)
        if not isinstance(signed, Prepared):
            return signed
        prepared = signed
    command = prepared.command
    changed = await app.operations.change(
        operation.tenant,
        operation.id,
        lambda state, now: rules.decide(state, command, now),
        by=person,
        again=True,
        ready=lambda: _make_sure_of_texts(app, operation, proposal, prepared),
    )
    if isinstance(changed, Changed) and changed.events:
        waited = (app.clock() - proposal.opened_at).total_seconds()
        record_wait(waited, decision=body.decision)
    return changed


async def _signed(
    app: Services, operation: Operation, prepared: Prepared, body: PasskeySignatureBody
) -> Prepared | Changed | Refusal:
    """Return a decision with its signature, or what becomes of it without looking at that."""
    command = replace(prepared.command, passkey=PasskeySignature(after=body.after, text=""))
    ruling = rules.decide(operation, command, app.clock())
    if not isinstance(ruling, tuple):
        return ruling
    if not ruling:
        return Changed(operation=operation, events=())
    signed = await signed_by_passkey(app, operation, command, body)
    if not isinstance(signed, PasskeySignature):
        return signed
    return replace(prepared, command=replace(command, passkey=signed))


async def prepare_decision(
    app: Services,
    operation: Operation,
    proposal: Proposal,
    person: Person,
    body: DecisionBody[Any],
) -> Prepared | Refusal:
    """Return what a body decides about a version; nothing is stored or recorded.

    Raises:
        ArtifactError: what would be corrected can't be read back.
        UnknownKind: nobody registered the kind of the operation.
    """
    comments = body.on_passages()
    command = rules.Decide(
        reviewer=person,
        version=proposal.version,
        digest=body.digest,
        decision=body.decision,
        comment=body.comment,
        comments=sha256(comments) if comments else None,
    )
    if not body.correction:
        fields = await _misquoted(app, operation, proposal, command, body)
        return Invalid(fields=fields) if fields else Prepared(command=command, comments=comments)
    # Imported here because building its models would slow every start of the app down.
    from countersign.bodies.content import UnfitCorrection

    try:
        content = await read_content(app.artifacts, operation, proposal.content)
        corrected = _allowed(app, operation, body.correction.applied(content))
    except UnfitCorrection as error:
        return _refused(operation, command, error, app.clock())
    command = replace(command, correction=sha256(corrected.stored()))
    return Prepared(command=command, corrected=corrected)


async def _misquoted(
    app: Services,
    operation: Operation,
    proposal: Proposal,
    command: rules.Decide,
    body: DecisionBody[Any],
) -> Mapping[str, str]:
    """Return the fields that quote what the version doesn't say, each with the reason.

    Only somebody who may decide now learns of that, and the same decision again is no other.
    """
    if command.comments is None:
        return {}
    recorded = rules.decide(operation, command, app.clock())
    if not isinstance(recorded, tuple) or not recorded:
        return {}
    content = await read_content(app.artifacts, operation, proposal.content)
    return await kind_named(operation.kind).misquoted(body, content)


def _allowed(app: Services, operation: Operation, corrected: Content) -> Content:
    from countersign.bodies.content import UnfitCorrection

    if fault := kind_named(operation.kind).fault(corrected, app.settings):
        field, reason = fault
        raise UnfitCorrection(f"correction.{field}", reason)
    return corrected


async def _make_sure_of_texts(
    app: Services, operation: Operation, proposal: Proposal, prepared: Prepared
) -> None:
    """Look that what would be decided about can be read back, and store what takes its place.

    Nobody approves what is lost, and the ledger never refers to words that aren't there.
    """
    await app.artifacts.get_stored(operation.shelf, proposal.content)
    for stored in (prepared.corrected and prepared.corrected.stored(), prepared.comments):
        if stored:
            await app.artifacts.put(operation.shelf, stored)


def _refused(
    operation: Operation, command: rules.Decide, unfit: UnfitCorrection, now: datetime
) -> Refusal:
    """Return why a correction is refused; only those who could send one learn that it is unfit."""
    fitting = rules.decide(operation, replace(command, correction=""), now)
    return Invalid(fields={unfit.field: unfit.reason}) if isinstance(fitting, tuple) else fitting
