"""An order on its way from the request to what is offered for approval."""

from __future__ import annotations

from typing import TYPE_CHECKING

from countersign.approvals.operation import Operation
from countersign.approvals.standing import ended
from countersign.operations.refusals import stopped_by
from countersign.operations.repository import NotWanted
from countersign.steps.names import draft_step
from countersign.steps.records import Done, Stop, Work
from countersign.stores.artifacts import ArtifactError
from countersign.team.calls import Calls

if TYPE_CHECKING:
    from countersign.services import Services


async def prepare_order(app: Services, work: Work) -> Done | Stop:
    """Look a request over once more and make its order, with all totals, the first version."""
    operation = await app.operations.load(work.tenant, work.operation_id)
    if operation is None:
        return Stop(ends_as="failed", reason="The operation is not in the ledger.")
    if refusal := ended(operation):
        return stopped_by(refusal)
    try:
        await _first_version(app, operation)
    except NotWanted as error:
        return stopped_by(error.refusal)
    except ArtifactError:
        return Stop(ends_as="failed", reason="The stored request is missing or damaged.")
    except ValueError:
        return Stop(ends_as="failed", reason="The stored request is not a request for an order.")
    return Done()


async def _first_version(app: Services, operation: Operation) -> None:
    # Imported here because building its models would slow every start of the app down.
    from countersign.purchases.order_bodies import OrderRequestBody

    stored = await app.artifacts.get(operation.tenant, operation.request)

    async def work(_calls: Calls) -> dict[str, str | None]:
        order = OrderRequestBody.model_validate_json(stored).order()
        return {
            "content": await app.artifacts.put(operation.tenant, order.stored()),
            "evidence": None,
        }

    made_from = {"request": operation.request}
    await app.workshop.make(operation, draft_step(1), made_from, work)
