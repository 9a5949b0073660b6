"""What each person has asked for lately, in memory."""

from __future__ import annotations

from countersign.stores.allowances import Allowance, from_text, to_text


class MemoryAllowances:
    """An `AllowanceStore` that lasts as long as its process."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, str], str] = {}

    async def get(self, tenant: str, person: str) -> tuple[Allowance, str]:
        """Return a person's allowance, and what stands for its present state."""
        text = self._kept.get((tenant, person), "")
        return from_text(text), text

    async def put(self, tenant: str, person: str, allowance: Allowance, before: str) -> bool:
        """Write it in place of the state that `before` stands for; False if that has changed."""
        if self._kept.get((tenant, person), "") != before:
            return False
        self._kept[tenant, person] = to_text(allowance)
        return True
