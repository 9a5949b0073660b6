"""People's passkeys, and the challenges that they sign to approve."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import azure.functions as func

from countersign.approvals.person import OPERATOR, Person
from countersign.kinds.registry import deciding_roles
from countersign.services import Services
from endpoints.lookup import operation_of, version_in
from endpoints.problems import Problem, refused
from endpoints.routes import route
from endpoints.sent import Sent

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from countersign.bodies.body import ChallengeBody, NewPasskeyBody, PasskeyBody
    from countersign.passkeys.ring import Passkey
    from endpoints.answers.passkeys import (
        ChallengeView,
        NewPasskeyOptions,
        PasskeyList,
        PasskeyView,
    )

MOST_BYTES = 64_000

blueprint = func.Blueprint()


@route(blueprint, "passkeys", "GET")
async def list_passkeys(app: Services, person: Person) -> PasskeyList:
    """List the caller's passkeys and, for an operator, those of others that aren't removed."""
    from endpoints.answers.passkeys import PasskeyList

    own = await app.passkeys.of(person.tenant, person.id)
    confirms = OPERATOR in person.roles and not person.program
    everybodys = await app.passkeys.of_all(person.tenant) if confirms else []
    return PasskeyList.of(own, [each for each in everybodys if each.added.by != person.id])


@route(blueprint, "passkeys/options", "GET", problems=["people_only"])
async def get_passkey_options(app: Services, person: Person) -> NewPasskeyOptions:
    """Get what the browser needs to make another passkey for the caller."""
    from endpoints.answers.passkeys import NewPasskeyOptions

    _refuse_program(person)
    site = app.passkeys.require_site()
    challenge = await app.passkeys.challenge_to_add(person)
    own = await app.passkeys.of(person.tenant, person.id)
    return NewPasskeyOptions.of(person, site, challenge, own)


@route(blueprint, "passkeys", "POST", problems=["people_only", "passkey_refused"])
async def add_passkey(app: Services, person: Person, sent: Sent[NewPasskeyBody]) -> PasskeyView:
    """Add a passkey for the caller, which can sign once an operator has confirmed it."""
    from countersign.bodies.body import NewPasskeyBody
    from countersign.passkeys.adding import MadePasskey

    _refuse_program(person)
    body = sent.read(NewPasskeyBody, most_bytes=MOST_BYTES)
    made = MadePasskey(id=body.id, client_data=body.client_data, attestation=body.attestation)
    return await _view(app.passkeys.add(person, body.label, made))


@route(blueprint, "passkeys/confirm", "POST", roles=(OPERATOR,), problems=["passkey_refused"])
async def confirm_passkey(app: Services, person: Person, sent: Sent[PasskeyBody]) -> PasskeyView:
    """Confirm another person's passkey, whose fingerprint they have read to the caller."""
    from countersign.bodies.body import PasskeyBody

    body = sent.read(PasskeyBody, most_bytes=MOST_BYTES)
    return await _view(app.passkeys.confirm(person, body.person, body.id))


@route(blueprint, "passkeys/remove", "POST", problems=["passkey_refused"])
async def remove_passkey(app: Services, person: Person, sent: Sent[PasskeyBody]) -> PasskeyView:
    """Remove a passkey of one's own or, as an operator, anybody's; it can sign no more."""
    from countersign.bodies.body import PasskeyBody

    body = sent.read(PasskeyBody, most_bytes=MOST_BYTES)
    return await _view(app.passkeys.remove(person, body.person, body.id))


@route(
    blueprint,
    "operations/{id}/proposals/{version}/challenge",
    "POST",
    roles=deciding_roles(),
    problems=[
        "own_request",
        "people_only",
        "passkey_refused",
        "already_decided",
        "superseded",
        "expired",
        "digest_mismatch",
        "last_version",
        "erased",
        "ledger_broken",
    ],
)
async def get_challenge(
    app: Services, req: func.HttpRequest, person: Person, sent: Sent[ChallengeBody]
) -> ChallengeView:
    """Get what one of the caller's passkeys has to sign to approve this version now."""
    from countersign.bodies.body import ChallengeBody
    from countersign.commands.signing import Challenge, challenge_for
    from endpoints.answers.passkeys import ChallengeView

    operation = await operation_of(app, req, person)
    proposal = version_in(req, operation)
    body = sent.read(ChallengeBody, most_bytes=MOST_BYTES)
    challenge = await challenge_for(app, operation, proposal, person, body.comment)
    if not isinstance(challenge, Challenge):
        raise refused(challenge)
    return ChallengeView.of(challenge, app.passkeys.require_site())


async def _view(changed: Awaitable[Passkey]) -> Any:
    """Return a passkey as it is after a change, as the API shows it.

    Raises:
        Problem: 403, it can't be changed so.
    """
    from countersign.passkeys.errors import PasskeyFault
    from endpoints.answers.passkeys import PasskeyView

    try:
        return PasskeyView.of(await changed)
    except PasskeyFault as fault:
        raise Problem("passkey_refused", f"{fault}") from fault


def _refuse_program(person: Person) -> None:
    from countersign.approvals.errors import PeopleOnly

    if person.program:
        raise refused(PeopleOnly())
