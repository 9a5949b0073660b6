"""A purchasing system that takes its time, loses answers, and refuses what it takes later."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from countersign.approvals.digest import canonical, sha256
from countersign.destinations.order_call import NoAnswer, NotSent, PurchasingAnswer
from countersign.destinations.purchasing import Purchasing
from testbed.explorer.chance import BEGINNING, Chance
from testbed.explorer.machine import HERE


@dataclass(frozen=True)
class Placed:
    """An order in the books.

    Attributes:
        at: when it was accepted, in seconds of the loop.
        rows: how long the ledger of its operation was then.
    """

    number: str
    reference: str
    order: Mapping[str, Any]
    at: float
    rows: int

    @property
    def digest(self) -> str:
        """SHA-256 of what was accepted."""
        return sha256(canonical(dict(self.order)))

    def echo(self) -> dict[str, Any]:
        """What the system confirms of it."""
        at = BEGINNING + timedelta(seconds=self.at)
        return {
            "order_number": self.number,
            "reference": self.reference,
            "order": dict(self.order),
            "accepted_at": at.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        }


class System:
    """The purchasing system of a world.

    Args:
        chance: what goes wrong.
        purchasing: how it keeps from ordering twice, and how long orders are on their way.
        length: how many rows the ledger of an operation has.

    Attributes:
        placed: all orders in its books.
    """

    def __init__(
        self, chance: Chance, purchasing: Purchasing, length: Callable[[str], int]
    ) -> None:
        self._chance = chance
        self._purchasing = purchasing
        self._length = length
        self.placed: list[Placed] = []

    async def call(
        self,
        purchasing: Purchasing,
        method: str,
        *,
        query: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
        body: bytes | None = None,
    ) -> PurchasingAnswer:
        """Answer as `order_call.call` does, from whichever machine it is called."""
        machine = HERE.get()
        await machine.passes()
        if self._chance.happens(0.05):
            raise NotSent("it cannot be reached")
        working = asyncio.ensure_future(self._answered(method, query, headers or {}, body))
        try:
            answer = await asyncio.wait_for(
                asyncio.shield(working), self._purchasing.timeout_seconds
            )
        except asyncio.TimeoutError as error:
            raise NoAnswer("no answer in time") from error
        await machine.passes()
        if self._chance.happens(0.08):
            raise NoAnswer("the answer was lost")
        return answer

    async def _answered(
        self,
        method: str,
        query: Mapping[str, str] | None,
        headers: Mapping[str, str],
        body: bytes | None,
    ) -> PurchasingAnswer:
        await asyncio.sleep(self._chance.way())
        if method == "GET":
            reference = (query or {})["reference"]
            return _told(200, {"orders": [each.echo() for each in self.of(reference)]})
        if self._chance.happens(0.05):
            return _told(503, {})
        if self._chance.happens(0.05):
            return _told(400, {"detail": "no"})
        if self._chance.happens(0.1):
            # It is in a queue there; nobody hears of it in time.
            await asyncio.sleep(self._chance.uniform(0, self._purchasing.settling_seconds))
        return self._taken(json.loads(body or b"null"), headers.get("Idempotency-Key"))

    def of(self, reference: str) -> list[Placed]:
        """The orders with a reference."""
        return [each for each in self.placed if each.reference == reference]

    def _taken(self, sent: Mapping[str, Any], key: str | None) -> PurchasingAnswer:
        there = self.of(sent["reference"]) if key else []
        if there and there[0].order != sent["order"]:
            return _told(422, {})
        if not there:
            number = f"PO-{len(self.placed) + 1}"
            placed = Placed(
                number,
                sent["reference"],
                sent["order"],
                self._chance.time(),
                self._length(sent["reference"]),
            )
            self.placed.append(placed)
            there = [placed]
        return _told(201, there[0].echo())


def _told(status: int, document: Mapping[str, Any]) -> PurchasingAnswer:
    return PurchasingAnswer(status=status, body=json.dumps(document).encode(), told=str(status))
