"""The `/.auth` routes, which stand in for the platform's sign-in.

A page that signs people in itself does so at `OpenIdProvider`, with the same session.

Anyone who reaches this port may call themselves anybody. That is the purpose of a development
host, and the reason why these pages answer to loopback names alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import datetime
from html import escape
from pathlib import Path
from urllib.parse import parse_qs

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from devhost.guards import FORM_BYTES, bounded, from_own_page
from devhost.identity.loopback import loopback_only
from devhost.identity.openid import OpenIdProvider
from devhost.identity.pages import page
from devhost.identity.platform_headers import claim_list, platform_headers
from devhost.identity.session import session_of, with_session, without_session
from devhost.identity.signout import asking, wanted_after
from devhost.identity.suggestions import Suggestions
from devhost.identity.tokens import Tokens

# Browsers read "/\" like "//" and drop tabs and line breaks, so each of them could leave the site.
_LOCAL_PATH = re.compile(r"/(?!/)[!-\[\]-~]*")
_NOT_STORED = {"Cache-Control": "no-store"}


class Signin:
    """Ask people who they are, and tell the app.

    Args:
        data: The host's data folder, which keeps the key that signs the tokens.
        clock: Tells the present moment, with a time zone.
        suggestions: What its page says about the app, and whom it suggests to sign in as.
    """

    def __init__(
        self,
        data: Path,
        clock: Callable[[], datetime],
        suggestions: Suggestions = Suggestions(),  # noqa: B008 (it never changes)
    ) -> None:
        self._suggestions = suggestions
        self._tokens = Tokens(data, clock)
        self._provider = OpenIdProvider(self._tokens, clock)

    def routes(self) -> list[Route]:
        """Return the routes: key set, sign-in page, session, way out, and those of the provider."""
        pages = [
            # Public by nature, so an app may fetch it under whatever name it knows the host by.
            Route("/.auth/dev/jwks", self._keys),
            Route("/.auth/login/dev", loopback_only(self._page)),
            Route("/.auth/login/dev", loopback_only(self._sign_in), methods=["POST"]),
            Route("/.auth/me", loopback_only(self._me)),
            Route("/.auth/logout", loopback_only(self._ask)),
            Route("/.auth/logout", loopback_only(self._sign_out), methods=["POST"]),
            *self._provider.routes(),
        ]
        return bounded(pages, FORM_BYTES)

    def headers(self, request: Request) -> Mapping[str, str]:
        """Return what the platform would add to a request of a signed-in browser for the app."""
        session = session_of(request, self._tokens)
        # The cookie comes along from pages at other ports of this machine, too.
        if session is None or not from_own_page(request.headers, request.scope["scheme"]):
            return {}
        return platform_headers(session.token, session.claims)

    async def _keys(self, _: Request) -> Response:
        return JSONResponse(self._tokens.keys)

    async def _page(self, request: Request) -> Response:
        target = request.query_params.get("post_login_redirect_uri", "/.auth/me")
        return page(
            "signin.html",
            target=escape(target),
            suggested=self._suggestions.html(target),
            roles=self._suggestions.roles_html(),
        )

    async def _sign_in(self, request: Request) -> Response:
        form = parse_qs((await request.body()).decode("utf-8", "replace"))
        name = form.get("name", [""])[0].strip()
        target = form.get("post_login_redirect_uri", ["/.auth/me"])[0]
        if not from_own_page(request.headers, request.scope["scheme"]):
            return PlainTextResponse("Sign in from this host's own page.", 403)
        if not name:
            return PlainTextResponse("Enter a name.", 422)
        if not _LOCAL_PATH.fullmatch(target):
            return PlainTextResponse("post_login_redirect_uri must be a path of this host.", 422)
        tenant = form.get("tenant", ["home"])[0]
        roles = " ".join(form.get("roles", [])).replace(",", " ").split()
        token = self._tokens.token(name=name, roles=roles, tenant=tenant)
        return with_session(_redirect(target), token)

    async def _me(self, request: Request) -> Response:
        session = session_of(request, self._tokens)
        if session is None:
            return JSONResponse([], 401, headers=_NOT_STORED)
        identity = {
            "provider_name": "dev",
            "user_id": session.claims["sub"],
            "id_token": session.token,
            "user_claims": claim_list(session.claims),
        }
        return JSONResponse([identity], headers=_NOT_STORED)

    async def _ask(self, request: Request) -> Response:
        target = request.query_params.get("post_logout_redirect_uri", "/.auth/login/dev")
        if not _LOCAL_PATH.fullmatch(target):
            return _unfit()
        return asking("/.auth/logout", target)

    async def _sign_out(self, request: Request) -> Response:
        target = await wanted_after(request) or "/.auth/login/dev"
        if not from_own_page(request.headers, request.scope["scheme"]):
            return PlainTextResponse("Sign out from this host's own page.", 403)
        if not _LOCAL_PATH.fullmatch(target):
            return _unfit()
        return without_session(_redirect(target))


def _unfit() -> Response:
    return PlainTextResponse("post_logout_redirect_uri must be a path of this host.", 422)


def _redirect(path: str) -> Response:
    return Response(status_code=303, headers={**_NOT_STORED, "Location": path})
