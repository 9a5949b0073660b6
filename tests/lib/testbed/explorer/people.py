"""Who asks for orders and decides about them, and tries what they may and may not."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Any

from countersign.approvals import holding, rules
from countersign.approvals.events import DecisionRecorded
from countersign.approvals.operation import Operation, Proposal
from countersign.approvals.person import Person
from countersign.approvals.stopping import stop
from countersign.commands.deciding import record_decision
from countersign.commands.starting import start_operation
from countersign.kinds.registry import kind_named
from countersign.operations.repository import Changed
from endpoints.runtime import go_on, ring, start_orchestration

if TYPE_CHECKING:
    from testbed.explorer.machine import Machine
    from testbed.explorer.world import World

TENANT = "contoso"
APPROVER, ESCALATION = "Purchase.Approver", "Purchase.Escalation"


def person(name: str, *roles: str) -> Person:
    """Somebody with these roles."""
    return Person(id=name, name=name, tenant=TENANT, roles=frozenset(roles))


REQUESTER = person("rita", "Purchase.Requester", APPROVER)
REVIEWERS = (
    REQUESTER,
    person("ann", APPROVER),
    person("bob", APPROVER),
    person("cyd", APPROVER, ESCALATION),
    person("eve", ESCALATION),
    person("olaf", "Auditor"),
)
OPERATOR = person("olga", "Operator")
ROLES = {each.id: each.roles for each in (*REVIEWERS, OPERATOR)}
PRICES = ("400.00", "1600.00", "56000.00")
WINDOWS = (60, 600, 3600)


class People:
    """Everybody who has to do with the operations of a world.

    Args:
        world: where they act.

    Attributes:
        acknowledged: the decisions that were answered as recorded, by their operation.
        asked: the operations that somebody asked for.
    """

    def __init__(self, world: World) -> None:
        self._world = world
        self._chance = world.chance
        self._pause = world.chance.choice([3.0, 30.0, 200.0])
        self.acknowledged: list[tuple[str, DecisionRecorded]] = []
        self.asked: list[str] = []

    async def live(self, place: int, seconds: float) -> None:
        """Ask for one order after the other, and act on each at any time, for so many seconds."""
        for number in count():
            operation_id = f"purchase-{place}-{number}"
            self.asked.append(operation_id)
            await self._insist(partial(self._ask, operation_id))
            await self._act_on(operation_id, seconds)
            if self._chance.time() >= seconds:
                return

    async def _act_on(self, operation_id: str, seconds: float) -> None:
        acts: list[Callable[[Machine, str], Awaitable[None]]] = [
            *[self._decide] * 12,
            *[self._take_back, self._withdraw, self._retry],
        ]
        acts += [self._stop] if self._chance.random() < 0.1 else []
        while self._chance.time() < seconds and not self._world.is_over(operation_id):
            await asyncio.sleep(self._chance.expovariate(1 / self._pause))
            for act in self._chance.choices(acts, k=self._chance.choice([1, 1, 2, 3])):
                self._world.attempt(lambda machine, act=act: act(machine, operation_id))

    async def _insist(self, work: Callable[[Machine], Awaitable[None]]) -> None:
        while not await self._world.attempt(work):  # noqa: ASYNC110 - as a client does
            await asyncio.sleep(10)

    async def _ask(self, operation_id: str, machine: Machine) -> None:
        kind = kind_named("purchase")
        body = kind.request_body().model_validate_json(self._wish())
        app = machine.services
        changed, _ = await start_operation(app, REQUESTER, operation_id, kind, body)
        await start_orchestration(self._world.client(machine), changed.operation)

    def _wish(self) -> str:
        line = {"sku": "A", "description": "Thing", "quantity": 1}
        line["unit_price"] = self._chance.choice(PRICES)
        return json.dumps(
            {
                "vendor": "Acme",
                "currency": "EUR",
                "reason": "We have none left.",
                "lines": [line],
                "approval": {"window_seconds": self._chance.choice(WINDOWS)},
            }
        )

    async def _decide(self, machine: Machine, operation_id: str) -> None:
        decision = self._chance.choice(["approve"] * 7 + ["reject"] + ["revise"] * 3)
        await self._decided(machine, operation_id, self._chance.choice(REVIEWERS), decision)

    async def _decided(
        self, machine: Machine, operation_id: str, who: Person, decision: str
    ) -> None:
        found = await self._seen(machine, operation_id)
        if found is None:
            return
        operation, proposal = found
        said: dict[str, Any] = {"decision": decision, "digest": proposal.digest, "comment": "So."}
        if decision == "revise":
            price = self._chance.choice(PRICES)
            said["correction"] = {"lines": [{"sku": "A", "unit_price": price}]}
        body = kind_named("purchase").decision_body().model_validate_json(json.dumps(said))
        changed = await record_decision(machine.services, operation, proposal, who, body)
        if isinstance(changed, Changed):
            decided = [e for e in changed.events if isinstance(e, DecisionRecorded)]
            self.acknowledged += [(operation_id, event) for event in decided]
            after = changed.operation
            await ring(self._world.client(machine), after, proposal.version)

    async def _take_back(self, machine: Machine, operation_id: str) -> None:
        who = self._chance.choice(REVIEWERS)
        found = await self._seen(machine, operation_id)
        if found is None:
            return
        version = found[1].version
        await machine.services.operations.change(
            TENANT, operation_id, lambda state, now: rules.take_back(state, who, version, now)
        )

    async def _withdraw(self, machine: Machine, operation_id: str) -> None:
        if self._chance.random() < 0.1:
            await self._ended(
                machine,
                operation_id,
                lambda state, now: rules.withdraw(state, REQUESTER, "No more.", now),
            )

    async def _stop(self, machine: Machine, operation_id: str) -> None:
        await self._ended(
            machine, operation_id, lambda state, now: stop(state, OPERATOR, "Enough.", now)
        )

    async def _retry(self, machine: Machine, operation_id: str) -> None:
        await self._ended(
            machine, operation_id, lambda state, now: holding.request_retry(state, REQUESTER, now)
        )

    async def _ended(self, machine: Machine, operation_id: str, rule: Any) -> None:
        changed = await machine.services.operations.change(TENANT, operation_id, rule)
        if isinstance(changed, Changed):
            await go_on(self._world.client(machine), changed.operation)

    async def _seen(self, machine: Machine, operation_id: str) -> tuple[Operation, Proposal] | None:
        operation = await machine.services.operations.load(TENANT, operation_id)
        if operation is None or operation.current is None:
            return None
        # What they look at may have been replaced since.
        stale = self._chance.random() < 0.05
        return operation, operation.proposals[0] if stale else operation.current
