"""Find what a path names, within the caller's tenant."""

from __future__ import annotations

import re
from typing import Literal, TypeAlias

import azure.functions as func

from countersign.approvals.errors import NotAuthorised
from countersign.approvals.operation import Operation, Proposal
from countersign.approvals.person import Person
from countersign.kinds.registry import may_read_content, reading_roles
from countersign.services import Services
from endpoints.parameters import ID
from endpoints.problems import Problem, not_found, refused

Numbered: TypeAlias = Literal["version", "claim", "quote", "comment"]


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


async def readable_operation(app: Services, request: func.HttpRequest, person: Person) -> Operation:
    """Return the operation in the path to somebody who may read what it proposes.

    Raises:
        Problem: 404, there is none in this person's tenant; 403, this person is neither its
            requester nor a reviewer or auditor.
    """
    operation = await operation_of(app, request, person)
    if refusal := may_read_content(operation, person):
        raise refused(refusal)
    return operation


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
    number = number_in(request, "version", len(operation.proposals))
    if erased := operation.erased:
        detail = f"The texts of this operation were erased ({erased.rule})."
        raise Problem("erased", detail, at=erased.at.isoformat(), rule=erased.rule)
    return operation.proposals[number - 1]


def number_in(request: func.HttpRequest, what: Numbered, most: int) -> int:
    """Return a number in the path.

    Args:
        request: the request.
        what: the parameter's name, and what has the number.
        most: how many of these there are; they are numbered from 1.

    Raises:
        Problem: 404, none has this number.
    """
    text = request.route_params.get(what, "")
    if not re.fullmatch(r"[1-9][0-9]{0,4}", text) or int(text) > most:
        raise not_found(what)
    return int(text)
