"""Paid work, done once: a result is kept by what went into it, and found again after a crash."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from countersign.approvals.digest import canonical, sha256
from countersign.approvals.operation import Operation
from countersign.stores.artifacts import Artifacts
from countersign.team.budget import TokenBudget


@dataclass(frozen=True, kw_only=True, slots=True)
class Made:
    """The result of a step: its JSON, where it is stored, and the tokens it took."""

    result: Any
    reference: str
    tokens: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Workshop:
    """Where the steps of operations are carried out.

    Attributes:
        artifacts: where results are kept.
        model: which model works here; another one makes other results.
        token_limit: how many tokens one operation may use in all.
    """

    artifacts: Artifacts
    model: str
    token_limit: int

    async def make(
        self,
        operation: Operation,
        step: str,
        made_from: Mapping[str, Any],
        work: Callable[[TokenBudget], Awaitable[Any]],
        share: int = 1,
    ) -> Made:
        """Carry a step out, unless its result is stored already.

        Args:
            operation: whose step it is; results are never shared between operations.
            step: the name of the step.
            made_from: JSON of all that goes into it.
            work: makes the result, as JSON, within a budget.
            share: how many steps run side by side; each gets its part of the tokens left.

        Raises:
            BudgetSpent: the operation has no tokens left for this.
        """
        key = self.key(operation, step, made_from)
        tenant = operation.tenant
        reference = operation.work.get(step) or await self.artifacts.recall(tenant, key)
        if reference is None:
            left = (self.token_limit - operation.tokens) // share
            budget = TokenBudget(limit=max(left, 0))
            made = {"result": await work(budget), "tokens": budget.used}
            reference = await self.artifacts.put(tenant, canonical(made))
            reference = await self.artifacts.remember(tenant, key, reference)
        return await self.fetch(tenant, reference)

    async def fetch(self, tenant: str, reference: str) -> Made:
        """A result that was made before."""
        made = json.loads(await self.artifacts.get(tenant, reference))
        return Made(result=made["result"], reference=reference, tokens=made["tokens"])

    def key(self, operation: Operation, step: str, made_from: Mapping[str, Any]) -> str:
        """What a result is kept by: a digest over everything that it depends on."""
        return sha256(
            canonical([operation.tenant, operation.id, step, self.model, dict(made_from)])
        )
