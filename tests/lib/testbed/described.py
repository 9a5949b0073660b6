"""Whether an answer is one that the API's description tells of."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any, NamedTuple

import httpx
from jsonschema import Draft202012Validator

JSON = {"application/json", "application/problem+json"}


class Answered(NamedTuple):
    """An answer as the description names it.

    Attributes:
        operation: the `operationId` of the call.
        code: of the problem; empty for what is none.
    """

    operation: str
    status: int
    code: str = ""


@cache
def document() -> dict[str, Any]:
    """The description of the API, as the app makes it."""
    import function_app
    from endpoints.openapi import description

    assert function_app.app
    return description()


def check(method: str, path: str, response: httpx.Response) -> Answered | None:
    """Hold an answer to the description; returns how that names it.

    Args:
        method: of the request.
        path: what follows `/api/` in its address.
        response: the answer. None comes of what is not the app's own.

    Raises:
        AssertionError: the call has no such answer, or not in this form.
    """
    call = _call(method, path.split("?")[0])
    media = response.headers.get("Content-Type", "").split(";")[0]
    if call is None or (response.is_error and media != "application/problem+json"):
        return None
    where = f"{method} {path}: {response.status_code} {response.text[:500]}"
    if response.status_code in (304, 308):
        return Answered(call["operationId"], response.status_code)
    assert str(response.status_code) in call["responses"], where
    contents = call["responses"][str(response.status_code)]["content"]
    assert media in contents or "*/*" in contents, f"{where} is {media}"
    if media not in JSON:
        return Answered(call["operationId"], response.status_code)
    code = response.json()["code"] if response.is_error else ""
    _validate(call["operationId"], response.status_code, media, response.content)
    return Answered(call["operationId"], response.status_code, code)


@cache
def _call(method: str, path: str) -> dict[str, Any] | None:
    for template, calls in document()["paths"].items():
        pattern = re.sub(r"\\\{\w+\\\}", "[^/]+", re.escape(template.strip("/")))
        if re.fullmatch(pattern, path):
            return calls.get(method.lower())
    return None


@cache
def _validate(operation: str, status: int, media: str, content: bytes) -> None:
    """Validate a body; while a test waits for something, the same comes again and again."""
    errors = [*_validator(operation, status, media).iter_errors(json.loads(content))]
    assert not errors, f"{operation} answers {status} with {content[:500]!r}: {errors[0]}"


@cache
def _validator(operation: str, status: int, media: str) -> Draft202012Validator:
    [call] = [
        call
        for calls in document()["paths"].values()
        for call in calls.values()
        if call["operationId"] == operation
    ]
    schema = call["responses"][str(status)]["content"][media]["schema"]
    return Draft202012Validator({"components": document()["components"], **schema})
