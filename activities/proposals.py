"""Open, settle and close: what an orchestration records about its proposals."""

from __future__ import annotations

import azure.durable_functions as df

from activities.failures import contained
from activities.traces import traced
from countersign.approvals.hold import Fault
from countersign.approvals.standing import next_step, next_wake
from countersign.operations.endings import Answer
from countersign.operations.proposing import close, open_version, settle_version
from countersign.operations.repository import Changed
from countersign.research import teamwork
from countersign.services import Services
from countersign.wiring import services
from orchestrators.inputs import EndingInput, VersionInput

blueprint = df.Blueprint()


@blueprint.activity_trigger(input_name="order")
@contained
@traced
async def open_proposal(order: VersionInput) -> Answer:
    """Offer a version for approval; running it twice opens it once, the first deadline stands."""
    return await open_version(services(), order["tenant"], order["operation_id"], order["version"])


@blueprint.activity_trigger(input_name="proposal")
@contained
@traced
async def settle_proposal(proposal: VersionInput) -> Answer:
    """Say what the ledger holds about a version, after recording what time has made true.

    Running it twice is safe: an expiry and each reminder are recorded once, the rest is reading.
    """
    return await _settle(
        services(), proposal["tenant"], proposal["operation_id"], proposal["version"]
    )


@blueprint.activity_trigger(input_name="ending")
@contained
@traced
async def close_operation(ending: EndingInput) -> Answer:
    """End an operation, or leave its work to an operator where it was given up.

    Running it twice leaves the first ending and its reason.
    """
    if ending.get("given_up"):
        return await _give_up(services(), ending)
    return await _close(services(), ending)


async def _settle(app: Services, tenant: str, operation_id: str, version: int) -> Answer:
    changed = await settle_version(app, tenant, operation_id, version)
    if not isinstance(changed, Changed):
        return {"next": "close"}
    step = next_step(changed.operation, version)
    proposal = changed.operation.proposal(version)
    if proposal is None or step != "wait":
        return {"next": step}
    wake_at = next_wake(changed.operation, proposal).isoformat()
    return {"next": step, "wake_at": wake_at, "news": app.notifier.has_news(changed.operation)}


async def _give_up(app: Services, ending: EndingInput) -> Answer:
    fault = Fault(cause="unforeseen", reason=ending.get("reason", ""), passes="later")
    answer = await teamwork.give_up(app, ending["tenant"], ending["operation_id"], fault)
    if "ends_as" in answer:
        outcome, reason = answer["ends_as"], answer["reason"]
        return await _close(app, {**ending, "ends_as": outcome, "reason": reason})
    return {"outcome": "needs_operator", "news": answer["news"]}


async def _close(app: Services, ending: EndingInput) -> Answer:
    outcome, reason = ending.get("ends_as"), ending.get("reason", "")
    await app.board.clear(ending["tenant"], ending["operation_id"])
    closed = await close(app, ending["tenant"], ending["operation_id"], outcome, reason)
    assert closed.closed is not None  # noqa: S101 - that is what it is for
    return {"outcome": closed.closed.outcome, "news": app.notifier.has_news(closed)}
