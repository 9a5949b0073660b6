"""The real app with one more kind of operation: what a third kind brings, and nothing else."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import TYPE_CHECKING, Any

import azure.durable_functions as df
import azure.functions as func
from letter import ReplyContent, ReplyRequestBody
from reply import REPLY

from activities.step import step
from countersign.approvals.operation import Operation
from countersign.approvals.person import Person
from countersign.kinds.registry import register
from countersign.operations.writing import write_approved
from countersign.services import Services
from countersign.steps.names import draft_step
from countersign.steps.records import Done, Result, Stop, VersionWork, Work
from countersign.team.calls import Calls
from endpoints.exchange import Response
from endpoints.parameters import KEY
from endpoints.requests import ACCEPTED, accept
from endpoints.routes import route
from endpoints.sent import Sent
from orchestrators.story import Context, Story, approved_version, insist, perform, until_closed

if TYPE_CHECKING:
    from endpoints.answers.requests import Accepted

ROOT = Path(__file__).parents[3]

register(REPLY)
spec = importlib.util.spec_from_file_location("real_function_app", ROOT / "function_app.py")
assert spec
assert spec.loader
real_app = importlib.util.module_from_spec(spec)
spec.loader.exec_module(real_app)
app = real_app.app

blueprint = df.Blueprint()


@route(
    blueprint, "replies", "POST", roles=[REPLY.roles.request], statuses=ACCEPTED, parameters=[KEY]
)
async def start_reply(
    app: Services,
    req: func.HttpRequest,
    person: Person,
    sent: Sent[ReplyRequestBody],
    client: df.DurableOrchestrationClient,
) -> Response[Accepted]:
    """Ask for a reply; the same `Idempotency-Key` and body again get the same operation."""
    body = sent.read(ReplyRequestBody, most_bytes=64_000)
    return await accept(app, req, client, person, REPLY, body)


@blueprint.orchestration_trigger(context_name="context")
def reply(context: Context) -> Story[dict[str, Any]]:
    """Address a letter, have it decided, send it if approved, and close the operation."""
    return (yield from until_closed(context, send_what_is_approved))


def send_what_is_approved(context: Context, work: Work) -> Story[None]:
    """Everything between the request and the closing."""
    yield from perform(context, "address_letter", work)
    if approved := (yield from approved_version(context, work)):
        yield from insist(context, "send_letter", approved)


@step(blueprint)
async def address_letter(app: Services, work: Work) -> Result:
    """Make the letter that was asked for the first version; a repeat finds it made."""
    operation = await app.operations.load(work.tenant, work.operation_id)
    if operation is None:
        return Stop(ends_as="failed", reason="The operation is not in the ledger.")
    await _addressed(app, operation)
    return Done()


async def _addressed(app: Services, operation: Operation) -> None:
    stored = await app.artifacts.get(operation.shelf, operation.request)

    async def address(_calls: Calls) -> dict[str, str | None]:
        asked = ReplyRequestBody.model_validate_json(stored)
        letter = ReplyContent(customer=asked.customer, text=asked.text)
        reference = await app.artifacts.put(operation.shelf, letter.stored())
        return {"content": reference, "evidence": None}

    await app.workshop.make(operation, draft_step(1), address)


@step(blueprint)
async def send_letter(app: Services, work: VersionWork) -> Result:
    """Send the approved letter; running it twice sends it once."""
    return await write_approved(app, work)


app.register_functions(blueprint)
