"""What has to be true of every operation when a world has come to rest."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from countersign.approvals.events import Event, OperationClosed, ProposalOpened
from testbed.machine.witness import Witness


@dataclass(frozen=True, kw_only=True)
class OrderWitness(Witness):
    """A witness who reads what was ordered in the contents that were stored.

    Attributes:
        contents: what was stored, by its reference.
    """

    contents: Mapping[str, bytes]

    def goes_beyond(self, before: str, after: str) -> bool:
        """Whether an order is more than another."""
        old, new = self._order(before), self._order(after)
        return new["vendor"] != old["vendor"] or any(
            line["quantity"] > was["quantity"]
            or Decimal(line["unit_price"]) > Decimal(was["unit_price"])
            for line, was in zip(new["lines"], old["lines"], strict=True)
        )

    def cost(self, opened: ProposalOpened) -> Decimal | None:
        """What a version costs."""
        return Decimal(self._order(opened.content)["total"])

    def _order(self, reference: str) -> dict:
        return json.loads(self.contents[reference])


def ended_once(events: Sequence[Event], orders: int) -> None:
    """An order is in the books at most once, and only if the ledger says so, or that nobody knows."""
    ends = [event for event in events if isinstance(event, OperationClosed)]
    assert ends, "it never ended"
    assert orders <= 1, f"{orders} orders"
    outcome = ends[-1].outcome
    assert outcome != "ordered" or orders == 1, "nothing was ordered"
    assert orders == 0 or outcome in {"ordered", "write_unknown"}, f"{outcome}, and yet ordered"
