"""The body that a request carries."""

from __future__ import annotations

import json
from typing import Any, Generic, TypeVar

import azure.functions as func
from pydantic import BaseModel, ValidationError

from countersign.operations.wrong_fields import wrong_fields
from endpoints.problems import Problem, malformed

Body = TypeVar("Body")
Model = TypeVar("Model", bound=BaseModel)


class Sent(Generic[Body]):
    """A body that is not read yet; a view names the model, or `bytes`, that it reads it as."""

    def __init__(self, request: func.HttpRequest) -> None:
        self._request = request

    @property
    def content(self) -> bytes:
        """The body as it was sent.

        Raises:
            Problem: 411, the request doesn't say how long it is: the Functions host hands such a
                body on to no app.
        """
        if "Transfer-Encoding" in self._request.headers:
            detail = (
                "The length of the body is missing: send Content-Length, not Transfer-Encoding."
            )
            raise Problem("length_required", detail)
        return self._request.get_body()

    def read(self: Sent[Model], model: type[Model], *, most_bytes: int) -> Model:
        """Return the body, read strictly.

        Raises:
            Problem: 411, its length is not told; 413, it is larger than `most_bytes`; 422, it is
                not what the model describes.
        """
        raw = self.content
        if len(raw) > most_bytes:
            detail = f"The body has {len(raw):,} bytes; at most {most_bytes:,} are allowed."
            raise Problem("too_large", detail, most_bytes=most_bytes)
        try:
            value = json.loads(raw, object_pairs_hook=_unique, parse_constant=_not_json)
        except (ValueError, RecursionError) as error:
            raise malformed(
                {"body": "it must be JSON, and no object may have a name twice"}
            ) from error
        if not isinstance(value, dict):
            raise malformed({"body": "it must be a JSON object"})
        try:
            return model.model_validate(value)
        except ValidationError as error:
            raise malformed(wrong_fields(error, whole="body")) from error


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Make an object whose names stand once: of two decisions in a body neither can be meant."""
    fields = dict(pairs)
    if len(fields) != len(pairs):
        raise ValueError("a name stands twice in one object")
    return fields


def _not_json(constant: str) -> float:
    raise ValueError(f"{constant} is not JSON")
