"""People with passkeys, and an app that knows them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from typing import Any

import pytest

from countersign.approvals.person import OPERATOR, Person
from countersign.passkeys.adding import MadePasskey
from countersign.passkeys.challenge import Approval, approval_challenge
from countersign.passkeys.news import PasskeyChange
from countersign.passkeys.passkeys import Passkeys
from countersign.passkeys.ring import Passkey
from countersign.passkeys.signature import Assertion, SignedApproval
from countersign.passkeys.site import Site
from countersign.platform.base64url import to_base64url
from countersign.proof.keys import ProofKey
from countersign.proof.seal import KeySeal
from countersign.stores.memory_passkeys import MemoryPasskeys
from testbed.authenticator import Authenticator

NOON = datetime(2026, 11, 2, 12, tzinfo=timezone.utc)
SITE = Site(origin="https://sign.example.org", domain="sign.example.org")
VICTOR = Person(id="v1", name="Victor", tenant="home", roles=frozenset({"Report.Reviewer"}))
OLGA = Person(id="o1", name="Olga", tenant="home", roles=frozenset({OPERATOR}))
APPROVAL = Approval(
    tenant="home",
    operation="research-1",
    version=1,
    digest="d" * 64,
    person=VICTOR.id,
    comment="Fine.",
    after=4,
    previous="e" * 64,
)


@dataclass
class Room:
    """The passkeys of a tenant, and what its people do with them."""

    passkeys: Passkeys
    told: list[tuple[str, PasskeyChange]]

    async def options(self, person: Person = VICTOR) -> dict[str, Any]:
        challenge = await self.passkeys.challenge_to_add(person)
        return {
            "challenge": to_base64url(challenge),
            "domain": SITE.domain,
            "origin": SITE.origin,
        }

    async def add(self, device: Authenticator, person: Person = VICTOR, **forged: Any) -> Passkey:
        body = device.make(await self.options(person), **forged)
        made = MadePasskey(
            id=body["id"], client_data=body["client_data"], attestation=body["attestation"]
        )
        return await self.passkeys.add(person, "My key", made)

    async def signed(
        self,
        device: Authenticator,
        approval: Approval = APPROVAL,
        *,
        meant: Approval | None = None,
        **forged: Any,
    ) -> SignedApproval:
        """Have an approval signed; `meant` is the one for which the app takes the signature."""
        challenge = {
            "challenge": to_base64url(approval_challenge(approval)),
            "after": approval.after,
            "domain": SITE.domain,
            "origin": SITE.origin,
        }
        body = device.sign(challenge, **forged)
        assertion = Assertion(**{key: body[key] for key in body.keys() - {"after"}})
        return await self.passkeys.signed(meant or approval, assertion)

    def without_site(self) -> Passkeys:
        return replace(self.passkeys, site=None)


@pytest.fixture
def room() -> Room:
    told: list[tuple[str, PasskeyChange]] = []

    async def tell(passkey: Passkey, step: PasskeyChange) -> None:
        told.append((passkey.id, step))

    passkeys = Passkeys(
        store=MemoryPasskeys(),
        seal=KeySeal(ProofKey(seed=bytes(32))),
        clock=lambda: NOON,
        site=SITE,
        tell=tell,
    )
    return Room(passkeys, told)


@pytest.fixture
def device(room: Room) -> Callable[..., Awaitable[Authenticator]]:
    """Makes authenticators with a passkey of Victor's that counts."""

    async def make(**how: Any) -> Authenticator:
        made = Authenticator(**how)
        added = await room.add(made)
        await room.passkeys.confirm(OLGA, VICTOR.id, added.id)
        return made

    return make
