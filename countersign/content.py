"""The content of a proposal: what would go out, as the bytes that are stored and signed."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from countersign.approvals.digest import canonical, proposal_digest
from countersign.approvals.operation import Operation
from countersign.stores.artifacts import Artifacts

LONGEST_TEXT = 2_000_000
"""Characters of the longest report that can be offered or sent back as a correction."""


class ReportContent(BaseModel):
    """A report as it would be published."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, defer_build=True)

    title: str = Field(min_length=1, max_length=300)
    media_type: Literal["text/markdown"] = "text/markdown"
    text: str = Field(min_length=1, max_length=LONGEST_TEXT)

    def stored(self) -> bytes:
        """The canonical bytes of this content.

        Raises:
            ValueError: the text can't be encoded, as with a lone surrogate.
        """
        return canonical(self.model_dump(mode="json"))

    @classmethod
    def read(cls, stored: bytes) -> ReportContent:
        """The content that these bytes hold."""
        return cls.model_validate_json(stored)

    def digest(self, operation: Operation, version: int) -> str:
        """What a reviewer signs when this content is that version of the operation."""
        return proposal_digest(
            kind=operation.kind,
            tenant=operation.tenant,
            operation_id=operation.id,
            version=version,
            content=self.model_dump(mode="json"),
        )


async def read_content(artifacts: Artifacts, tenant: str, reference: str) -> ReportContent:
    """The content that is stored under a reference.

    Raises:
        ArtifactError: it is missing or damaged.
        ValueError: what is stored is no content.
    """
    return ReportContent.read(await artifacts.get(tenant, reference))
