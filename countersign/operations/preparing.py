"""An order on its way from the request to what is offered for approval."""

from __future__ import annotations

from typing import TYPE_CHECKING

from countersign.approvals.operation import Operation
from countersign.steps.names import draft_step
from countersign.steps.records import Done, Stop, Wait, Work
from countersign.stores.artifacts import DamagedArtifact
from countersign.team.calls import Calls

if TYPE_CHECKING:
    from countersign.services import Services


async def prepare_order(app: Services, work: Work) -> Done | Wait | Stop:
    """Look a request over once more and make its order, with all totals, the first version.

    Where the stored request is missing or damaged, an operator is waited for (decision 17).
    """

    async def step(operation: Operation) -> Done:
        if draft_step(1) not in operation.work:
            await _first_version(app, operation)
        return Done()

    return await app.attempts.at(work, draft_step(1), step)


async def _first_version(app: Services, operation: Operation) -> None:
    # Imported here because building its models would slow every start of the app down.
    from countersign.purchases.order_bodies import OrderRequestBody

    stored = await app.artifacts.get(operation.tenant, operation.request)

    async def work(_calls: Calls) -> dict[str, str | None]:
        try:
            order = OrderRequestBody.model_validate_json(stored).order()
        except ValueError as error:
            raise DamagedArtifact(f"{operation.request} is not a request for an order") from error
        return {
            "content": await app.artifacts.put(operation.tenant, order.stored()),
            "evidence": None,
        }

    made_from = {"request": operation.request}
    await app.workshop.make(operation, draft_step(1), made_from, work)
