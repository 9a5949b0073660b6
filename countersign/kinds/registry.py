"""The kinds that this process knows, and the one error for all others."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from countersign.approvals.errors import NotAuthorised, Refusal
from countersign.approvals.operation import Operation
from countersign.approvals.person import OPERATOR, Person
from countersign.kinds.kind import AnyKind
from countersign.kinds.order import ORDER
from countersign.kinds.report import REPORT
from countersign.roles import AUDITOR
from countersign.stores.artifacts import Artifacts

if TYPE_CHECKING:
    from countersign.bodies.content import Content

_KINDS: dict[str, AnyKind] = {each.name: each for each in (REPORT, ORDER)}


class UnknownKind(LookupError):
    """Nobody registered the kind of an operation; the message is a sentence for people."""

    def __init__(self, name: str) -> None:
        super().__init__(f"Operations of the kind {name!r} are not known here.")
        self.name = name


def register(kind: AnyKind) -> None:
    """Make a kind known to this process, before its app is imported.

    Raises:
        ValueError: its name is taken.
    """
    if _KINDS.setdefault(kind.name, kind) is not kind:
        raise ValueError(f"there is another kind {kind.name!r}")


def known_kinds() -> Collection[AnyKind]:
    """All kinds, in the order in which they were registered."""
    return _KINDS.values()


def is_known(name: str) -> bool:
    """Return whether a kind of this name is registered."""
    return name in _KINDS


def kind_named(name: str) -> AnyKind:
    """Return the kind of this name.

    Raises:
        UnknownKind: there is none.
    """
    try:
        return _KINDS[name]
    except KeyError:
        raise UnknownKind(name) from None


def consequence_of(name: str) -> str:
    """Return a sentence about what follows from an approval, or that the kind is unknown."""
    return kind_named(name).consequence if is_known(name) else f"{UnknownKind(name)}"


async def read_content(artifacts: Artifacts, operation: Operation, reference: str) -> Content:
    """Return the content of an operation that is stored under a reference.

    Raises:
        ArtifactError: it is missing or damaged, or what is stored is no content of this kind.
        UnknownKind: nobody registered the kind of the operation.
    """
    return await kind_named(operation.kind).read(artifacts, operation.shelf, reference)


def requesting_roles() -> tuple[str, ...]:
    """Return who may ask for something, each for one kind of it."""
    return tuple(kind.roles.request for kind in known_kinds())


def deciding_roles() -> tuple[str, ...]:
    """Return who may be asked to decide about a version, each about one kind of operation."""
    return tuple(role for kind in known_kinds() for role in kind.roles.deciding)


def may_read_content(operation: Operation, person: Person) -> Refusal | None:
    """Why somebody may not read what is proposed; None if they requested it, review or audit."""
    deciding = kind_named(operation.kind).roles.deciding if is_known(operation.kind) else ()
    if person.id == operation.requester.id or not person.roles.isdisjoint((*deciding, AUDITOR)):
        return None
    return NotAuthorised(needs="a reviewer's role, or that you are the requester of this operation")


def reading_roles() -> tuple[str, ...]:
    """Return who may read what their organisation asked for, and what became of it: any role.

    Somebody whom the sign-in lets in without an assignment has none, and reads but their own.
    """
    return (*requesting_roles(), *deciding_roles(), AUDITOR, OPERATOR)
