"""What is answered to a request for a report or an order, and what can be asked for."""

from __future__ import annotations

from endpoints.answers.response_body import ResponseBody


class Accepted(ResponseBody):
    """The operation that a request began, or had begun before."""

    operation_id: str
    status_url: str
    review_url: str


class Places(ResponseBody):
    """Where a request for a report can have research look, and how many pages it can name."""

    look_in: list[str]
    most_addresses: int
