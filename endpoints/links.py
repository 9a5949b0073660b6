"""Addresses of this API, as callers can follow them."""

from __future__ import annotations

import azure.functions as func

from countersign.services import Services

ROOT = "/api"
"""What `host.json` puts before every route."""


def review_link(
    app: Services, request: func.HttpRequest, operation_id: str, version: int | None = None
) -> str:
    """Return where the reviewer's page shows an operation, or one version of it."""
    shown = f"review?operation={operation_id}"
    return link(app, request, shown if version is None else f"{shown}&version={version}")


def link(app: Services, request: func.HttpRequest, path: str) -> str:
    """Return the whole address of a path below the API's root, for whoever sent this request.

    It begins as the links of notices do, and where the app doesn't know its own address, with the
    scheme and host that the platform says the request came to. Of the request's path it has
    nothing: routes are found in any case, and other spellings of them lead nowhere.
    """
    return f"{app.settings.home or _origin(request.url)}{ROOT}/{path}"


def _origin(url: str) -> str:
    return "/".join(url.split("/", 3)[:3])
