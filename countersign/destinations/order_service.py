"""Orders go to a purchasing system: one per operation, whatever is lost on the way."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from datetime import timedelta
from urllib.parse import urlsplit

from countersign.approvals.digest import sha256
from countersign.destinations.destination import (
    DestinationUnavailable,
    MaySend,
    NotAskable,
    NotWritten,
    Receipt,
    WriteInDoubt,
    WriteMismatch,
    WritingError,
    at_any_time,
    legal_name,
)
from countersign.destinations.order_call import CallFailed, NotSent, PurchasingAnswer, call
from countersign.destinations.order_echo import (
    Echo,
    Malformed,
    differences,
    read_echo,
    read_found,
    word,
)
from countersign.destinations.purchasing import Purchasing
from countersign.destinations.submission import Submission
from countersign.platform.backoff import backoff
from countersign.platform.clock import Clock, utc_now

_TAKEN = {200, 201}
_NOT_TAKEN = {429, 503}
_UNSETTLED = {408, 409, 425, 429}
"""Statuses from 400 to 499 after which the order may still be placed."""

_MENDABLE = {401, 403, 404, 405, 407, 421}
"""Those that are about the settings or the way there, not about the order."""

_IN_TRANSIT = "an order may be in transit"

_MOST_NAMED = 10
_LONGEST_CAUSE = 400


async def _pause(tries: int) -> None:
    await asyncio.sleep(backoff(tries, first=0.5, longest=4.0))


class OrderService:
    """A `Destination` that is a purchasing system, see docs/purchasing.md.

    An order is the canonical JSON of an object. With the guard `lookup` it is looked for before it
    is sent. With the guard `key` it is sent as often as need be; without, on the first try alone.

    Args:
        purchasing: the system.
        pause: waits before an order that was surely not taken is sent again, given how many tries
            there were before.
        clock: when doubts arose.
    """

    def __init__(
        self,
        purchasing: Purchasing,
        *,
        pause: Callable[[int], Awaitable[None]] = _pause,
        clock: Clock = utc_now,
    ) -> None:
        self._purchasing = purchasing
        self._pause = pause
        self._clock = clock
        self._name = f"the purchasing system at {urlsplit(purchasing.url).netloc}"
        # A look, and as long again for tries that surely were not taken: see `_first_try`.
        self._latest_sending = timedelta(seconds=2 * purchasing.timeout_seconds)
        # After this what a try has sent is answered, or not waited for any more.
        self._longest_try = timedelta(seconds=3 * purchasing.timeout_seconds)

    async def write(
        self,
        *,
        tenant: str,
        operation_id: str,
        data: bytes,
        tried_for: timedelta | None = None,
        absent: bool = False,
        may_send: MaySend = at_any_time,
    ) -> Receipt:
        """Order unless it is there; returns the receipt of the order, as the system confirms it.

        Raises:
            WriteInDoubt: it may have been ordered.
            NotWritten: nothing was ordered.
            WriteMismatch: something else was ordered, or several orders were.
            DestinationUnavailable: it is not known, but safe to try again.
            ValueError: a name is illegal, or the data is not the canonical JSON of an object.
        """
        legal_name(tenant)
        order = Submission.of(legal_name(operation_id), data)
        if not absent and (there := await self._receipt_there(order)):
            return there
        if "key" in self._purchasing.guards:
            return await self._try_with_key(order, tried_for, may_send)
        if tried_for is None:
            return await self._first_try(order, may_send)
        raise self._sent_before(order, tried_for)

    async def find(self, *, tenant: str, operation_id: str) -> Receipt | None:
        """Return the receipt of what was ordered with this reference.

        Returns:
            None if nothing was.

        Raises:
            NotAskable: the system has no lookup.
            WriteMismatch: there are several orders with it.
            DestinationUnavailable: the system does not answer as agreed.
            ValueError: a name is illegal.
        """
        legal_name(tenant)
        if "lookup" not in self._purchasing.guards:
            raise NotAskable(f"{self._name} has no lookup")
        found = await self._look_up(legal_name(operation_id))
        if len(found) > 1:
            raise WriteMismatch(f"{self._name}: {_several(found)}")
        return found[0].receipt() if found else None

    async def operations(self) -> Sequence[tuple[str, str]]:
        """Refuse: a lookup gives orders of one reference, and there is no call that lists all.

        Raises:
            NotAskable: always.
        """
        raise NotAskable(f"{self._name} does not list its orders")

    async def _try_with_key(
        self, order: Submission, tried_for: timedelta | None, may_send: MaySend
    ) -> Receipt:
        try:
            answer = await self._submit(order, may_send)
            if answer.status in _TAKEN:
                return self._receipt(order, read_echo(answer.body))
        except (CallFailed, Malformed) as error:
            raise DestinationUnavailable(f"{self._name}: {error}") from error
        if answer.status == 422:
            raise self._mismatch(
                order, f"another order used this key: the answer was {answer.told}"
            )
        if not _refused(answer) or answer.status in _MENDABLE:
            raise DestinationUnavailable(f"{self._name} answered {answer.told}")
        if tried_for is None:
            raise self._refusal(order, answer)
        # Another try may have been taken, and its answer lost, before this one was refused.
        if tried_for < self._longest_try:
            raise DestinationUnavailable(f"{self._name} answered {answer.told}; {_IN_TRANSIT}")
        raise self._doubt(order, f"a later attempt was answered {answer.told}")

    async def _first_try(self, order: Submission, may_send: MaySend) -> Receipt:
        """Send an order while it surely was not taken, for as long as an answer may take."""
        deadline, tries = time.monotonic() + self._purchasing.timeout_seconds, 0
        while isinstance(outcome := await self._attempt(order, may_send), NotWritten):
            await self._pause(tries)
            if time.monotonic() > deadline:
                raise outcome
            tries += 1
        return outcome

    async def _attempt(self, order: Submission, may_send: MaySend) -> Receipt | NotWritten:
        """Send an order; returns `NotWritten` if it is safe to send it again."""
        try:
            answer = await self._submit(order, may_send)
            if answer.status in _TAKEN:
                return self._receipt(order, read_echo(answer.body))
        except NotSent as error:
            return NotWritten(f"nothing was ordered: {self._name}: {error}; {order}")
        except (CallFailed, Malformed) as error:
            raise self._unanswered(order, str(error)) from error
        if _refused(answer):
            raise self._refusal(order, answer)
        if answer.status not in _NOT_TAKEN or "lookup" not in self._purchasing.guards:
            raise self._unanswered(order, f"the answer was {answer.told}")
        # Something between here and the system may have answered in its place.
        return await self._receipt_there(order) or self._refusal(order, answer)

    async def _submit(self, order: Submission, may_send: MaySend) -> PurchasingAnswer:
        await may_send(self._latest_sending)
        headers = {"Idempotency-Key": order.reference} if "key" in self._purchasing.guards else {}
        return await call(self._purchasing, "POST", headers=headers, body=order.body)

    async def _receipt_there(self, order: Submission) -> Receipt | None:
        found = await self._look_up(order.reference)
        if len(found) > 1:
            raise self._mismatch(order, _several(found))
        return self._receipt(order, found[0]) if found else None

    async def _look_up(self, reference: str) -> list[Echo]:
        """Return what is there for a reference; nothing if the system can't be asked."""
        if "lookup" not in self._purchasing.guards:
            return []
        try:
            answer = await call(self._purchasing, "GET", query={"reference": reference})
            if answer.status != 200:
                raise DestinationUnavailable(f"{self._name} answered {answer.told}")
            found = read_found(answer.body)
        except (CallFailed, Malformed) as error:
            raise DestinationUnavailable(f"{self._name}: {error}") from error
        if any(echo.reference != reference for echo in found):
            raise DestinationUnavailable(f"{self._name} answers with orders of other references")
        return found

    def _receipt(self, order: Submission, echo: Echo) -> Receipt:
        receipt = echo.receipt()
        if echo.reference != order.reference:
            raise self._mismatch(
                order, f"order {echo.order_number} is confirmed for the reference {echo.reference}"
            )
        if receipt["sha256"] != sha256(order.data):
            differs = differences(order.content, echo.order)
            raise self._mismatch(order, f"order {echo.order_number} has {differs}")
        return receipt

    def _unanswered(self, order: Submission, what: str) -> WritingError:
        if "lookup" in self._purchasing.guards:
            return DestinationUnavailable(f"{self._name}: {what}; the app looks the order up")
        return self._doubt(order, what)

    def _sent_before(self, order: Submission, tried_for: timedelta) -> WritingError:
        """Return what to say where nothing was found of an order that may have been sent before."""
        looked = "lookup" in self._purchasing.guards
        settling = timedelta(seconds=self._purchasing.settling_seconds if looked else 0)
        if tried_for < max(settling, self._longest_try):
            return DestinationUnavailable(f"{self._name}: {_IN_TRANSIT}")
        ago = f"the order was first sent {tried_for.total_seconds():.0f} seconds ago, and"
        return self._doubt(
            order, f"{ago} {'it has not been found since' if looked else 'no answer was stored'}"
        )

    def _doubt(self, order: Submission, cause: str) -> WriteInDoubt:
        known = "the order may have been placed, but there is no confirmation"
        return WriteInDoubt(self._for_a_person(known, order, cause))

    def _mismatch(self, order: Submission, cause: str) -> WriteMismatch:
        known = "the placed order differs from the approved one"
        return WriteMismatch(self._for_a_person(known, order, cause))

    def _for_a_person(self, known: str, order: Submission, cause: str) -> str:
        """All that a person needs who has to look it up.

        The cause is last, because a reader may cut a long text off.
        """
        at = self._clock().isoformat(timespec="seconds").replace("+00:00", "Z")
        return (
            f"{known}: {order}. Before you order again, ask the people who run {self._name}"
            f" about this reference. At {at}: {word(cause, _LONGEST_CAUSE)}"
        )

    def _refusal(self, order: Submission, answer: PurchasingAnswer) -> NotWritten:
        return NotWritten(f"nothing was ordered: {self._name} answered {answer.told} to {order}")


def _refused(answer: PurchasingAnswer) -> bool:
    return 400 <= answer.status < 500 and answer.status not in _UNSETTLED


def _several(found: list[Echo]) -> str:
    numbers = ", ".join(echo.order_number for echo in found[:_MOST_NAMED])
    return f"{len(found)} orders have this reference: {numbers}"
