"""The digest that binds a decision to exactly one content of one version."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, cast

import rfc8785

_LARGEST = 2**53 - 1


def canonical(value: Any) -> bytes:
    """Return the one byte sequence of a JSON value (RFC 8785, JSON Canonicalization Scheme).

    Raises:
        ValueError: the value is not JSON: NaN, a number beyond 2**53, a lone surrogate.
    """
    try:
        with suppress(_WrittenOtherwise):
            alike = _written_alike(value)
            return json.dumps(
                alike, ensure_ascii=False, separators=(",", ":"), sort_keys=True
            ).encode()
        return rfc8785.dumps(value)
    except (rfc8785.CanonicalizationError, UnicodeEncodeError) as error:
        raise ValueError(f"not representable as canonical JSON: {error}") from error


class _WrittenOtherwise(Exception):
    """Python's own encoder writes a value in another way than RFC 8785 has it."""


def _written_alike(value: object) -> object:
    """Return a value that Python's own, much faster encoder writes in the same bytes.

    It differs in how it writes some fractions (RFC 8785, section 3.2.2.3) and sorts keys beyond
    ASCII (3.2.3), and takes more for JSON than is.

    Raises:
        _WrittenOtherwise: there is none such.
    """
    kind = type(value)
    if kind is str or kind is bool or value is None:
        return value
    if kind is int and -_LARGEST <= cast("int", value) <= _LARGEST:
        return value
    if kind is float:
        return _number_alike(cast("float", value))
    if kind is list:
        return [_written_alike(each) for each in cast("list[object]", value)]
    if kind is dict:
        entries = cast("dict[object, object]", value)
        if all(type(key) is str and key.isascii() for key in entries):
            return {key: _written_alike(each) for key, each in entries.items()}
    raise _WrittenOtherwise


def _number_alike(value: float) -> float:
    # Between these both write the shortest digits that mean the number, without an exponent.
    if 1e-4 <= abs(value) < 1e15 or value == 0:
        return int(value) if value.is_integer() else value
    raise _WrittenOtherwise


def sha256(data: bytes) -> str:
    """Return the SHA-256 of some bytes, as 64 hexadecimal digits (FIPS 180-4)."""
    return hashlib.sha256(data).hexdigest()


def proposal_digest(
    *, kind: str, tenant: str, operation_id: str, version: int, content: Mapping[str, Any]
) -> str:
    """Return the digest of one version: what a reviewer signs and what publishing checks.

    Args:
        kind: the kind of operation, such as "research".
        tenant: whose operation it is.
        operation_id: the operation.
        version: 1, 2, …
        content: the JSON of what would go out.

    Returns:
        64 hexadecimal digits.
    """
    signed = {
        "kind": kind,
        "tenant": tenant,
        "operation": operation_id,
        "version": version,
        "content": dict(content),
    }
    return sha256(canonical(signed))
