"""The notice to operators that somebody's passkey was added, confirmed or removed.

It is sent at once and not remembered: it is the trace that whoever can write to the storage can't
change afterwards.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timezone

from countersign.approvals.person import OPERATOR
from countersign.notices.addresses import Addresses
from countersign.notices.channels import Channels
from countersign.notices.message import LONGEST_NAME, Message, tame
from countersign.passkeys.news import PasskeyChange
from countersign.passkeys.ring import Passkey, PasskeyAct

_WHAT_FOLLOWS: Mapping[PasskeyChange, str] = {
    "added": "It signs nothing until an operator has confirmed it. Confirm it only after its owner"
    " has read this fingerprint to you.",
    "confirmed": "It can sign approvals from now on. If its owner did not read this fingerprint to"
    " an operator, remove the passkey.",
    "removed": "It signs nothing any more. If it is ever shown as confirmed again, somebody has"
    " put back an older state of the storage: remove it again.",
}

_log = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True, slots=True)
class PasskeyNotices:
    """Tells operators.

    Attributes:
        channels: what carries messages.
        addresses: where to.
        home: the app's address without a slash at its end, None if it is not known.
    """

    channels: Channels
    addresses: Addresses
    home: str | None

    async def tell(self, passkey: Passkey, step: PasskeyChange) -> None:
        """Tell operators of what was just done; who can't be reached is logged."""
        addresses = self.addresses.of((OPERATOR,))
        if not addresses:
            return
        sent = await self.channels.send(addresses, passkey_message(passkey, step, self.home))
        for channel, why in sent.failed.items():
            _log.warning("a passkey was %s: that did not reach %s: %s", step, channel, why)


def passkey_message(passkey: Passkey, step: PasskeyChange, home: str | None) -> Message:
    """Put a step of a passkey into words; each person is named with their id."""
    acts = {"added": passkey.added, "confirmed": passkey.confirmed, "removed": passkey.removed}
    act = acts[step]
    assert act is not None  # noqa: S101 - that is what this notice is about
    owner, by = _named(passkey.added), _named(act)
    whose = "their own passkey" if act.by == passkey.added.by else f"a passkey of {owner}"
    lines = (
        f"{by} {step} {whose if step != 'added' else 'a passkey'}",
        f"On {act.at.astimezone(timezone.utc):%Y-%m-%d %H:%M} UTC",
        f"Fingerprint: {passkey.fingerprint}",
        _WHAT_FOLLOWS[step],
    )
    link = f"{home}/api/review?passkeys" if home else None
    return Message(subject=f"Passkey {step}: {owner}", lines=lines, link=link)


def _named(act: PasskeyAct) -> str:
    return f"{tame(act.name)} ({tame(act.by, 2 * LONGEST_NAME)})"
