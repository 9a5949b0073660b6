"""Place approved orders, many at once, in a process that dies after every single effect.

    submissions.py GUARDS SETTLING_SECONDS FAULT=URL...

Until all operations are closed, this has to be started again and again. Each tries as the durable
engine does, only with shorter pauses: what fails is tried again, what was broken off too.
"""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from dataclasses import replace
from decimal import Decimal
from functools import partial, reduce
from typing import Any, cast

import peril

from countersign.approvals import offering, rules
from countersign.approvals.events import Event, OperationStarted
from countersign.approvals.folding import begin, evolve
from countersign.approvals.person import Person
from countersign.approvals.policy import Policy
from countersign.destinations.order_service import OrderService
from countersign.destinations.purchasing import Guard, Purchasing
from countersign.operations.proposing import close_operation
from countersign.operations.writing import write_approved
from countersign.purchases.order import OrderContent, line_of
from countersign.roles import PURCHASE_APPROVER, PURCHASE_REQUESTER
from countersign.services import Services
from countersign.steps.records import ClosingWork, Stop, VersionWork, Work, to_json
from countersign.stores.sqlite import SqliteLedger
from countersign.stores.sqlite_index import SqliteIndex
from countersign.wiring import services

TENANT = "home"
RITA = Person(id="rita", name="Rita", tenant=TENANT, roles=frozenset({PURCHASE_REQUESTER}))
VICTOR = Person(id="victor", name="Victor", tenant=TENANT, roles=frozenset({PURCHASE_APPROVER}))

TIMEOUT_SECONDS = {"slow": 0.3, "late": 0.3}
"""How long an answer may take; elsewhere much longer than any answer does."""

USUAL_TIMEOUT_SECONDS = 1.0
PAUSE_SECONDS = 0.1

_operation: ContextVar[str] = ContextVar("operation", default="")


class Submissions:
    """All the operations of one combination of guards.

    Args:
        app: What they are kept with.
        destinations: Where orders go, by the fault that they meet there.
    """

    def __init__(self, app: Services, destinations: dict[str, OrderService]) -> None:
        self._app = app
        self._destinations = destinations
        self._deaths = app.settings.data / "deaths"
        self._deadly = False
        self._places: set[str] = set()
        self._machine = machine = peril.Machine(
            app.settings.data / "places", [os.getpid()], may_die_at=self._may_die_at
        )
        peril.endanger(machine, SqliteLedger, "append")
        peril.endanger(machine, SqliteIndex, "announce", "put", "retract")
        peril.endanger_orders(machine)

    async def go_on(self) -> None:
        """Carry all operations on until they are closed, or until the process dies."""
        known = [(each, fault) for fault in self._destinations for each in await self._of(fault)]
        if not known:
            known = await self._begin()
        self._deadly = True
        await self._carry([(each, fault) for each, fault in known if not await self._closed(each)])

    async def _begin(self) -> list[tuple[str, str]]:
        """Let one order of each fault live, and make as many more as there are places to die."""
        scouts = [(await self._approved(fault, 0), fault) for fault in self._destinations]
        await self._carry(scouts)
        places = Counter(place.split(":")[0] for place in self._places)
        return [
            (await self._approved(fault, number), fault)
            for number in range(1, max(places.values()) + 1)
            for fault in self._destinations
            if number <= places[fault]
        ]

    async def _carry(self, operations: list[tuple[str, str]]) -> None:
        begun: list[asyncio.Task[None]] = []
        with self._machine.at_work():
            for each, fault in operations:
                begun.append(asyncio.create_task(self._submit(each, fault)))
                await to_be_in_time()
        await asyncio.gather(*begun)

    async def _submit(self, operation_id: str, fault: str) -> None:
        """What the orchestration of a purchase does once a version is approved."""
        _operation.set(operation_id)
        peril.doing.set(fault)
        rows = await self._app.operations.ledger.read(TENANT, operation_id)
        again = " again" if self._begun(operation_id) else ""
        peril.recorded.set(rows[-1].type + again)
        app = replace(self._app, orders=self._destinations[fault])
        with self._machine.at_work():
            work = Work(tenant=TENANT, operation_id=operation_id)
            written = await insist(partial(write_approved, app, VersionWork.of(work, version=1)))
            ending = to_json(written) if isinstance(written, Stop) else {}
            await insist(partial(close_operation, app, ClosingWork.of(work, **ending)))

    def _begun(self, operation_id: str) -> bool:
        deaths = self._deaths.read_text("utf-8") if self._deaths.exists() else ""
        return f"{operation_id} " in deaths

    def _may_die_at(self, place: str) -> bool:
        if self._deadly:
            peril.note(self._deaths, f"{_operation.get()} {place}")
        else:
            self._places.add(place)
        return self._deadly

    async def _of(self, fault: str) -> list[str]:
        found: list[str] = []
        while await self._app.operations.load(TENANT, name_of(fault, len(found))):
            found.append(name_of(fault, len(found)))
        return found

    async def _closed(self, operation_id: str) -> bool:
        operation = await self._app.operations.load(TENANT, operation_id)
        return operation is not None and operation.closed is not None

    async def _approved(self, fault: str, number: int) -> str:
        """Record what is recorded of a small order up to its approval."""
        operation_id, now = name_of(fault, number), self._app.clock()
        content = order()
        reference = await self._app.artifacts.put(TENANT, content.stored())
        policy = Policy(reviewer_role=PURCHASE_APPROVER, has_team=False)
        started = OperationStarted(
            at=now, actor=RITA.actor, kind="purchase", title="", request=reference, policy=policy
        )
        operation = begin(TENANT, operation_id, started)
        digest = content.digest(operation, 1)
        offer = offering.Open(version=1, digest=digest, content=reference, evidence=None)
        opened = happened(offering.open_proposal(operation, offer, now))
        approval = rules.Decide(reviewer=VICTOR, version=1, digest=digest, decision="approve")
        approved = happened(rules.decide(reduce(evolve, opened, operation), approval, now))
        events = [started, *opened, *approved]
        await self._app.operations.ledger.append(TENANT, operation_id, 0, events)
        return operation_id


