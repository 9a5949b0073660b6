"""The digest that binds a decision to exactly one content of one version."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any, cast

import rfc8785

_LARGEST = 2**53 - 1


def canonical(value: Any) -> bytes:
    """The one byte sequence of a JSON value (RFC 8785, JSON Canonicalization Scheme).

    Raises:
        ValueError: the value is not JSON: NaN, a number beyond 2**53, a lone surrogate.
    """
    try:
        if _is_written_alike(value):
            return json.dumps(
                value, ensure_ascii=False, separators=(",", ":"), sort_keys=True
            ).encode()
        return rfc8785.dumps(value)
    except (rfc8785.CanonicalizationError, UnicodeEncodeError) as error:
        raise ValueError(f"not representable as canonical JSON: {error}") from error


def _is_written_alike(value: object) -> bool:
    """Whether Python's own encoder, which is much faster, writes the same bytes for a value.

    It differs in how it writes fractions (RFC 8785, section 3.2.2.3) and sorts keys beyond ASCII
    (3.2.3), and takes more for JSON than is.
    """
    kind = type(value)
    if kind is str or kind is bool or value is None:
        return True
    if kind is int:
        return -_LARGEST <= cast("int", value) <= _LARGEST
    if kind is dict:
        entries = cast("dict[object, object]", value).items()
        return all(
            type(key) is str and key.isascii() and _is_written_alike(each) for key, each in entries
        )
    return kind is list and all(map(_is_written_alike, cast("list[object]", value)))


def sha256(data: bytes) -> str:
    """The SHA-256 of some bytes, as 64 hexadecimal digits (FIPS 180-4)."""
    return hashlib.sha256(data).hexdigest()


def proposal_digest(
    *, kind: str, tenant: str, operation_id: str, version: int, content: Mapping[str, Any]
) -> str:
    """The digest of one version: what a reviewer signs and what publishing checks.

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
