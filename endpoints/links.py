"""Addresses of this API, as callers can follow them."""

from __future__ import annotations

import re

import azure.functions as func

_FIRST_PART = re.compile(r"/(?:research|operations|proposals)(?=[/?]|$)")


def link(request: func.HttpRequest, path: str) -> str:
    """The whole address of a path below the API's root, for whoever sent this request.

    The root is what stands before the first part of the request's own route, so the answer is
    right behind any host name and any route prefix.
    """
    return f"{_FIRST_PART.split(request.url, maxsplit=1)[0]}/{path}"
