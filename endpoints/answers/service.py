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


class Description(RootModel[dict[str, Any]]):
    """A document of OpenAPI 3.1."""
