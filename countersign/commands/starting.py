"""A person's request on its way into the ledger, whichever way it came in."""

from __future__ import annotations

import uuid
from dataclasses import replace
from typing import TYPE_CHECKING

from countersign.approvals.digest import canonical
from countersign.approvals.events import OperationStarted
from countersign.approvals.operation import shelf_of
from countersign.approvals.person import Person
from countersign.kinds.kind import DecisionModel, Kind, Offered, RequestModel
from countersign.operations.repository import Changed

if TYPE_CHECKING:
    from countersign.approvals.policy import Policy
    from countersign.services import Services
    from countersign.settings import Settings


class UnfitTerms(ValueError):
    """The settings don't let a request be decided on the terms that it asks for."""


def new_operation_id(kind: str) -> str:
    """Return an id that no other operation has."""
    return f"{kind}-{uuid.uuid4().hex[:24]}"


def _signed_by_roles(policy: Policy, settings: Settings) -> Policy:
    """Return the terms, with the roles in which an approval takes a passkey's signature."""
    return replace(policy, passkey_roles=tuple(sorted(settings.passkeys_required.roles)))


async def start_operation(
    app: Services,
    person: Person,
    operation_id: str | None,
    kind: Kind[RequestModel, DecisionModel, Offered],
    body: RequestModel,
) -> tuple[Changed, str]:
    """Begin an operation, unless one of this id was begun before.

    Args:
        app: the services.
        person: whose request it is.
        operation_id: None for an id that no other has.
        kind: of which kind it is to be.
        body: the request.

    Returns:
        The operation, with no events if it was there, and the reference of this request.

    Raises:
        AllowanceUsed: the person has used what they may.
        UnfitTerms: the settings don't let it be decided on these terms.
        KeyError: there are no limits for the currency of an order.
    """
    policy = _signed_by_roles(kind.policy(body, app.settings), app.settings)
    if fault := app.settings.fault_in(policy):
        raise UnfitTerms(fault)
    begun = await app.operations.load(person.tenant, operation_id) if operation_id else None
    named = operation_id or new_operation_id(kind.name)
    if begun is None:
        await app.allowances.begin(person, named)
    shelf = shelf_of(person.tenant, named)
    event = OperationStarted(
        at=app.clock(),
        actor=person.actor,
        kind=kind.name,
        title=body.title,
        request=await app.artifacts.put(shelf, canonical(body.model_dump(mode="json"))),
        policy=policy,
        erasable=True,
    )
    if begun:
        return Changed(operation=begun, events=()), event.request
    started = await app.operations.start(person.tenant, named, event, by=person)
    return started, event.request
