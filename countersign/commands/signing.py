"""An approval that the approver signs with a passkey of their own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from countersign.approvals.errors import PasskeyRefused, Refusal
from countersign.approvals.operation import Operation, Proposal
from countersign.approvals.passkey import PasskeySignature
from countersign.approvals.permissions import as_signed
from countersign.approvals.person import Person
from countersign.approvals.rules import Decide, decide
from countersign.passkeys.challenge import Approval, approval_challenge
from countersign.passkeys.errors import PasskeyFault
from countersign.passkeys.signature import Assertion

if TYPE_CHECKING:
    from countersign.bodies.body import PasskeySignatureBody
    from countersign.services import Services


HAS_NONE = PasskeyRefused(
    reason="You have no passkey. Add one under Passkeys, and have an operator confirm it."
)
WAITS = PasskeyRefused(
    reason="Your passkey waits for an operator to confirm it. Until then it signs nothing."
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Challenge:
    """What somebody's passkey has to sign.

    Attributes:
        value: the bytes.
        after: the sequence of the last row that there is.
        passkeys: the ids of the passkeys that can sign it.
    """

    value: bytes
    after: int
    passkeys: tuple[str, ...]


async def challenge_for(
    app: Services, operation: Operation, proposal: Proposal, person: Person, comment: str
) -> Challenge | Refusal:
    """Return what somebody signs to approve a version, if they may approve it.

    Raises:
        SettingsError: there can be no passkeys.
    """
    app.passkeys.require_site()
    command = Decide(
        reviewer=person,
        version=proposal.version,
        digest=proposal.digest,
        decision="approve",
        comment=comment,
    )
    answer = decide(operation, as_signed(operation, command), app.clock())
    if not isinstance(answer, tuple):
        return answer
    have = await app.passkeys.of(person.tenant, person.id)
    counting = tuple(each.id for each in have if each.counts)
    if not counting:
        return WAITS if any(each.waits for each in have) else HAS_NONE
    approval = await _approval(app, operation, command, operation.sequence)
    return Challenge(
        value=approval_challenge(approval), after=operation.sequence, passkeys=counting
    )


async def signed_by_passkey(
    app: Services, operation: Operation, command: Decide, body: PasskeySignatureBody
) -> PasskeySignature | PasskeyRefused:
    """Return the signature of an approval, once it is found to be by a passkey of the reviewer's.

    Raises:
        SettingsError: there can be no passkeys.
    """
    if body.after > operation.sequence:
        return PasskeyRefused(reason="The row after which it was signed is not recorded.")
    try:
        approval = await _approval(app, operation, command, body.after)
        assertion = Assertion(
            id=body.id,
            client_data=body.client_data,
            authenticator_data=body.authenticator_data,
            signature=body.signature,
        )
        signed = await app.passkeys.signed(approval, assertion)
    except PasskeyFault as fault:
        return PasskeyRefused(reason=f"{fault}")
    return PasskeySignature(after=body.after, text=signed.to_text())


async def _approval(app: Services, operation: Operation, command: Decide, after: int) -> Approval:
    rows = await app.operations.ledger.read(operation.tenant, operation.id)
    return Approval(
        tenant=operation.tenant,
        operation=operation.id,
        version=command.version,
        digest=command.digest,
        person=command.reviewer.id,
        comment=command.comment,
        after=after,
        previous=rows[after - 1].hash,
    )
