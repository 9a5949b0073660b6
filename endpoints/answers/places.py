"""Where research can look."""

from __future__ import annotations

from endpoints.answers.response_body import ResponseBody
from endpoints.answers.unread import UnreadFile


class Places(ResponseBody):
    """Where a request for a report can have research look, and how many pages it can name.

    `left_out`: files of the library that could not be read, as far as is known by now.
    """

    look_in: list[str]
    most_addresses: int
    left_out: list[UnreadFile]
