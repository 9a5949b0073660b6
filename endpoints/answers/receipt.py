"""The receipt of what was written, as the API shows it."""

from __future__ import annotations

from pydantic import Field

from endpoints.answers.response_body import ResponseBody, is_none


class ReceiptView(ResponseBody):
    """What the destination confirmed: `size` is in bytes; only orders have a number and a total."""

    destination: str
    location: str
    sha256: str
    size: int
    written_at: str
    order_number: str | None = Field(default=None, exclude_if=is_none)
    total: str | None = Field(default=None, exclude_if=is_none)
    currency: str | None = Field(default=None, exclude_if=is_none)
