"""The passkeys of all people: added by each, confirmed by an operator, and asked to sign."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

from countersign.approvals.acts import Seal
from countersign.approvals.person import Person
from countersign.approvals.sealing import ERASED
from countersign.passkeys import ring as rings
from countersign.passkeys.adding import MadePasskey, new_key
from countersign.passkeys.challenge import Approval, adding_challenge, approval_challenge
from countersign.passkeys.errors import PasskeyFault
from countersign.passkeys.news import PasskeyChange, TellPasskey
from countersign.passkeys.ring import KeyRing, Passkey
from countersign.passkeys.signature import Assertion, SignedApproval, check
from countersign.passkeys.site import Site
from countersign.platform.backoff import give_way
from countersign.platform.clock import Clock
from countersign.platform.environment import SettingsError
from countersign.platform.threads import SIGNING
from countersign.stores.errors import StoreUnavailable
from countersign.stores.passkeys import PasskeyStore

MOST_TRIES = 20

_STEPS: Mapping[PasskeyChange, Callable[[Passkey, Person, datetime], Passkey]] = {
    "confirmed": rings.confirm,
    "removed": rings.remove,
}

_log = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True, slots=True)
class Passkeys:
    """What people have, and what they sign with it.

    Attributes:
        store: where it is kept.
        seal: signs what is kept, so that nobody can add a passkey by writing to the storage; None
            where nothing is signed.
        clock: the present moment (UTC).
        site: the page that passkeys are for; None where there can be none.
        tell: tells operators of each step that was recorded.
    """

    store: PasskeyStore
    seal: Seal | None
    clock: Clock
    site: Site | None
    tell: TellPasskey

    def require_site(self) -> Site:
        """Return the page that passkeys are for.

        Raises:
            SettingsError: there can be none.
        """
        if self.seal is None:
            raise SettingsError(
                "Passkeys need a key that the app signs with: set COUNTERSIGN_PROOF_KEY or"
                " COUNTERSIGN_PROOF_VAULT_KEY."
            )
        if self.site is None:
            raise SettingsError(
                "Passkeys need the app's address, with https and a name: set"
                " COUNTERSIGN_PUBLIC_URL."
            )
        return self.site

    async def of(self, tenant: str, person: str) -> Sequence[Passkey]:
        """Return all passkeys that somebody ever added."""
        text, _ = await self.store.get(tenant, person)
        return self._trusted(tenant, person, rings.from_text(text)).passkeys

    async def of_all(self, tenant: str) -> Sequence[Passkey]:
        """Return all passkeys that people of a tenant ever added, those of one after another."""
        found = await self.store.people(tenant)
        kept = (self._trusted(tenant, person, rings.from_text(text)) for person, text in found)
        return [each for ring in kept for each in ring.passkeys]

    async def challenge_to_add(self, person: Person) -> bytes:
        """Return the challenge with which somebody adds their next passkey."""
        have = await self.of(person.tenant, person.id)
        return adding_challenge(person.tenant, person.id, (each.id for each in have))

    async def add(self, person: Person, label: str, made: MadePasskey) -> Passkey:
        """Add a passkey that somebody made; it counts once an operator has confirmed it.

        Raises:
            PasskeyFault: it was made for something else, or there are too many.
        """
        site = self.require_site()
        key = new_key(made, await self.challenge_to_add(person), site)
        added = Passkey(
            id=made.id,
            public_key=key.public_key,
            label=label,
            added=rings.step(person, self.clock()),
            counter=key.counter,
        )
        sealed = await self._sealed(person.tenant, added)

        async def changed(ring: KeyRing) -> KeyRing:
            return rings.add(ring, sealed)

        await self._change(person.tenant, person.id, changed)
        await self.tell(sealed, "added")
        return sealed

    async def confirm(self, operator: Person, person: str, passkey_id: str) -> Passkey:
        """Have somebody's passkey count; again changes nothing.

        Raises:
            PasskeyFault: it can't be confirmed by this operator.
        """
        return await self._step(operator.tenant, person, passkey_id, operator, "confirmed")

    async def remove(self, by: Person, person: str, passkey_id: str) -> Passkey:
        """Have somebody's passkey sign nothing more; again changes nothing.

        Raises:
            PasskeyFault: it can't be removed by this person.
        """
        return await self._step(by.tenant, person, passkey_id, by, "removed")

    async def signed(self, approval: Approval, assertion: Assertion) -> SignedApproval:
        """Return an approval as somebody signed it, with a passkey of theirs that counts.

        A signature of a passkey that counts them is taken once.

        Raises:
            PasskeyFault: they did not.
        """
        site = self.require_site()
        ring = KeyRing(passkeys=tuple(await self.of(approval.tenant, approval.person)))
        passkey = ring.find(assertion.id)
        if fault := passkey.fault:
            raise PasskeyFault(fault)
        signed = SignedApproval(
            id=passkey.id,
            public_key=passkey.public_key,
            rp=site.domain,
            client_data=assertion.client_data,
            authenticator_data=assertion.authenticator_data,
            signature=assertion.signature,
        )
        seen = check(signed, approval_challenge(approval))
        if seen.origin != site.origin:
            raise PasskeyFault(f"It was signed on {seen.origin}, and not on {site.origin}.")

        async def counted(ring: KeyRing) -> KeyRing:
            return rings.count(ring, passkey.id, seen.counter)

        await self._change(approval.tenant, approval.person, counted)
        return signed

    async def erase(self, tenant: str, person: str) -> int:
        """Erase what there is of somebody: their passkeys, and their name at those of others.

        Returns:
            How many passkeys were theirs.
        """
        theirs = await self.of(tenant, person)
        await self.store.delete(tenant, person)
        for owner, _ in await self.store.people(tenant):
            await self._change(tenant, owner, partial(self._nameless, tenant, owner, person))
        return len(theirs)

    async def _nameless(self, tenant: str, owner: str, person: str, ring: KeyRing) -> KeyRing:
        changed = ring
        for each in self._trusted(tenant, owner, ring).passkeys:
            without = rings.without_name(each, person, ERASED)
            if without != each:
                changed = changed.with_changed(await self._sealed(tenant, without))
        return changed

    async def _step(
        self,
        tenant: str,
        person: str,
        passkey_id: str,
        by: Person,
        step: PasskeyChange,
    ) -> Passkey:
        self.require_site()
        is_news = False

        async def changed(ring: KeyRing) -> KeyRing:
            nonlocal is_news
            before = self._trusted(tenant, person, ring).find(passkey_id)
            after = _STEPS[step](before, by, self.clock())
            is_news = after != before
            return ring.with_changed(await self._sealed(tenant, after)) if is_news else ring

        found = (await self._change(tenant, person, changed)).find(passkey_id)
        if is_news:
            await self.tell(found, step)
        return found

    async def _change(self, tenant: str, person: str, change: rings.RingChange) -> KeyRing:
        for tries in range(MOST_TRIES):
            text, before = await self.store.get(tenant, person)
            ring = rings.from_text(text)
            changed = await change(ring)
            if changed == ring or await self._put(tenant, person, changed, before):
                return changed
            await give_way(tries)
        raise StoreUnavailable("these passkeys are changed by others all the time")

    def _put(self, tenant: str, person: str, ring: KeyRing, before: str) -> Awaitable[bool]:
        return self.store.put(tenant, person, rings.to_text(ring), before)

    async def _sealed(self, tenant: str, passkey: Passkey) -> Passkey:
        assert self.seal is not None  # noqa: S101 - `require_site` made sure
        sign = partial(self.seal.sign, passkey.signed_data(tenant))
        return replace(passkey, signature=await SIGNING.run(sign) if self.seal.waits else sign())

    def _trusted(self, tenant: str, person: str, ring: KeyRing) -> KeyRing:
        """Return those passkeys that the app itself recorded for this person."""
        return KeyRing(passkeys=tuple(e for e in ring.passkeys if self._is_ours(tenant, person, e)))

    def _is_ours(self, tenant: str, person: str, passkey: Passkey) -> bool:
        if self.seal is None or passkey.added.by != person:
            return False
        fault = self.seal.fault(passkey.signature, passkey.signed_data(tenant))
        if fault:
            _log.error("a passkey of %s %s", passkey.added.by, fault)
        return fault is None
