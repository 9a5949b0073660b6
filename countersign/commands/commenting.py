"""A reviewer's comments on passages on their way into the ledger, before anybody decides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from countersign.approvals.commenting import AddComments, add_comments
from countersign.approvals.digest import sha256
from countersign.approvals.errors import Invalid, Refusal
from countersign.approvals.operation import Operation, Proposal
from countersign.approvals.person import Person
from countersign.kinds.registry import kind_named, read_content
from countersign.operations.repository import Changed

if TYPE_CHECKING:
    from countersign.services import Services


class Commented(Protocol):
    """The comments of a body, of whichever kind."""

    @property
    def digest(self) -> str:
        """That of the version."""
        ...

    def besides(self, before: Sequence[bytes]) -> tuple[int, bytes]:
        """Return how many comments are new beside stored ones, and those as they are stored."""
        ...


async def record_comments(
    app: Services, operation: Operation, proposal: Proposal, person: Person, body: Commented
) -> Changed | Refusal:
    """Record what somebody says about passages, without what they have said before.

    Raises:
        ArtifactError: what is commented on, or what was said about it, can't be read back.
        UnknownKind: nobody registered the kind of the operation.
    """
    said = [
        await app.artifacts.get(operation.shelf, each.comments)
        for each in proposal.added
        if each.actor.id == person.id
    ]
    new, stored = body.besides(said)
    command = AddComments(
        reviewer=person,
        version=proposal.version,
        digest=body.digest,
        comments=sha256(stored),
        count=new,
    )
    allowed = add_comments(operation, replace(command, count=max(1, new)), app.clock())
    if not isinstance(allowed, tuple):
        return allowed
    if not new or not allowed:
        return Changed(operation=operation, events=())
    if fields := await _misquoted(app, operation, proposal, body):
        return Invalid(fields=fields)
    await app.artifacts.put(operation.shelf, stored)
    return await app.operations.change(
        operation.tenant,
        operation.id,
        lambda state, now: add_comments(state, command, now),
        by=person,
        again=True,
    )


async def _misquoted(
    app: Services, operation: Operation, proposal: Proposal, body: Commented
) -> Mapping[str, str]:
    content = await read_content(app.artifacts, operation, proposal.content)
    return await kind_named(operation.kind).misquoted(body, content)
