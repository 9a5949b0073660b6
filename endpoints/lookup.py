"""Find what a path names, within the caller's tenant."""

from __future__ import annotations

import re

import azure.functions as func

from countersign.approvals.errors import NotAuthorised
from countersign.approvals.operation import Operation, Proposal
from countersign.approvals.person import Person
from countersign.kinds.registry import may_read_content, reading_roles
from countersign.services import Services
from endpoints.parameters import ID
from endpoints.problems import Problem, not_found, refused


async def operation_of(app: Services, request: func.HttpRequest, person: Person) -> Operation:
    """Return the operation in the path.

    Raises:
        Problem: 404, there is none in this person's tenant.
    """
    operation = await app.operations.load(person.tenant, operation_id_in(request))
    if operation is None:
        raise not_found("operation")
    return operation


def refuse_outsider(person: Person, operation: Operation) -> None:
    """Let only those go on who may read operations.

    Raises:
        Problem: 403, this person has no role here and did not ask for the operation.
    """
    readers = reading_roles()
    if person.id != operation.requester.id and person.roles.isdisjoint(readers):
        needs = f"the role {' or '.join(readers)}, or that you are the requester of this operation"
        raise refused(NotAuthorised(needs=needs))


def refuse_stranger(person: Person, operation: Operation) -> None:
    """Let only those go on who may read what is proposed.

    Raises:
        Problem: 403, this person neither asked for the operation nor reviews or audits.
    """
    if refusal := may_read_content(operation, person):
        raise refused(refusal)


def operation_id_in(request: func.HttpRequest) -> str:
    """Return the id in the path.

    Raises:
        Problem: 404, no operation can have such an id.
    """
    return checked_id(request.route_params.get("id", ""))


def checked_id(operation_id: str) -> str:
    """Return the id, which is of the form that operations have.

    Raises:
        Problem: 404, no operation can have such an id.
    """
    if not re.fullmatch(ID.schema["pattern"], operation_id):
        raise not_found("operation")
    return operation_id


def version_in(request: func.HttpRequest, operation: Operation) -> Proposal:
    """Return the version in the path.

    Raises:
        Problem: 404, the operation has no such version; 410, its texts are erased.
    """
    text = request.route_params.get("version", "")
    proposal = operation.proposal(int(text)) if re.fullmatch(r"[1-9][0-9]{0,2}", text) else None
    if proposal is None:
        raise not_found("version")
    if erased := operation.erased:
        detail = f"The texts of this operation were erased ({erased.rule})."
        raise Problem("erased", detail, at=erased.at.isoformat(), rule=erased.rule)
    return proposal
