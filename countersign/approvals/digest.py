"""The digest that binds a decision to exactly one content of one version."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

import rfc8785


def canonical(value: Any) -> bytes:
    """The one byte sequence of a JSON value (RFC 8785, JSON Canonicalization Scheme).

    Raises:
        ValueError: the value is not JSON: NaN, a number beyond 2**53, a lone surrogate.
    """
    try:
        return rfc8785.dumps(value)
    except (rfc8785.CanonicalizationError, UnicodeEncodeError) as error:
        raise ValueError(f"not representable as canonical JSON: {error}") from error


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
