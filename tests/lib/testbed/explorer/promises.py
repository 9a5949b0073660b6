"""What has to be true of every operation when a world has come to rest."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from countersign.approvals.digest import sha256
from countersign.approvals.events import (
    Event,
    OperationClosed,
    ProposalApproved,
    ProposalOpened,
    WriteClaimed,
)
from countersign.kinds.registry import kind_named
from testbed.explorer.system import Placed
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

    def _order(self, reference: str) -> dict[str, Any]:
        return json.loads(self.contents[reference])


def ended_once(
    events: Sequence[Event], placed: Sequence[Placed], contents: Mapping[str, bytes]
) -> None:
    """Whether what is in the books, once at most, is what was approved, and the ledger says so.

    Raises:
        AssertionError: it isn't.
    """
    ends = [event for event in events if isinstance(event, OperationClosed)]
    assert ends, "it never ended"
    assert len(placed) <= 1, f"{len(placed)} orders"
    outcome = ends[-1].outcome
    assert outcome != "ordered" or placed, "nothing was ordered"
    assert not placed or outcome in {"ordered", "write_unknown"}, f"{outcome}, and yet ordered"
    for order in placed:
        before = events[: order.rows]
        [approved] = [event for event in before if isinstance(event, ProposalApproved)]
        [offered] = [
            event
            for event in before
            if isinstance(event, ProposalOpened) and event.version == approved.version
        ]
        assert any(isinstance(event, WriteClaimed) for event in before), "ordered unannounced"
        content = kind_named("purchase").content().read(contents[offered.content])
        assert sha256(content.written()) == order.digest, "something else was ordered"
