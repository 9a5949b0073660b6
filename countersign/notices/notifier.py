"""Tells people what they have to hear, once: the ledger says what, and whether it was told."""

from __future__ import annotations

import logging
from functools import partial

from countersign.approvals import rules
from countersign.approvals.operation import Operation
from countersign.approvals.standing import due_notice
from countersign.notices.addresses import Addresses
from countersign.notices.channels import Channels
from countersign.notices.message import message_about
from countersign.operations import Changed, Operations

_log = logging.getLogger(__name__)


class Notifier:
    """Sends what is due.

    A notice is claimed in the ledger before it is sent and never sent again after that. Nobody can
    tell whether a sender that died between the two had sent it: people would rather look into their
    inbox once too rarely than learn to ignore what comes twice, and the next reminder is sent
    anyway.

    Args:
        operations: all operations.
        channels: what carries messages.
        addresses: where to.
        home: the app's address without a slash at its end, None if it is not known.
    """

    def __init__(
        self, operations: Operations, channels: Channels, addresses: Addresses, home: str | None
    ) -> None:
        self._operations = operations
        self._channels = channels
        self._addresses = addresses
        self._home = home

    def has_news(self, operation: Operation) -> bool:
        """Whether there is something to tell and somebody to tell it to."""
        notice = due_notice(operation, self._operations.clock())
        return notice is not None and bool(self._addresses.of(notice.roles))

    async def notify(self, tenant: str, operation_id: str) -> None:
        """Send what is due in an operation, and record what became of it.

        Running it twice is safe. It must not run twice at once, or the second run would record the
        first one's notice as in doubt, until the first records its result.
        """
        change = partial(self._operations.change, tenant, operation_id)
        seen = await change(rules.doubt_notices)
        if not isinstance(seen, Changed) or not self.has_news(seen.operation):
            return
        notice = due_notice(seen.operation, self._operations.clock())
        if notice is None:
            return
        claimed = await change(lambda state, now: rules.claim_notice(state, notice.key, now))
        if not isinstance(claimed, Changed) or not claimed.events:
            return
        message = message_about(claimed.operation, notice, self._home)
        sent = await self._channels.send(self._addresses.of(notice.roles), message)
        for channel, why in sent.failed.items():
            _log.warning("%s: %s did not reach %s: %s", operation_id, notice.key, channel, why)
        await change(
            lambda state, now: rules.record_notice(state, notice.key, sent.taken, sent.failed, now)
        )
