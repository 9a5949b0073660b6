"""What each person has asked for lately, in memory."""

from __future__ import annotations

from countersign.stores.allowances import Allowance, from_text, to_text

_KEPT: dict[tuple[str, str, str], str] = {}


class MemoryAllowances:
    """An `AllowanceStore` that lasts as long as its process; those of one place share it."""

    def __init__(self, place: str) -> None:
        self._place = place

    async def get(self, tenant: str, person: str) -> tuple[Allowance, str]:
        """Return a person's allowance, and what stands for its present state."""
        text = _KEPT.get((self._place, tenant, person), "")
        return from_text(text), text

    async def put(self, tenant: str, person: str, allowance: Allowance, before: str) -> bool:
        """Write it in place of the state that `before` stands for; False if that has changed."""
        key = (self._place, tenant, person)
        if _KEPT.get(key, "") != before:
            return False
        _KEPT[key] = to_text(allowance)
        return True
