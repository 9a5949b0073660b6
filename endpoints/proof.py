"""Hand out the proof of an operation, and the key that it can be checked with."""

from __future__ import annotations

from typing import TYPE_CHECKING

import azure.functions as func

from countersign.wiring import services
from endpoints.exchange import answer, caller
from endpoints.lookup import operation_of, refuse_stranger
from endpoints.problems import Problem
from endpoints.routes import route

if TYPE_CHECKING:
    from countersign.proof.keys import ProofKey

blueprint = func.Blueprint()


@route(blueprint, "operations/{id}/proof", "GET")
async def get_proof(req: func.HttpRequest) -> func.HttpResponse:
    """All that was recorded about an operation, signed, to be checked without this service."""
    # Imported here because making its models would slow every start of the app down.
    from countersign.proof.export import export

    person = await caller(req)
    operation = await operation_of(req, person)
    refuse_stranger(person, operation)
    key, app = _key(), services()
    rows, broken = await app.operations.recorded(operation.tenant, operation.id)
    if broken is not None:
        detail = f"Its ledger is not as it was recorded, from row {broken} on: nobody signs that."
        raise Problem(409, "ledger_broken", detail, sequence=broken)
    bundle = await export(
        operation.tenant, operation.id, rows, app.artifacts, key=key, now=app.clock()
    )
    return func.HttpResponse(
        bundle,
        mimetype="application/json",
        headers={
            "Cache-Control": "no-store",
            "Content-Disposition": f'attachment; filename="{operation.id}.proof.json"',
        },
    )


@route(blueprint, "proof-key", "GET")
async def get_proof_key(req: func.HttpRequest) -> func.HttpResponse:
    """The public key of the proofs that are signed now."""
    return answer(200, _key().described())


def _key() -> ProofKey:
    """The key that proofs are signed with.

    Raises:
        SettingsError: there is none.
    """
    from countersign.settings import SettingsError

    key = services().settings.proof_key
    if key is None:
        raise SettingsError("Nothing can be signed: COUNTERSIGN_PROOF_KEY is not set.")
    return key
