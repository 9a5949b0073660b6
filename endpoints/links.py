"""Addresses of this API, as callers can follow them."""

from __future__ import annotations

import re

import azure.functions as func

ROOT = "/api"
"""What `host.json` puts before every route."""

_FIRST_PART = re.compile(r"/(?:research|purchases|operations|proposals)(?=[/?]|$)")


def review_link(request: func.HttpRequest, operation_id: str, version: int | None = None) -> str:
    """Where the reviewer's page shows an operation, or one version of it."""
    shown = f"review?operation={operation_id}"
    return link(request, shown if version is None else f"{shown}&version={version}")


def link(request: func.HttpRequest, path: str) -> str:
    """The whole address of a path below the API's root, for whoever sent this request.

    The root is what stands before the first part of the request's own route, so the answer is
    right behind any host name and any route prefix.
    """
    return f"{_FIRST_PART.split(request.url, maxsplit=1)[0]}/{path}"