async def to_be_in_time() -> None:
    """Wait until this process keeps up with its work: otherwise answers would seem to be late."""
    late = 1.0
    while late > 0.01:
        begun = time.monotonic()
        await asyncio.sleep(0.01)
        late = time.monotonic() - begun - 0.01


async def insist(work: Callable[[], Awaitable[Any]]) -> Any:
    """Try something until it succeeds."""
    while True:
        try:
            return await work()
        except Exception as error:  # noqa: BLE001 - the engine tries again whatever it was
            sys.stderr.write(f"{_operation.get()}: {error!r}\n")
            peril.recorded.set(f"{peril.recorded.get().removesuffix(' again')} again")
            await asyncio.sleep(PAUSE_SECONDS)


def order() -> OrderContent:
    """Two otters for 25.00 EUR in all."""
    line = line_of(
        sku="OT-1", description="Otter", quantity=2, unit_price=Decimal("12.50"), currency="EUR"
    )
    return OrderContent(
        vendor="Otter GmbH",
        destination=None,
        lines=[line],
        currency="EUR",
        total=line.total,
        reason="none left",
    )


def happened(answer: rules.Ruling) -> tuple[Event, ...]:
    """The events of what can't be refused."""
    assert isinstance(answer, tuple), answer
    return answer


def name_of(fault: str, number: int) -> str:
    """The id of an operation."""
    return f"purchase-{fault}-{number}"


def destination(
    url: str, fault: str, guards: frozenset[Guard], settling_seconds: float
) -> OrderService:
    """Where the orders go that meet this fault."""
    purchasing = Purchasing(
        url=url,
        guards=guards,
        timeout_seconds=TIMEOUT_SECONDS.get(fault, USUAL_TIMEOUT_SECONDS),
        settling_seconds=settling_seconds,
    )
    return OrderService(purchasing, pause=lambda tries: asyncio.sleep(PAUSE_SECONDS))


def main(guards: str, settling_seconds: str, *urls: str) -> None:
    """Carry all operations on."""
    supported = cast("frozenset[Guard]", frozenset(guards.split()) - {"none"})
    destinations = {
        fault: destination(url, fault, supported, float(settling_seconds))
        for fault, url in (each.split("=", 1) for each in urls)
    }
    asyncio.run(Submissions(services(), destinations).go_on())


if __name__ == "__main__":
    main(*sys.argv[1:])
