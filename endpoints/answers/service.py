"""What anyone may ask of the service."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field, RootModel

from endpoints.answers.response_body import ResponseBody


class Health(ResponseBody):
    """Requests are being answered."""

    status: Literal["ok", "standby"]
    served_by: str | None = Field(
        default=None, description="The task hub that works on this storage, if it is another one."
    )
    clock_ahead_seconds: float | None = Field(
        default=None,
        description=(
            "How far the answering machine's clock was ahead of the storage account's when they"
            " were last compared; negative if it was behind, null if they were not compared."
        ),
    )
    warning: str | None = Field(
        default=None, description="What an operator has to correct, null if nothing."
    )


class Description(RootModel[dict[str, Any]]):
    """A document of OpenAPI 3.1."""
