"""The headers in which a platform's sign-in tells an app who sent a request."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from typing import Any

RESERVED = ("x-ms-client-principal", "x-ms-token-")
"""How their names begin: the platform sets them, and nobody else may."""


def platform_headers(token: str, claims: Mapping[str, Any]) -> dict[str, str]:
    """Say it as App Service Authentication does with Microsoft Entra as the provider.

    https://learn.microsoft.com/azure/app-service/configure-authentication-user-identities

    Args:
        token: The id token of the session.
        claims: What is in it.
    """
    principal = {"auth_typ": "aad", "claims": claim_list(claims), "role_typ": "roles"}
    return {
        "x-ms-token-aad-id-token": token,
        "x-ms-client-principal": base64.b64encode(json.dumps(principal).encode()).decode(),
        "x-ms-client-principal-id": claims["sub"],
        "x-ms-client-principal-idp": "aad",
    }


def claim_list(claims: Mapping[str, Any]) -> list[dict[str, str]]:
    """List claims as App Service does: one entry for each value, all of them text."""
    return [
        {"typ": claim, "val": str(value)}
        for claim, values in claims.items()
        for value in (values if isinstance(values, list) else [values])
    ]
