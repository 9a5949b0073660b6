"""Bound what an operation may cost, also where its steps work side by side."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from threading import Lock
from typing import Protocol

from countersign.platform.backoff import give_way
from countersign.team.errors import BudgetSpent

CHARACTERS_PER_TOKEN = 4


class Account(Protocol):
    """What all steps of an operation have spent, wherever they work."""

    async def spent(self) -> int:
        """Return the tokens that are recorded by now."""
        ...

    async def spend(self, tokens: int, prompt: str | None = None) -> int:
        """Record what a call cost, and the digest of the instructions that it was made with.

        Returns:
            The tokens that are recorded then.
        """
        ...


class InFlight:
    """What the calls that are under way in this process may still cost, by operation."""

    def __init__(self) -> None:
        self._tokens: dict[str, int] = {}
        self._lock = Lock()

    def add(self, operation: str, tokens: int) -> int:
        """Add a call; returns what others may cost at this moment."""
        with self._lock:
            others = self._tokens.get(operation, 0)
            self._tokens[operation] = others + tokens
            return others

    def take_away(self, operation: str, tokens: int) -> None:
        """Take a call away again."""
        with self._lock:
            left = self._tokens[operation] - tokens
            if left > 0:
                self._tokens[operation] = left
            else:
                del self._tokens[operation]


class TokenBudget:
    """Lets a call go ahead while there are tokens left, and counts what it cost.

    One call can go over the limit by what it costs itself, no more: where the calls under way might
    use up the rest, the next one waits for them. That holds for one process; each further process
    that works on the same operation can go over by one call too.

    Args:
        limit: Tokens that may be used in all.
        account: What is used in all, by whomever; without one this budget counts for itself.
        in_flight: The calls under way of all steps that share the account.
        operation: Whose budget it is.
    """

    def __init__(
        self,
        limit: int,
        account: Account | None = None,
        in_flight: InFlight | None = None,
        operation: str = "",
    ) -> None:
        self.limit = limit
        self.account: Account = account or OwnAccount()
        self._in_flight = in_flight or InFlight()
        self._operation = operation

    @asynccontextmanager
    async def call(self, most: int) -> AsyncGenerator[None]:
        """Have room for one call while it is under way.

        Args:
            most: Tokens that it may cost.

        Raises:
            BudgetSpent: The limit had been reached before the call.
        """
        await self._wait_for_room(most)
        try:
            yield
        finally:
            self._in_flight.take_away(self._operation, most)

    async def _wait_for_room(self, most: int) -> None:
        tries = 0
        while not await self._has_room(most):
            await give_way(tries)
            tries += 1

    async def _has_room(self, most: int) -> bool:
        # Reserved first and read then: what others spend in between is counted twice, not missed.
        others = self._in_flight.add(self._operation, most)
        fits = False
        try:
            used = await self.account.spent()
            if used >= self.limit:
                raise BudgetSpent(used, self.limit)
            fits = others == 0 or used + others + most <= self.limit
        finally:
            if not fits:
                self._in_flight.take_away(self._operation, most)
        return fits


class OwnAccount:
    """An account in memory, for work that no ledger knows of."""

    def __init__(self, used: int = 0) -> None:
        self.used = used

    async def spent(self) -> int:
        """Return the tokens spent so far."""
        return self.used

    async def spend(self, tokens: int, prompt: str | None = None) -> int:
        """Count what a call cost."""
        self.used += tokens
        return self.used


def estimated(*texts: str) -> int:
    """About how many tokens some texts are, where a provider counts none."""
    return sum(map(len, texts)) // CHARACTERS_PER_TOKEN
