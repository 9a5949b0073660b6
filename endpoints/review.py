"""The reviewer's page: the files of `countersign/review/page`, for anyone who asks.

The page holds no data. What it shows it gets from the API as whoever has signed in.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import os
import re
from collections.abc import Mapping
from dataclasses import asdict
from functools import lru_cache
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

import azure.functions as func

from countersign.identity.sign_in import read_sign_in
from countersign.platform.environment import said
from countersign.review.bundle import PageBundle, bundle_of
from countersign.review.files import MEDIA_TYPES, page_files
from endpoints.links import ROOT
from endpoints.problems import Problem
from endpoints.routes import route

PAGE = "index.html"

_SHEETS = re.compile(r'(?:<link rel="stylesheet" href="review/[^"]+">\n)+')
_SHEET = re.compile(r'<link rel="stylesheet" href="review/([^"]+)">')
_MAIN = '<script type="module" src="review/main.js"></script>'
_SIGN_IN = '<meta name="sign-in" content="">'
_BUNDLES = re.compile(r"page-[0-9a-f]{16}\.(?:js|css)")
_WORTH_PACKING = 10_000
"""Bytes; less than this is sent as it is."""

_FOR_EVER = "public, max-age=31536000, immutable"

_ADDRESS = f"{ROOT}/review"

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src {reached};"
    " img-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none';"
    " require-trusted-types-for 'script'; trusted-types countersign-report"
)

_SAFELY = {
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Referrer-Policy": "no-referrer",
}

blueprint = func.Blueprint()


@route(blueprint, "review", "GET", media="text/html")
async def get_review(req: func.HttpRequest) -> func.HttpResponse:
    """Serve the review page, which loads one script and one style sheet."""
    if urlsplit(req.url).path != _ADDRESS:
        return _to_the_page(req)
    return _sent(req, await asyncio.to_thread(_page), MEDIA_TYPES[".html"], {})


@route(blueprint, "review/{file}", "GET", media="*/*")
async def get_review_file(req: func.HttpRequest) -> func.HttpResponse:
    """Serve the script or the style sheet of the review page, its icon, or its first module."""
    name = req.route_params.get("file", "")
    if _BUNDLES.fullmatch(name):
        return await _bundled(req, name)
    return _to_the_page(req) if name == PAGE else await _part(req, name)


@route(blueprint, "review/{room}/{file}", "GET", media="*/*")
async def get_review_part(req: func.HttpRequest) -> func.HttpResponse:
    """Serve a module or a style sheet of the review page."""
    return await _part(req, f"{req.route_params.get('room')}/{req.route_params.get('file')}")


async def _bundled(req: func.HttpRequest, name: str) -> func.HttpResponse:
    """Return what the page loads; another version than this app's may not stay with anybody."""
    bundle = await asyncio.to_thread(_bundle)
    ending = name.rpartition(".")[2]
    version = _Version.of(bundle.script if ending == "js" else bundle.style)
    kept = {"Cache-Control": _FOR_EVER} if name == f"page-{bundle.name}.{ending}" else {}
    return _sent(req, version, MEDIA_TYPES[f".{ending}"], kept)


async def _part(req: func.HttpRequest, name: str) -> func.HttpResponse:
    files = await asyncio.to_thread(page_files)
    file = files.get(name)
    if file is None:
        raise Problem("not_found", "The page has no such file.")
    return _sent(req, await asyncio.to_thread(_current, file), MEDIA_TYPES[file.suffix], {})


def _to_the_page(request: func.HttpRequest) -> func.HttpResponse:
    """Send on to the one address from which the page's own links lead somewhere.

    It is also the one to which a provider sends people back, and that is compared by each letter.
    It is told from where the request came to: a proxy may have more before it.
    """
    asked, mark, query = request.url.partition("?")
    up = "../" * (urlsplit(asked).path.count("/") - 1)
    return func.HttpResponse(
        status_code=308, headers={"Location": f"{up}{_ADDRESS[1:]}{mark}{query}"}
    )


def _policy() -> str:
    """Return the policy: scripts may ask this API and the provider that gives them tokens."""
    try:
        provider = read_sign_in(said(os.environ)).origin
    except ValueError:
        # The page comes all the same, and shows what is not set up.
        provider = ""
    return _POLICY.format(reached=f"'self' {provider}".rstrip())


class _Version(NamedTuple):
    """A file of the page as it is now."""

    content: bytes
    etag: str

    @classmethod
    def of(cls, content: bytes) -> _Version:
        return cls(content, f'"{sha256(content).hexdigest()[:32]}"')


def _page() -> _Version:
    """Return the page, with one script and one style sheet in the place of those that it names.

    It tells how people sign in, which its script would have to ask for first.
    """
    name = _bundle().name
    page = _current(page_files()[PAGE]).content.decode()
    sheet = f'<link rel="stylesheet" href="review/page-{name}.css">\n'
    script = f'<script type="module" src="review/page-{name}.js"></script>'
    page = _SHEETS.sub(sheet, page).replace(_MAIN, script)
    told = _SIGN_IN.replace('""', f'"{escape(_sign_in())}"')
    return _Version.of(page.replace(_SIGN_IN, told).encode())


def _sign_in() -> str:
    """Return how people sign in as JSON; nothing where that is not set up, which the API tells."""
    try:
        sign_in = read_sign_in(said(os.environ))
    except ValueError:
        return ""
    return json.dumps({name: value for name, value in asdict(sign_in).items() if value})


def _bundle() -> PageBundle:
    files = page_files()
    return bundle_of(files, _SHEET.findall(_current(files[PAGE]).content.decode()))


def _current(file: Path) -> _Version:
    return _version(file, file.stat().st_mtime_ns)


@lru_cache(maxsize=128)
def _version(file: Path, _changed_at: int) -> _Version:
    """Return what a file holds: read once, and again only after somebody edited it."""
    return _Version.of(file.read_bytes())


def _sent(
    request: func.HttpRequest, version: _Version, media_type: str, more: Mapping[str, str]
) -> func.HttpResponse:
    content, etag = version
    # Always asked for again: a page from before a deployment would not fit the API after it.
    headers = {**_SAFELY, "Content-Security-Policy": _policy(), "Cache-Control": "no-cache"}
    headers |= {"ETag": etag, "Vary": "Accept-Encoding", **more}
    if "gzip" in request.headers.get("Accept-Encoding", "") and len(content) > _WORTH_PACKING:
        headers["Content-Encoding"] = "gzip"
        content = _packed(content)
    is_known = _has(etag, request.headers.get("If-None-Match", ""))
    return func.HttpResponse(
        b"" if is_known else content,
        status_code=304 if is_known else 200,
        mimetype=media_type,
        charset="utf-8",
        headers=headers,
    )


@lru_cache(maxsize=8)
def _packed(content: bytes) -> bytes:
    return gzip.compress(content, mtime=0)


def _has(etag: str, known: str) -> bool:
    """Return whether `If-None-Match` names this version, compared weakly (RFC 9110, 13.1.2)."""
    tags = {tag.strip(" \t").removeprefix("W/") for tag in known.split(",")}
    return etag in tags or known.strip() == "*"
