"""An order as it comes in."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from decimal import Decimal, InvalidOperation
from typing import Any

_FIELDS = ("vendor", "lines", "currency", "total")


@dataclass(frozen=True, kw_only=True, slots=True)
class OrderRequest:
    """What a caller wants ordered.

    Attributes:
        reference: the caller's name for it.
        content: the order.
        key: the `Idempotency-Key` it came with, if that counts here.
        body: all that was sent.
    """

    reference: str
    content: dict[str, Any]
    key: str | None
    body: str

    def times(self, factor: int) -> OrderRequest:
        """Return the same with another total."""
        total = Decimal(self.content["total"]) * factor
        return replace(self, content={**self.content, "total": f"{total:f}"})


def read_order(body: bytes, key: str | None) -> OrderRequest:
    """Return the order in the body of a call.

    Raises:
        ValueError: there is none; the message says what is amiss.
    """
    call = json.loads(body)
    reference = call.get("reference") if isinstance(call, dict) else None
    content = call.get("order") if isinstance(call, dict) else None
    if not isinstance(reference, str) or not isinstance(content, dict):
        raise ValueError("a call has to have a reference and an order")
    if missing := [name for name in _FIELDS if not content.get(name)]:
        raise ValueError(f"the order lacks {', '.join(missing)}")
    try:
        Decimal(content["total"])
    except (InvalidOperation, TypeError) as error:
        raise ValueError("the order's total is no amount") from error
    return OrderRequest(reference=reference, content=content, key=key, body=body.decode())
