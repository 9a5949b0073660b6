"""What is answered to a request for a report or an order."""

from __future__ import annotations

from endpoints.answers.response_body import ResponseBody


class Accepted(ResponseBody):
    """The operation that a request began, or had begun before."""

    operation_id: str
    status_url: str
    review_url: str
