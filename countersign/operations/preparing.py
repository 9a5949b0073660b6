"""An order on its way from the request to what is offered for approval."""

from __future__ import annotations

from typing import TYPE_CHECKING

from countersign.approvals import rules
from countersign.approvals.digest import canonical
from countersign.approvals.operation import Operation
from countersign.operations.opening import opening
from countersign.operations.repository import Changed, NotWanted
from countersign.operations.rule import unless_before
from countersign.steps.names import draft_step
from countersign.steps.records import Done, Stop, Wait, Work
from countersign.stores.artifacts import DamagedArtifact

if TYPE_CHECKING:
    from countersign.services import Services


async def prepare_order(app: Services, work: Work) -> Done | Wait | Stop:
    """Look a request over once more, and offer its order, with all totals, as the first version.

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

    stored = await app.artifacts.get(operation.shelf, operation.request)

    try:
        order = OrderRequestBody.model_validate_json(stored).order()
    except ValueError as error:
        raise DamagedArtifact(f"{operation.request} is not a request for an order") from error
    content = await app.artifacts.put(operation.shelf, order.stored())
    # It costs nothing and comes out the same each time, so it is kept by nothing but the ledger.
    made = {"content": content, "evidence": None}
    reference = await app.artifacts.put(operation.shelf, canonical(made))
    changed = await app.operations.change(
        operation.tenant,
        operation.id,
        unless_before(
            lambda state, now: rules.record_work(state, draft_step(1), reference, now),
            await opening(app.artifacts, operation, 1, made),
        ),
        again=True,
    )
    if not isinstance(changed, Changed):
        raise NotWanted(changed)
