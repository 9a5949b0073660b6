"""An order on its way to a purchasing system."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from countersign.approvals.digest import canonical
from countersign.destinations.order_echo import word


@dataclass(frozen=True, kw_only=True, slots=True)
class Submission:
    """What is sent; as a string, what a person needs to look it up.

    Attributes:
        reference: the operation, which is also the key that keeps it from being placed twice.
        content: the order.
        data: the order's canonical JSON, as it was approved.
    """

    reference: str
    content: dict[str, Any]
    data: bytes = field(repr=False)

    @classmethod
    def of(cls, reference: str, data: bytes) -> Submission:
        """Return the submission of an approved order.

        Raises:
            ValueError: the data is not the canonical JSON of an object.
        """
        content = json.loads(data)
        if not isinstance(content, dict) or canonical(content) != data:
            raise ValueError("an order must be the canonical JSON of an object")
        return cls(reference=reference, content=content, data=data)

    @property
    def body(self) -> bytes:
        """The body of the call that places it."""
        return canonical({"reference": self.reference, "order": self.content})

    def __str__(self) -> str:
        total, currency, vendor = (
            word(self.content.get(name)) for name in ("total", "currency", "vendor")
        )
        return f"reference {self.reference}, total {total} {currency}, vendor {vendor}"
