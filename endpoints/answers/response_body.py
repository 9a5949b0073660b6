"""What the bodies of all answers have in common."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, ConfigDict, PlainSerializer, WithJsonSchema

Moment = Annotated[
    datetime,
    PlainSerializer(datetime.isoformat, return_type=str),
    WithJsonSchema({"type": "string", "format": "date-time"}),
]
"""A moment in RFC 3339, in UTC."""


class ResponseBody(BaseModel):
    """The body of an answer, or a part of one."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, defer_build=True)


def is_none(value: object) -> bool:
    """Return whether a field has nothing to say, and so is left out."""
    return value is None
