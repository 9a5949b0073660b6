"""The passkeys of one person, and what may be done about them: nothing of it is ever forgotten."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache

from pydantic import TypeAdapter, ValidationError

from countersign.approvals.digest import canonical
from countersign.approvals.person import OPERATOR, Person
from countersign.passkeys.errors import PasskeyFault
from countersign.passkeys.signature import fingerprint
from countersign.stores.errors import StoreError

MOST_PASSKEYS = 100
"""Passkeys that one person can have, those that were removed included."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PasskeyAct:
    """Who did something about a passkey, and when (UTC).

    Attributes:
        token: the SHA-256 of the token that proved the person; None if there was none.
    """

    at: datetime
    by: str
    name: str
    token: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Passkey:
    """A passkey that somebody added.

    Attributes:
        id: what authenticators call it, in Base64 for addresses.
        public_key: its public key as COSE, likewise.
        label: what its owner calls it.
        added: by its owner.
        confirmed: by somebody who runs the app; until then it signs nothing.
        removed: by its owner, or by somebody who runs the app.
        counter: how often it has signed, as far as was seen; 0 if it doesn't count.
        signature: the app's, over all but the counter.
    """

    id: str
    public_key: str
    label: str
    added: PasskeyAct
    confirmed: PasskeyAct | None = None
    removed: PasskeyAct | None = None
    counter: int = 0
    signature: str = ""

    @property
    def fingerprint(self) -> str:
        """The SHA-256 of its public key."""
        return fingerprint(self.public_key)

    @property
    def fault(self) -> str | None:
        """Why it signs nothing, as a sentence; None if it signs."""
        if self.removed:
            return "This passkey was removed."
        return None if self.confirmed else "This passkey waits for an operator to confirm it."

    @property
    def counts(self) -> bool:
        """Whether it can sign an approval."""
        return self.fault is None

    @property
    def waits(self) -> bool:
        """Whether somebody who runs the app has to confirm it."""
        return self.confirmed is None and self.removed is None

    def names(self, person: str) -> bool:
        """Return whether somebody added, confirmed or removed it."""
        acts = (self.added, self.confirmed, self.removed)
        return any(act is not None and act.by == person for act in acts)

    def signed_data(self, tenant: str) -> bytes:
        """Return the bytes that the app's signature is over."""
        plain = _codec().dump_python(KeyRing(passkeys=(self,)), mode="json")["passkeys"][0]
        said = {key: plain[key] for key in plain.keys() - {"counter", "signature"}}
        return canonical({"purpose": "countersign-passkey 1", "tenant": tenant, "passkey": said})


@dataclass(frozen=True, kw_only=True, slots=True)
class KeyRing:
    """All passkeys that one person ever added, in their order."""

    passkeys: tuple[Passkey, ...] = ()

    def find(self, passkey_id: str) -> Passkey:
        """Return a passkey.

        Raises:
            PasskeyFault: there is none of this id.
        """
        for each in self.passkeys:
            if each.id == passkey_id:
                return each
        raise PasskeyFault("This person has no such passkey.")

    def with_changed(self, changed: Passkey) -> KeyRing:
        """Return the passkeys with one in place of that with its id."""
        found = tuple(changed if each.id == changed.id else each for each in self.passkeys)
        return KeyRing(passkeys=found)


@cache
def _codec() -> TypeAdapter[KeyRing]:
    # Made when it is first needed: no start of the app waits for it.
    return TypeAdapter(KeyRing)


def to_text(ring: KeyRing) -> str:
    """Return the JSON of somebody's passkeys."""
    return _codec().dump_json(ring).decode()


def from_text(text: str) -> KeyRing:
    """Return what `to_text` was of; none for what is empty.

    Raises:
        StoreError: it is something else.
    """
    try:
        return _codec().validate_json(text) if text else KeyRing()
    except ValidationError as error:
        raise StoreError("what is stored of somebody's passkeys is damaged") from error


def add(ring: KeyRing, passkey: Passkey) -> KeyRing:
    """Return the passkeys with one more.

    Raises:
        PasskeyFault: it was added before, or there are too many.
    """
    if any(each.id == passkey.id for each in ring.passkeys):
        raise PasskeyFault("This passkey was added before.")
    if len(ring.passkeys) >= MOST_PASSKEYS:
        raise PasskeyFault(f"The limit of {MOST_PASSKEYS} passkeys for one person is reached.")
    return KeyRing(passkeys=(*ring.passkeys, passkey))


def confirm(passkey: Passkey, operator: Person, now: datetime) -> Passkey:
    """Return a passkey that counts from now on; again changes nothing.

    Whoever has stolen a token can add a passkey, but not confirm it.

    Raises:
        PasskeyFault: the person may not confirm it.
    """
    if operator.program or OPERATOR not in operator.roles:
        raise PasskeyFault(f"Confirming a passkey requires a person with the role {OPERATOR}.")
    if operator.id == passkey.added.by:
        raise PasskeyFault("Nobody can confirm a passkey of their own: another operator has to.")
    if passkey.removed:
        raise PasskeyFault("This passkey was removed.")
    return passkey if passkey.confirmed else replace(passkey, confirmed=step(operator, now))


def remove(passkey: Passkey, person: Person, now: datetime) -> Passkey:
    """Return a passkey that signs nothing from now on; again changes nothing.

    Raises:
        PasskeyFault: it is somebody else's, and the person does not run the app.
    """
    if person.program or (person.id != passkey.added.by and OPERATOR not in person.roles):
        raise PasskeyFault(f"Only its owner or an {OPERATOR} can remove a passkey.")
    return passkey if passkey.removed else replace(passkey, removed=step(person, now))


def count(ring: KeyRing, passkey_id: str, counter: int) -> KeyRing:
    """Return the passkeys after one has signed.

    Raises:
        PasskeyFault: it has signed as often before, so there is a copy of it, or of the signature.
    """
    passkey = ring.find(passkey_id)
    if not counter and not passkey.counter:
        return ring
    if counter <= passkey.counter:
        raise PasskeyFault(
            "The passkey's counter did not increase: sign again, or there is a copy of it."
        )
    return ring.with_changed(replace(passkey, counter=counter))


def step(person: Person, now: datetime) -> PasskeyAct:
    """Return that somebody does something now."""
    return PasskeyAct(at=now, by=person.id, name=person.name, token=person.token)


def without_name(passkey: Passkey, person: str, erased: str) -> Passkey:
    """Return a passkey that no longer says what somebody is called who confirmed or removed it."""

    def nameless(found: PasskeyAct | None) -> PasskeyAct | None:
        if found is None or found.by != person:
            return found
        return replace(found, by=erased, name=erased, token=None)

    return replace(
        passkey, confirmed=nameless(passkey.confirmed), removed=nameless(passkey.removed)
    )


RingChange = Callable[[KeyRing], Awaitable[KeyRing]]
"""What is done about somebody's passkeys."""
