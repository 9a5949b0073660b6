"""The parameters of requests, each as the API describes it and as it is read."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import azure.functions as func

from endpoints.problems import malformed


@dataclass(frozen=True, kw_only=True, slots=True)
class Parameter:
    """A parameter in the query, in the path or in a header.

    Attributes:
        schema: what it has to be, as JSON Schema says it.
    """

    name: str
    place: Literal["query", "path", "header"] = "query"
    schema: Mapping[str, Any] = field(default_factory=lambda: {"type": "string"})
    description: str = ""
    required: bool = False

    def of(self, request: func.HttpRequest) -> str | None:
        """Return what a request has for it; None if it is missing or, in the query, empty.

        In the query its name may be spelt in any case: the Functions host leaves empty ones out,
        and takes names that differ in case for one.
        """
        if self.place == "path":
            return request.route_params.get(self.name)
        if self.place == "header":
            return request.headers.get(self.name)
        values = (value for name, value in request.params.items() if name.lower() == self.name)
        return next(filter(None, values), None)


ID = Parameter(
    name="id",
    place="path",
    schema={"type": "string", "pattern": "^[a-z]+-[0-9a-f]{24}$"},
    required=True,
)
VERSION = Parameter(
    name="version", place="path", schema={"type": "integer", "minimum": 1}, required=True
)
COMMENT = Parameter(
    name="comment",
    place="path",
    required=True,
    schema={"type": "integer", "minimum": 1},
    description="Its number among the comments on the version.",
)
CLAIM = Parameter(
    name="claim",
    place="path",
    schema={"type": "integer", "minimum": 1},
    description="Of the claims in the version's evidence, counted from 1.",
    required=True,
)
QUESTION = Parameter(
    name="question",
    place="path",
    schema={"type": "string", "pattern": "^q[1-9][0-9]*$"},
    required=True,
)
QUOTE = Parameter(
    name="quote",
    place="path",
    schema={"type": "integer", "minimum": 1},
    description="Of the quotes of the answer, counted from 1.",
    required=True,
)
ROOM = Parameter(name="room", place="path", required=True)
FILE = Parameter(name="file", place="path", required=True)
IN_PATHS = {each.name: each for each in (ID, VERSION, COMMENT, CLAIM, QUESTION, QUOTE, ROOM, FILE)}
"""By their names in the templates of routes."""

KEY = Parameter(
    name="Idempotency-Key",
    place="header",
    schema={"type": "string", "pattern": "^[\\x21-\\x7e]{1,200}$"},
    description="Repeating the same key and body returns the same operation.",
)
FILE_NAME = Parameter(
    name="X-File-Name",
    place="header",
    description="The file's name in UTF-8, percent-encoded; its extension tells how it is read.",
    required=True,
)
LIMIT = Parameter(
    name="limit", schema={"type": "integer", "minimum": 1, "maximum": 100, "default": 20}
)
CURSOR = Parameter(name="cursor", description="The cursor that the previous page returned.")
PENDING = Parameter(name="status", schema={"type": "string", "const": "pending"})
OPERATION = Parameter(
    name="operation", description="Only proposals of this operation.", schema=ID.schema
)
FROM = Parameter(
    name="from",
    schema={"type": "integer", "minimum": 0, "maximum": 99_999_999},
    description="The character of the source's text to begin with; by default, shortly before"
    " the quote.",
)
SINCE = Parameter(
    name="since",
    schema={"type": "integer", "minimum": 1},
    description="Show the changes since this version; by default, since the previous one.",
)


def limit_in(request: func.HttpRequest) -> int:
    """Return how many rows a page is to have; by default, as the schema says.

    Raises:
        Problem: 422, it is something else than the parameter's schema says.
    """
    most, text = LIMIT.schema["maximum"], LIMIT.of(request) or str(LIMIT.schema["default"])
    if not re.fullmatch(r"[1-9][0-9]{0,5}", text) or int(text) > most:
        raise malformed({"limit": f"it must be a number from 1 to {most}"})
    return int(text)
