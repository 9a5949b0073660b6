"""Tells people what they have to hear, once: the ledger says what, and whether it was told."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import TypeVar

from countersign.approvals import notices
from countersign.approvals.errors import UntrustedLedger
from countersign.approvals.operation import Operation
from countersign.approvals.person import OPERATOR
from countersign.approvals.standing import Notice, due_notice, needs_operator
from countersign.kinds.registry import is_known
from countersign.notices.addresses import Addresses
from countersign.notices.channels import Channels
from countersign.notices.ledger_warning import LedgerWarning
from countersign.notices.message import message_about
from countersign.operations.repository import Changed, Operations
from countersign.operations.trusted_rows import LEDGER_CAUSES
from countersign.stores.artifacts import Artifacts
from countersign.stores.errors import StoreError

T = TypeVar("T")

PAUSES = (2.0, 4.0, 8.0, 16.0, 30.0)
"""Seconds to wait before each further try while a store is away: a minute in all."""

_log = logging.getLogger(__name__)


class Notifier:
    """Sends what is due.

    A notice is reserved in the ledger before it is sent and never sent again after that. Nobody can
    tell whether a sender that died between the two had sent it: people would rather look into their
    inbox once too rarely than learn to ignore what comes twice, and the next reminder is sent
    anyway.

    A store may be away for a minute. Of one that is away for longer nothing is told until the
    operation has news again: to find it in the meantime, every closed operation would have to be
    looked through.

    Args:
        operations: all operations.
        channels: what carries messages.
        addresses: where to.
        home: the app's address without a slash at its end, None if it is not known.
        artifacts: remembers which ledgers operators were told of that can't be trusted, in which
            nothing can be recorded; None to tell of none.
        pauses: how long to wait before each further try, in seconds.
    """

    def __init__(
        self,
        operations: Operations,
        channels: Channels,
        addresses: Addresses,
        home: str | None,
        artifacts: Artifacts | None = None,
        *,
        pauses: Sequence[float] = PAUSES,
    ) -> None:
        self._operations = operations
        self._channels = channels
        self._addresses = addresses
        self._home = home
        self._artifacts = artifacts
        self._pauses = pauses

    def has_news(self, operation: Operation) -> bool:
        """Return whether there is something to tell and somebody to tell it to."""
        return self._due(operation) is not None

    async def notify(self, tenant: str, operation_id: str) -> None:
        """Send what is due in an operation, and record what became of it.

        Running it twice is safe. It must not run twice at once, or the second run would record the
        first one's notice as in doubt, until the first records its result.

        Raises:
            StoreError: a store is away for longer than the pauses.
        """
        try:
            await self._patiently(lambda: self._tell(tenant, operation_id))
        except UntrustedLedger as error:
            # What would be told may not be true, and nothing could be recorded of it.
            _log.error("nobody is notified: %s", error)

    async def warn_of_ledger(self, operation: Operation) -> None:
        """Tell operators that a ledger can't be trusted: once of each row that is wrong first.

        It may be cut off at any point; a later call tries again then.

        Raises:
            StoreError: a store is away.
        """
        hold = needs_operator(operation)
        addresses = self._addresses.of((OPERATOR,))
        if not hold or hold.cause not in LEDGER_CAUSES or not addresses or not self._artifacts:
            return
        warning = LedgerWarning(artifacts=self._artifacts, operation=operation, hold=hold)
        if not await warning.claim(self._operations.clock()):
            return
        notice = Notice(kind="held", version=0, episode=hold.episode, roles=(OPERATOR,))
        sent = await self._channels.send(addresses, message_about(operation, notice, self._home))
        for channel, why in sent.failed.items():
            _log.warning("%s: %s did not reach %s: %s", operation.id, hold.cause, channel, why)
        await warning.told()

    async def _tell(self, tenant: str, operation_id: str) -> None:
        change = partial(self._operations.change, tenant, operation_id)
        seen = await change(notices.doubt_notices)
        notice = self._due(seen.operation) if isinstance(seen, Changed) else None
        if notice is None:
            return
        reserved = await change(lambda state, now: notices.reserve_notice(state, notice.key, now))
        if not isinstance(reserved, Changed) or not reserved.events:
            return
        message = message_about(reserved.operation, notice, self._home)
        sent = await self._channels.send(self._addresses.of(notice.roles), message)
        for channel, why in sent.failed.items():
            _log.warning("%s: %s did not reach %s: %s", operation_id, notice.key, channel, why)
        # Tried again by itself: another look would find it reserved without a result, and doubt it.
        await self._patiently(
            lambda: change(
                lambda state, now: notices.record_notice(
                    state, notice.key, sent.taken, sent.failed, now
                )
            )
        )

    def _due(self, operation: Operation) -> Notice | None:
        """Return what has to be told now, where there are people to tell and words for it."""
        if not is_known(operation.kind):
            return None
        notice = due_notice(operation, self._operations.clock())
        return notice if notice and self._addresses.of(notice.roles) else None

    async def _patiently(self, work: Callable[[], Awaitable[T]]) -> T:
        for pause in self._pauses:
            with suppress(StoreError):
                return await work()
            await asyncio.sleep(pause)
        return await work()
