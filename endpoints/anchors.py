"""Every hour, anchor the ledgers of each tenant that has no anchor of the day yet."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING

import azure.durable_functions as df

from countersign.services import Services
from endpoints.timers import every

if TYPE_CHECKING:
    from countersign.proof.anchor_place import AnchorPlace

LONGEST_RUN_SECONDS = 240.0
"""For all tenants together: a function may take ten minutes, and a clean stop needs some."""

blueprint = df.Blueprint()

_log = logging.getLogger(__name__)


@every(blueprint, "0 41 * * * *")
async def anchor_ledgers(app: Services, client: df.DurableOrchestrationClient) -> None:
    """Write the day's anchors where the settings name a place for them.

    Doing it twice, or twice at once, is safe. What is lost is in the log as an error, which names
    the operations, once an hour until an operator has looked.
    """
    del client
    if app.anchors is None:
        return
    try:
        await asyncio.wait_for(_anchor_all(app, app.anchors), LONGEST_RUN_SECONDS)
    except asyncio.TimeoutError:
        _log.error(
            "Not all tenants were anchored within %.0f seconds; the next run continues.",
            LONGEST_RUN_SECONDS,
        )


async def _tenants(app: Services, place: AnchorPlace) -> Sequence[str]:
    """Return the tenants that have an operation, or had one when they were anchored."""
    there = [tenant async for tenant in app.operations.ledger.tenants()]
    return sorted({*there, *await place.tenants()})


async def _anchor_all(app: Services, place: AnchorPlace) -> None:
    # Imported here because building its models would slow every start of the app down.
    from countersign.approvals.errors import LedgerError
    from countersign.proof.daily_anchor import anchor_tenant
    from countersign.proof.errors import ProofFault
    from countersign.stores.errors import StoreError

    faults = (ProofFault, StoreError, LedgerError, OSError)
    ledger, day = app.operations.ledger, app.clock().date()
    try:
        tenants = await _tenants(app, place)
    except faults as error:
        _log.error("No ledger was anchored: %s", error)
        return
    for tenant in tenants:
        try:
            done = await anchor_tenant(place, ledger, app.artifacts, tenant, day)
        except faults as error:
            _log.error("The ledgers of %s were not anchored: %s", tenant, error)
            continue
        for fault in done.lost:
            _log.error("Something of an earlier anchor of %s is lost: %s", tenant, fault)
