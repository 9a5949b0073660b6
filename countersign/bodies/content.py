"""The content of a proposal: what would go out, as the bytes that are stored and signed."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

from pydantic import BaseModel, ConfigDict
from typing_extensions import Self

from countersign.approvals.digest import canonical, proposal_digest
from countersign.approvals.money import Money
from countersign.approvals.offering import Open
from countersign.approvals.operation import Operation


class Content(BaseModel):
    """What every kind of content has in common."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, defer_build=True)

    def stored(self) -> bytes:
        """Return the canonical bytes of this content.

        Raises:
            ValueError: the text can't be encoded, as with a lone surrogate.
        """
        return canonical(self.model_dump(mode="json"))

    @classmethod
    def read(cls, stored: bytes) -> Self:
        """Return the content that these bytes hold.

        Raises:
            ValueError: they hold none.
        """
        return cls.model_validate_json(stored)

    def digest(self, operation: Operation, version: int) -> str:
        """Return what a reviewer signs when this content is that version of the operation."""
        return proposal_digest(
            kind=operation.kind,
            tenant=operation.tenant,
            operation_id=operation.id,
            version=version,
            content=self.model_dump(mode="json"),
        )

    @abstractmethod
    def written(self) -> bytes:
        """Return the bytes that its destination is given."""

    @property
    def amount(self) -> Money | None:
        """What it costs, if it costs something."""
        return None

    @property
    def headline(self) -> str | None:
        """What an operation with this content is called; None if as it was asked for."""
        return None

    @abstractmethod
    def widening(self, before: Any) -> tuple[str, ...]:
        """In what, by its fields, this goes beyond the content that it corrects.

        Whoever made it can't be the only one to approve that.
        """


def offer(
    operation: Operation,
    version: int,
    *,
    offered: Content,
    content: str,
    evidence: str | None,
    corrected: Content | None,
) -> Open:
    """Return what opens a version.

    Args:
        operation: whose version it is.
        version: its number (from 1).
        offered: its content.
        content: the reference under which that is stored.
        evidence: the reference of what it can be checked against, if there is such a thing.
        corrected: what it is a reviewer's correction of, None if it is none.
    """
    return Open(
        version=version,
        digest=offered.digest(operation, version),
        content=content,
        evidence=evidence,
        amount=offered.amount,
        title=offered.headline,
        widens=corrected is not None and bool(offered.widening(corrected)),
    )


class UnfitCorrection(ValueError):
    """A correction can't be made to the content that it is for.

    Attributes:
        field: which part of it.
        reason: why.
    """

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(f"{field}: {reason}")
        self.field, self.reason = field, reason
