"""People's passkeys, and what they are asked to sign, as the API shows them."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from countersign.approvals.digest import canonical
from countersign.approvals.person import Person
from countersign.commands.signing import Challenge
from countersign.passkeys.adding import ALGORITHMS
from countersign.passkeys.ring import Passkey, PasskeyAct
from countersign.passkeys.site import Site
from countersign.platform.base64url import to_base64url
from endpoints.answers.response_body import Moment, ResponseBody


class PasskeyStep(ResponseBody):
    """Who did something about a passkey, and when."""

    by: str
    at: Moment

    @classmethod
    def of(cls, step: PasskeyAct | None) -> PasskeyStep | None:
        """Return a step as it is shown; None if nobody took it."""
        return cls(by=step.name, at=step.at) if step else None


class PasskeyView(ResponseBody):
    """A passkey that somebody added.

    It signs once an operator has `confirmed` it, and until it is `removed`. `fingerprint` is the
    SHA-256 of its public key: the operator compares it with what its owner reads to them, and a
    proof names it.
    """

    person: str
    id: str
    label: str
    fingerprint: str
    added: PasskeyStep
    confirmed: PasskeyStep | None
    removed: PasskeyStep | None

    @classmethod
    def of(cls, passkey: Passkey) -> PasskeyView:
        """Return a passkey as it is shown."""
        return cls(
            person=passkey.added.by,
            id=passkey.id,
            label=passkey.label,
            fingerprint=passkey.fingerprint,
            added=PasskeyStep(by=passkey.added.name, at=passkey.added.at),
            confirmed=PasskeyStep.of(passkey.confirmed),
            removed=PasskeyStep.of(passkey.removed),
        )


class PasskeyList(ResponseBody):
    """The caller's own passkeys and, for an operator, those of others in the tenant.

    `waiting`: those that wait to be confirmed. `confirmed`: those that can sign.
    """

    passkeys: list[PasskeyView]
    waiting: list[PasskeyView]
    confirmed: list[PasskeyView]

    @classmethod
    def of(cls, own: Sequence[Passkey], others: Sequence[Passkey]) -> PasskeyList:
        """Return passkeys as they are listed."""
        return cls(
            passkeys=[PasskeyView.of(each) for each in own],
            waiting=[PasskeyView.of(each) for each in others if each.waits],
            confirmed=[PasskeyView.of(each) for each in others if each.counts],
        )


class NewPasskeyOptions(ResponseBody):
    """What the browser makes a passkey with: for `navigator.credentials.create`.

    `challenge` and `user` are in Base64 for addresses; `existing` has the ids of the passkeys that
    the caller has. The user has to be verified. It works only on pages of `origin`.
    """

    challenge: str
    domain: str
    origin: str
    user: str
    name: str
    algorithms: list[int]
    existing: list[str]

    @classmethod
    def of(
        cls, person: Person, site: Site, challenge: bytes, have: Sequence[Passkey]
    ) -> NewPasskeyOptions:
        """Return the options with which somebody makes their next passkey."""
        # Authenticators keep it, so it has no name in it.
        user = hashlib.sha256(canonical([person.tenant, person.id])).digest()
        return cls(
            challenge=to_base64url(challenge),
            domain=site.domain,
            origin=site.origin,
            user=to_base64url(user),
            name=person.name,
            algorithms=list(ALGORITHMS),
            existing=[each.id for each in have if not each.removed],
        )


class ChallengeView(ResponseBody):
    """What one of the caller's passkeys signs to approve: for `navigator.credentials.get`.

    `challenge` is in Base64 for addresses: the SHA-256 of what is approved, as `docs/proof.md`
    says. Any of the `passkeys` can sign it, if the user is verified. `after` goes with the
    signature into the decision.
    """

    challenge: str
    after: int
    domain: str
    origin: str
    passkeys: list[str]

    @classmethod
    def of(cls, challenge: Challenge, site: Site) -> ChallengeView:
        """Return a challenge as it is answered."""
        return cls(
            challenge=to_base64url(challenge.value),
            after=challenge.after,
            domain=site.domain,
            origin=site.origin,
            passkeys=list(challenge.passkeys),
        )
