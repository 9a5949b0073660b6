"""How far the index was written anew."""

from __future__ import annotations

from pydantic import Field

from endpoints.answers.response_body import ResponseBody


class UnreadableLedger(ResponseBody):
    """An operation whose ledger can't be read, so that its row stays as it is."""

    operation_id: str
    reason: str


class IndexRebuilt(ResponseBody):
    """What one call did."""

    operations: int = Field(description="How many ledgers were read.")
    corrected: int = Field(description="How many rows were missing or wrong.")
    unreadable: list[UnreadableLedger]
    cursor: str | None = Field(description="Where the next call continues; null at the end.")
