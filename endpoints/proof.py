"""Hand out the proof of an operation, and the key that it can be checked with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import azure.functions as func

from countersign.approvals.person import Person
from countersign.platform.threads import SIGNING
from countersign.services import Services
from endpoints.exchange import Response
from endpoints.lookup import readable_operation
from endpoints.problems import Problem
from endpoints.routes import route

if TYPE_CHECKING:
    from countersign.approvals.ledger import Row
    from countersign.approvals.operation import Operation
    from countersign.proof.attestation import Envelope
    from countersign.proof.bundle import Bundle
    from countersign.proof.keys import SigningKey
    from endpoints.answers.proof_key import PublicProofKey

blueprint = func.Blueprint()


@route(blueprint, "operations/{id}/proof", "GET", problems=["not_authorised", "ledger_broken"])
async def get_proof(app: Services, req: func.HttpRequest, person: Person) -> Response[Bundle]:
    """Export a signed proof of an operation, which can be verified offline."""
    # Imported here because making its models would slow every start of the app down.
    from countersign.proof.export import export

    operation, rows, key = await _provable(app, req, person)
    bundle = await export(
        operation.tenant, operation.id, rows, app.artifacts, key=key, now=app.clock()
    )
    file = f'attachment; filename="{operation.id}.proof.json"'
    return Response(body=bundle, headers={"Content-Disposition": file})


@route(
    blueprint,
    "operations/{id}/attestation",
    "GET",
    problems=["not_authorised", "ledger_broken", "not_published"],
)
async def get_attestation(
    app: Services, req: func.HttpRequest, person: Person
) -> Response[Envelope]:
    """Export a signed in-toto attestation of what was published or ordered, as a DSSE envelope."""
    # Imported here because making its models would slow every start of the app down.
    from countersign.proof.attestation import attest

    operation, rows, key = await _provable(app, req, person)
    if operation.receipt is None:
        raise Problem("not_published", "Nothing has been published or ordered by this operation.")
    file = f'attachment; filename="{operation.id}.attestation.json"'
    headers = {"Content-Disposition": file}
    attestation = await SIGNING.run(attest, operation, rows, key)
    return Response(body=attestation, headers=headers)


@route(blueprint, "proof-key", "GET")
async def get_proof_key(app: Services) -> PublicProofKey:
    """Get the public key that verifies new proofs."""
    from endpoints.answers.proof_key import PublicProofKey

    return PublicProofKey.model_validate(_key(app).described())


async def _provable(
    app: Services, req: func.HttpRequest, person: Person
) -> tuple[Operation, Sequence[Row], SigningKey]:
    """Return an operation that this person may see, with its ledger and the key to sign it with.

    Raises:
        Problem: 403, they may not; 404, there is none; 409, its ledger was changed.
        SettingsError: there is no key.
    """
    operation = await readable_operation(app, req, person)
    key = _key(app)
    rows, broken = await app.operations.recorded(operation.tenant, operation.id)
    if broken is not None:
        detail = f"Its ledger is not as it was recorded, from row {broken} on: nobody signs that."
        raise Problem("ledger_broken", detail, sequence=broken)
    return operation, rows, key


def _key(app: Services) -> SigningKey:
    """Return the key that proofs are signed with.

    Raises:
        SettingsError: there is none.
    """
    from countersign.platform.environment import SettingsError

    key = app.settings.proof_key
    if key is None:
        raise SettingsError("Nothing can be signed: COUNTERSIGN_PROOF_KEY is not set.")
    return key
