"""Stand in for the platform's sign-in: a local token issuer and the `/.auth` routes.

A page that signs people in itself does so at `OpenIdProvider`, with the same session.

Anyone who reaches this port may call themselves anybody. That is the purpose of a development
host, and the reason why these pages answer to loopback names alone.
"""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from html import escape
from pathlib import Path
from string import Template
from typing import Any
from urllib.parse import parse_qs

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from devhost.identity.loopback import loopback_only
from devhost.identity.openid import OpenIdProvider
from devhost.identity.platform_headers import claim_list, platform_headers
from devhost.identity.signing_key import SigningKey

ISSUER = "urn:devhost"
AUDIENCE = "urn:devhost:app"
SCOPE = "user_impersonation"
COOKIE = "devhost-session"

_SUBJECTS = uuid.uuid5(uuid.NAMESPACE_URL, "urn:devhost:subjects")
# Browsers read "/\" like "//" and drop tabs and line breaks, so each of them could leave the site.
_LOCAL_PATH = re.compile(r"/(?!/)[!-\[\]-~]*")
_NOT_STORED = {"Cache-Control": "no-store"}
_PAGE_HEADERS = {
    **_NOT_STORED,
    # Browsers hold a form's redirects to `form-action`, and these lead back to the app's page.
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline';"
    " form-action 'self' http://127.0.0.1:* http://localhost:*;"
    " frame-ancestors 'none'; base-uri 'none'",
}


class Signin:
    """Issue tokens that an app checks like those of a real identity provider.

    Args:
        data: The host's data folder. The signing key in it, `devhost/signin.pem`, keeps tokens
            good when the host starts again.
        clock: Tells the present moment, with a time zone.
    """

    def __init__(self, data: Path, clock: Callable[[], datetime]) -> None:
        self._key = SigningKey(data / "devhost" / "signin.pem")
        self._clock = clock
        self._provider = OpenIdProvider(self, clock)

    def token(
        self,
        *,
        name: str,
        roles: Sequence[str],
        tenant: str = "home",
        subject: str | None = None,
        lifetime: float = 43200.0,
        program: bool = False,
    ) -> str:
        """Return a signed token (RFC 7519, RS256) for one person, or for a program.

        Args:
            name: The person's name as shown to others.
            roles: The roles that the app may rely on.
            tenant: The organisation the person belongs to.
            subject: The person's stable id; by default the same one for the same name, always.
            lifetime: Seconds until the token expires.
            program: Make it one that a program gets for itself, as Entra ID's would be.
        """
        now = int(self._clock().timestamp())
        subject = subject or str(uuid.uuid5(_SUBJECTS, name))
        return self._key.sign(
            {
                "iss": ISSUER,
                "aud": AUDIENCE,
                "sub": subject,
                "oid": subject,
                "name": name,
                "tid": tenant,
                "roles": list(roles),
                **({"idtyp": "app"} if program else {"scp": SCOPE}),
                "iat": now,
                "nbf": now,
                "exp": now + int(lifetime),
            }
        )

    def id_token(self, person: Mapping[str, Any], of: Mapping[str, str], lifetime: float) -> str:
        """Return a signed id token (OpenID Connect Core 1.0, section 2).

        Args:
            person: Who signed in, as the claims of their session.
            of: The issuer, the audience and the nonce.
            lifetime: Seconds until the token expires.
        """
        now = int(self._clock().timestamp())
        shown = {name: person[name] for name in ("sub", "oid", "name", "tid", "roles")}
        return self._key.sign({**of, **shown, "iat": now, "exp": now + int(lifetime)})

    def routes(self) -> list[Route]:
        """Return the routes: key set, sign-in page, session, way out, and those of the provider."""
        return [
            # Public by nature, so an app may fetch it under whatever name it knows the host by.
            Route("/.auth/dev/jwks", self._keys),
            Route("/.auth/login/dev", loopback_only(self._page)),
            Route("/.auth/login/dev", loopback_only(self._sign_in), methods=["POST"]),
            Route("/.auth/me", loopback_only(self._me)),
            Route("/.auth/logout", loopback_only(self._sign_out), methods=["GET", "POST"]),
            *self._provider.routes(),
        ]

    def headers(self, request: Request) -> Mapping[str, str]:
        """Return what the platform would add to a request of a signed-in browser for the app."""
        session = self._session(request)
        return {} if session is None else platform_headers(*session)

    def person(self, request: Request) -> Mapping[str, Any] | None:
        """Return the claims of whoever has signed in with this browser."""
        session = self._session(request)
        return session and session[1]

    def without_session(self, response: Response) -> Response:
        """Return the answer, which ends the browser's session."""
        response.delete_cookie(COOKIE, httponly=True, samesite="lax")
        return response

    def _session(self, request: Request) -> tuple[str, Mapping[str, Any]] | None:
        token = request.cookies.get(COOKIE, "")
        claims = self._key.claims(token)
        if claims is None or claims["exp"] <= self._clock().timestamp():
            return None
        return token, claims

    async def _keys(self, _: Request) -> Response:
        return JSONResponse({"keys": [self._key.public]})

    async def _page(self, request: Request) -> Response:
        page = Template(Path(__file__).with_name("signin.html").read_text("utf-8"))
        target = request.query_params.get("post_login_redirect_uri", "/.auth/me")
        return HTMLResponse(page.substitute(target=escape(target)), headers=_PAGE_HEADERS)

    async def _sign_in(self, request: Request) -> Response:
        form = parse_qs((await request.body()).decode("utf-8", "replace"))
        name = form.get("name", [""])[0].strip()
        target = form.get("post_login_redirect_uri", ["/.auth/me"])[0]
        if _from_elsewhere(request):
            return PlainTextResponse("Sign in from this host's own page.", 403)
        if not name:
            return PlainTextResponse("Enter a name.", 422)
        if not _LOCAL_PATH.fullmatch(target):
            return PlainTextResponse("post_login_redirect_uri must be a path of this host.", 422)
        tenant = form.get("tenant", ["home"])[0]
        roles = form.get("roles", [""])[0].replace(",", " ").split()
        token = self.token(name=name, roles=roles, tenant=tenant)
        response = _redirect(target)
        # An app at `localhost` is another site than a sign-in at 127.0.0.1, and links to it.
        response.set_cookie(COOKIE, token, httponly=True, samesite="lax")
        return response

    async def _me(self, request: Request) -> Response:
        session = self._session(request)
        if session is None:
            return JSONResponse([], 401, headers=_NOT_STORED)
        token, claims = session
        identity = {
            "provider_name": "dev",
            "user_id": claims["sub"],
            "id_token": token,
            "user_claims": claim_list(claims),
        }
        return JSONResponse([identity], headers=_NOT_STORED)

    async def _sign_out(self, request: Request) -> Response:
        target = request.query_params.get("post_logout_redirect_uri", "/.auth/login/dev")
        if not _LOCAL_PATH.fullmatch(target):
            return PlainTextResponse("post_logout_redirect_uri must be a path of this host.", 422)
        return self.without_session(_redirect(target))


def _from_elsewhere(request: Request) -> bool:
    origin = request.headers.get("origin")
    return origin is not None and origin != f"{request.url.scheme}://{request.headers['host']}"


def _redirect(path: str) -> Response:
    return Response(status_code=303, headers={**_NOT_STORED, "Location": path})
