"""What anyone may ask of the service."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import RootModel

from endpoints.answers.response_body import ResponseBody


class Health(ResponseBody):
    """Requests are being answered."""

    status: Literal["ok"]


class Description(RootModel[dict[str, Any]]):
    """A document of OpenAPI 3.1."""
